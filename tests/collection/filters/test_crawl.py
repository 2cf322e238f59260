from __future__ import annotations

import csv
import io
import re

import pytest
from asgiref.sync import async_to_sync
from django.http import QueryDict
from django.test import Client
from django.urls import reverse

from apps.collection.filters.crawl import CRAWL, Crawls, Match
from apps.collection.search import CollectionSearch
from apps.collection.selectors import count, look
from tests.collection_fixtures import store
from tests.crawl_rows import made_crawl

# By page the crawls that have it: 0 and 1 crawl 1 alone, 2 crawls 1 and 2, 3 crawl 2 alone,
# 4 all three, 5 crawls 1 and 3.
PAGES = {1: (0, 1, 2, 4, 5), 2: (2, 3, 4), 3: (4, 5)}
CASES = [
    ("", (0, 1, 2, 3, 4, 5)),
    ("crawl_match=only", (0, 1, 2, 3, 4, 5)),
    ("crawl=@1", (0, 1, 2, 4, 5)),
    ("crawl=@2&crawl=@3", (2, 3, 4, 5)),
    ("crawl=@2&crawl=@3&crawl_match=any", (2, 3, 4, 5)),
    ("crawl=@1&crawl=@2&crawl_match=all", (2, 4)),
    ("crawl=@3&crawl_match=all", (4, 5)),
    ("crawl=@1&crawl=@2&crawl=@3&crawl_match=all", (4,)),
    ("crawl=@1&crawl_match=only", (0, 1)),
    ("crawl=@3&crawl_match=only", ()),
    ("crawl=@1&crawl=@3&crawl_match=only", (5,)),
    ("not_fetched_by=@1", (3,)),
    ("not_fetched_by=@2&not_fetched_by=@3", (0, 1)),
    ("crawl=@1&not_fetched_by=@2", (0, 1, 5)),
    ("crawl=@1&not_fetched_by=@1", ()),
]
JUDGED = {"relevant": True, "votes": 3, "votes_of": 3}


@pytest.fixture
def crawls(topic, crawl, other_crawl):
    crawls = [crawl, other_crawl, made_crawl(topic, state="finished")]
    for number, each in enumerate(crawls, 1):
        store(each, *[{"url": f"http://a.test/{n}", "relevant": n % 2 == 0} for n in PAGES[number]])
    return crawls


@pytest.fixture
def searched(crawls, searched_by, owner):
    return searched_by(owner)


@pytest.fixture
def query_of(crawls):
    return lambda query: re.sub("@(.)", lambda match: str(crawls[int(match[1]) - 1].pk), query)


def test_any_all_or_only_the_chosen_crawls_have_the_pages(searched, query_of) -> None:
    for query, pages in CASES:
        filters = CollectionSearch.read(QueryDict(query_of(query)))
        seen = look(filters.within(searched))
        assert (count(filters.within(searched)).pages, seen.facets.pages) == (
            len(pages),
            len(pages),
        ), query
        assert len(seen.hits.rows) == len(pages)


def test_the_counts_beside_other_filters_are_those_of_the_crawls_pages(searched, query_of) -> None:
    # All of 1 and 2 have pages 2 and 4; of 1 and 3 alone is page 5: even numbers are relevant.
    verdicts = {
        query: dict(
            look(CollectionSearch.read(QueryDict(query_of(query))).within(searched)).facets.counts[
                "verdict"
            ]
        )
        for query in ("crawl=@1&crawl=@2&crawl_match=all", "crawl=@1&crawl=@3&crawl_match=only")
    }
    assert [*map(len, verdicts.values())] == [2, 1]
    assert verdicts["crawl=@1&crawl=@3&crawl_match=only"] == {"not": 1}


def test_the_counts_beside_the_crawls_ignore_the_choice_among_them(
    searched, crawls, query_of
) -> None:
    query = query_of("crawl=@1&crawl=@2&crawl_match=all")
    counts = look(CollectionSearch.read(QueryDict(query)).within(searched)).facets.of(CRAWL)
    assert [counts[crawl.pk] for crawl in crawls] == [5, 3, 2]


