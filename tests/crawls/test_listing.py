"""Which crawls a list has, in which order, and what its filter bar says."""

from __future__ import annotations

import re

import pytest
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from apps.crawls.listing import CrawlListing, CrawlSearch
from apps.crawls.models import Crawl
from apps.crawls.selectors import visible_crawls
from apps.engine.codes import State, StopReason
from apps.search.lists import Head
from tests.crawl_fixtures import owner  # noqa: F401
from tests.crawl_rows import grow, made_crawl, made_topic


@pytest.fixture
def crawls(owner) -> dict[str, Crawl]:
    """Four crawls of two topics, by what is particular about each."""
    bread, birds = made_topic(owner, "Sourdough"), made_topic(owner, "Øyer og fugler")
    return {
        "noted": made_crawl(bread, note="second try", tags=["thesis"]),
        "tagged": made_crawl(birds, tags=["für Jonas", "thesis"], strategy="full_page"),
        "failed": made_crawl(birds, state=State.FAILED, reason=StopReason.NO_SEEDS),
        "draft": made_crawl(bread, state=State.DRAFT, reason="", name="Baseline"),
    }


def list_numbers(owner, query: dict[str, str]) -> list[int]:
    return [crawl.pk for crawl in listing(owner, query).matches]


def listing(owner, query: dict[str, str]) -> CrawlListing:
    asked = QueryDict(mutable=True)
    asked.update(query)
    return CrawlListing(visible_crawls(owner), CrawlSearch.read(asked))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("SECOND", {"noted"}),
        ("jonas FÜR", {"tagged"}),
        ("øyer", {"tagged", "failed"}),
        ("full page", {"tagged"}),
        ("baseline", {"draft"}),
        ("sourdough thesis", {"noted"}),
        ("live", {"noted", "tagged", "failed", "draft"}),
        ("nowhere", set()),
    ],
)
def test_the_search_looks_in_every_word_of_a_crawl(owner, crawls, text, names) -> None:
    assert set(list_numbers(owner, {"q": text})) == {crawls[name].pk for name in names}


def test_a_number_after_a_hash_finds_that_crawl_alone(owner, crawls) -> None:
    wanted = crawls["failed"].pk
    assert list_numbers(owner, {"q": f"#{wanted}"}) == [wanted]
    assert list_numbers(owner, {"q": f"#{wanted}0"}) == []


def test_filters_narrow_one_another_and_each_count_is_that_of_the_others(owner, crawls) -> None:
    shown = listing(owner, {"tag": "thesis", "state": "active"})
    assert [crawl.pk for crawl in shown.matches] == [crawls["tagged"].pk, crawls["noted"].pk]
    assert [choice.count for choice in shown.states] == [2, 2, 0, 0, 0]
    (topics,) = [menu for menu in shown.menus if menu.name == "topic"]
    assert [(choice.words, choice.count) for choice in topics.choices] == [
        ("Sourdough", 1),
        ("Øyer og fugler", 1),
    ]
    assert {chip.words for chip in shown.chips} == {"tag thesis", "state active"}
    assert {chip.query for chip in shown.chips} == {"state=active", "tag=thesis"}


def test_each_order_shows_every_crawl_once(owner, crawls) -> None:
    grow(crawls["noted"], 40)
    everything = {crawl.pk for crawl in crawls.values()}
    for order in CrawlSearch.orders:
        assert set(list_numbers(owner, {"order": order})) == everything
    assert list_numbers(owner, {"order": "oldest"}) == sorted(everything)
    assert list_numbers(owner, {"order": "harvest"})[0] == crawls["noted"].pk
    assert list_numbers(owner, {"order": "pages"})[0] == crawls["noted"].pk


def test_the_head_of_the_column_in_order_is_marked_and_the_others_lead_to_theirs(
    client: Client, owner, crawls
) -> None:
    grow(crawls["noted"], 40)
    shown = listing(owner, {"tag": "thesis"})
    assert shown.head("Started") == Head("Started", "?tag=thesis&order=oldest", "descending")
    assert shown.head("State") == Head("State", "", "")
    assert listing(owner, {"order": "oldest"}).head("Started") == Head("Started", "?", "ascending")
    client.force_login(owner)
    text = client.get(reverse("crawls:list"), {"order": "harvest"}).content.decode()
    heads = re.findall(r'aria-sort="(\w+)">(?:<a[^>]*>)?([^<]+)<', text)
    assert heads == [("descending", "Harvest rate")]
    assert '<a href="?order=recall">Target recall</a>' in text
    titles = {order.column for order in CrawlSearch.sorts.values()}
    assert all(f">{title}<" in text for title in titles), "every order has its column"


def test_what_no_filter_knows_is_passed_over_and_named(client: Client, owner, crawls) -> None:
    unknown = {"state": "flying", "order": "sideways"}
    assert len(list_numbers(owner, unknown)) == 4
    assert len(list_numbers(owner, {"topic": "x' or 1"})) == 4
    client.force_login(owner)
    text = client.get(reverse("crawls:list"), unknown).content.decode()
    assert (
        "“flying” is not a state of this list; give one of active, finished, failed, draft." in text
    )
    assert "“sideways” is not an order of this list; give one of oldest, pages," in text
    text = client.get(reverse("topics:list"), unknown).content.decode()
    assert "“flying” is not a state of this list; give one of crawled, new." in text
    text = client.get(reverse("crawls:list"), {"topic": "x"}).content.decode()
    assert "“x” is not the number of a topic." in text
    assert CrawlSearch.read(usual := QueryDict("state=active&order=")).misread(usual) == ()


def test_the_screen_keeps_filters_in_its_links_and_names_what_leaves_nothing(
    client: Client, owner, crawls
) -> None:
    client.force_login(owner)
    text = client.get(reverse("crawls:list"), {"tag": "thesis", "state": "failed"}).content.decode()
    assert "No crawl has state failed and tag thesis." in text
    assert "?state=active&amp;tag=thesis" in text