CHIPS = (
    ("crawl=@1", "in #1 Adaptive utility"),
    ("crawl=@2&crawl=@1", "in any of #1 #2"),
    ("crawl=@1&crawl=@2&crawl_match=all", "in all of #1 #2"),
    ("crawl=@2&crawl_match=only", "only in #2 Breadth-first"),
    ("crawl=@1&crawl=@2&crawl_match=only", "only in all of #1 #2"),
    ("not_fetched_by=@2", "not fetched by #2 Breadth-first"),
)


def test_one_chip_names_the_crawls_and_takes_them_away(searched, crawls, query_of) -> None:
    for query, words in CHIPS:
        (chip,) = CollectionSearch.read(QueryDict(query_of(query)), searched).chips()
        numbered = re.sub("#(.)", lambda match: f"#{crawls[int(match[1]) - 1].pk}", words)
        assert (chip.words, chip.query) == (numbered, "")


def test_the_switch_stands_where_there_are_several_crawls(searched, crawls, query_of) -> None:
    filters = CollectionSearch.read(QueryDict(query_of("crawl=@1&crawl_match=only")), searched)
    (panel,) = [
        p for p in filters.panels(look(filters).facets.counts) if getattr(p, "switch", None)
    ]
    assert [(choice.words, choice.checked) for choice in panel.switch.choices] == [
        ("any of", False),
        ("all of", False),
        ("only", True),
    ]
    assert [(option.count, option.checked) for option in panel.options] == [
        (5, True),
        (3, False),
        (2, False),
    ]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("crawl=@1&crawl_match=some", "“some” is not one of any, all, only."),
        ("crawl=all", "“all” is not the number of a crawl of this collection."),
        ("crawl_match=@1", "is not one of any, all, only."),
    ],
)
def test_what_means_nothing_is_named_at_its_parameter(query, words, searched, query_of) -> None:
    asked = QueryDict(query_of(query))
    (misread,) = CollectionSearch.read(asked, searched).misread(asked)
    assert misread.message.endswith(words)
    assert misread.field == ("crawl" if query == "crawl=all" else "crawl_match")


@pytest.mark.parametrize(
    ("query", "pages"),
    [
        ("crawl=@1&crawl=@2&crawl_match=all", (2, 4)),
        ("crawl=@1&crawl=@3&crawl_match=only", (5,)),
    ],
)
def test_list_downloads_and_interface_hold_the_same_pages(
    query, pages, topic, owner, searched, query_of
) -> None:
    client, asked = Client(), query_of(query)
    client.force_login(owner)
    urls = {f"http://a.test/{n}" for n in pages}
    listed = client.get(f"/api/v1/topics/{topic.pk}/pages?{asked}").json()
    assert {page["final_url"] for page in listed["items"]} == urls
    address = reverse("downloads:topic_search", args=[topic.pk])
    table = _text(client.get(f"{address}?format=csv&{asked}"))
    assert {row["final_url"] for row in csv.DictReader(io.StringIO(table))} == urls
    graph = _text(client.get(f"{address}?format=gexf&{asked}"))
    assert set(re.findall(r"http://a\.test/\d", graph)) == urls
    counted = client.get(f"{reverse('downloads:topic_count', args=[topic.pk])}?format=csv&{asked}")
    assert f"{len(pages)} row" in re.sub("<.*?>", "", counted.json()["rows"])


def _text(answer) -> str:
    async def body() -> bytes:
        return b"".join([piece async for piece in answer.streaming_content])

    return async_to_sync(body)().decode("utf-8-sig")


def test_without_crawls_there_is_nothing_to_match() -> None:
    assert CollectionSearch.read(QueryDict("crawl_match=only")).chosen == {}
    assert Crawls((), Match.ANY).passes((1, 2)) and CRAWL.nothing == Crawls()
