"""How far the pages of a host look made by a machine or a template, counted with the hosts."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from django.db.models import F
from django.http import QueryDict

from apps.collection.models import Entry, MainText, Progress
from apps.crawls.models import Crawl, Page
from apps.dossiers.dossier import make_dossier
from apps.dossiers.plain import as_plain
from apps.hosts import make_up
from apps.hosts.downloads import cells
from apps.hosts.listing import HostListing, HostSearch
from apps.hosts.make_up import HostPageCounts, PatternVote, is_stale, pattern_of
from apps.hosts.models import HostMakeUp, HostSummary
from apps.hosts.services import show_fence
from apps.hosts.tasks import count_here, refresh
from apps.topics.models import Topic
from tests.crawl_rows import made_topic
from tests.host_rows import linked_crawl
from tests.people import person, site_of

PAGES = 40


@pytest.mark.parametrize(
    ("url", "pattern"),
    [
        ("http://a.test/", "/"),
        ("http://a.test/p/17.html", "/p/#.html"),
        ("http://a.test/de/item-4711?page=2", "/de/item-#?page=#"),
    ],
)
def test_a_part_with_a_digit_is_a_number(url: str, pattern: str) -> None:
    assert pattern_of(url) == pattern


@pytest.mark.parametrize("others", [0, 3, 4])
def test_the_vote_finds_the_pattern_that_most_have_wherever_they_stand(others: int) -> None:
    for begin in range(5):
        patterns = [*("ab"[:begin] * 1), *["/p/#"] * 5, *(f"/{n}" for n in range(others))]
        most = [p for p in patterns if 2 * patterns.count(p) > len(patterns)]
        vote = PatternVote()
        for each in patterns:
            vote.add(each)
        assert not most or vote.pattern == most[0]


def made_hosts(topic: Topic) -> Crawl:
    """`shop.test` with numbered pages of one template, half of them repeated, `good.test` with as
    many pages whose addresses are words, and `few.test` with three."""
    words = [f"{one}{other}" for one in "abcdefgh" for other in "klmno"]
    graph: dict[str, list[str]] = {f"http://shop.test/p/{n}.html": [] for n in range(PAGES)}
    graph |= {f"http://good.test/{word}": [] for word in words}
    graph |= {f"http://few.test/{n}": [] for n in range(3)}
    return linked_crawl(topic, graph, [])


def read(crawl: Crawl, host: str, main: int, pages: int = PAGES) -> None:
    """Main texts of so many words for pages of 100 words."""
    rows = list(Page.objects.filter(crawl=crawl, host=host).order_by("seq")[:pages])
    keys = [page.pk for page in rows]
    Page.objects.filter(pk__in=keys).update(words=100)
    MainText.objects.filter(page_id__in=keys).delete()
    texts = [MainText(page_id=key, crawl=crawl, blocks=b"", words=main) for key in keys]
    MainText.objects.bulk_create(texts)
    Entry.objects.filter(page_id__in=keys).update(language="de")
    Progress.objects.filter(crawl=crawl).update(read=F("read") + 1)


def fold(crawl: Crawl, host: str, pages: Iterable[int]) -> None:
    first = Entry.objects.filter(crawl=crawl, host=host).earliest("seq")
    seqs = [first.seq + number for number in pages]
    Entry.objects.filter(crawl=crawl, seq__in=seqs).update(fold=first.page_id)


def make_up_of(topic: Topic, host: str) -> HostMakeUp:
    return HostMakeUp.objects.get(host__topic=topic, host__unit="host", host__name=host)


@pytest.fixture
def topic(db: None) -> Topic:
    return made_topic(person("ada"))


@pytest.mark.alike
def test_a_host_of_one_template_is_flagged_in_every_surface_and_stays(topic: Topic) -> None:
    crawl = made_hosts(topic)
    count_here(topic)
    read(crawl, "shop.test", 10)
    read(crawl, "good.test", 90)
    fold(crawl, "shop.test", range(PAGES // 2))
    count_here(topic)
    shop, good = make_up_of(topic, "shop.test"), make_up_of(topic, "good.test")
    assert (shop.pages, shop.pattern, shop.pattern_share) == (PAGES, "/p/#.html", 1.0)
    assert shop.template == pytest.approx(0.9) and shop.near_duplicates == 0.5
    assert shop.flags == ("near-duplicates", "mostly template", "numbered addresses")
    assert good.template == pytest.approx(0.1) and good.flags == () and good.pattern == ""
    assert not HostMakeUp.objects.filter(host__name="few.test").exists()
    search = HostSearch.read(QueryDict("make_up=template&make_up=numbered"))
    assert [row.name for row in HostListing(topic, search).matches] == ["shop.test"]
    site, address = site_of(topic.owner), f"/topics/{topic.pk}/hosts/"
    screen = site.get(address).content.decode()
    assert screen.count("near-duplicates, mostly template, numbered addresses") == 2
    [cell] = cells(topic, HostListing(topic, search).matches)
    assert cell["make_up"] == "near-duplicates; mostly template; numbered addresses"
    assert (cell["near_duplicates"], cell["pattern"]) == (0.5, "/p/#.html")
    plain = as_plain(make_dossier(topic, "shop.test", Crawl.objects.filter(topic=topic)))
    assert plain["make_up"]["flags"] == list(shop.flags)
    assert as_plain(make_dossier(topic, "few.test", Crawl.objects.all()))["make_up"] is None
    assert HostSummary.objects.get(topic=topic, unit="host", name="shop.test").pages == PAGES
    assert Page.objects.filter(crawl=crawl, host="shop.test").count() == PAGES


@pytest.mark.alike
def test_it_is_the_same_however_few_pages_are_held_at_once(topic: Topic, monkeypatch) -> None:
    crawl = made_hosts(topic)
    count_here(topic)
    read(crawl, "shop.test", 30, pages=33)
    count_here(topic)
    whole = make_up_of(topic, "shop.test")
    HostMakeUp.objects.all().delete()
    monkeypatch.setattr(make_up, "PAGES_AT_ONCE", 7)
    monkeypatch.setattr(make_up, "TEXTS_AT_ONCE", 3)
    count_here(topic)
    row = make_up_of(topic, "shop.test")
    assert (row.template, row.read, row.pattern_share) == (pytest.approx(0.7), 33, 1.0)
    assert (row.counts, row.template) == (whole.counts, whole.template)


@pytest.mark.alike
def test_a_count_follows_the_reading_and_looks_at_no_host_twice(topic: Topic, monkeypatch) -> None:
    crawl = made_hosts(topic)
    refresh(topic)
    assert make_up_of(topic, "shop.test").template is None
    looked: list[str] = []
    look = make_up.look_at
    monkeypatch.setattr(
        make_up, "look_at", lambda host, *rest: (looked.append(host), look(host, *rest))[1]
    )
    read(crawl, "shop.test", 10)
    refresh(topic)
    assert looked == ["shop.test"]
    assert make_up_of(topic, "shop.test").template == pytest.approx(0.9)
    refresh(topic)
    assert looked == ["shop.test"]


@pytest.mark.alike
def test_a_dossier_looks_at_no_page_for_it(topic: Topic, monkeypatch) -> None:
    made_hosts(topic)
    count_here(topic)
    monkeypatch.setattr(make_up, "look_at", None)
    answer = site_of(topic.owner).get(f"/topics/{topic.pk}/hosts/shop.test/")
    assert answer.status_code == 200


@pytest.mark.alike
def test_the_flags_of_a_host_that_is_taken_down_go(topic: Topic) -> None:
    made_hosts(topic)
    count_here(topic)
    show_fence("shop.test", [topic])
    hosts = HostMakeUp.objects.values_list("host__name", flat=True)
    assert [*hosts] == ["good.test"]


@pytest.mark.parametrize(
    ("before", "now", "stale"),
    [
        ((50, 50, 0), (50, 50, 0), False),
        ((50, 50, 0), (51, 50, 0), True),
        ((20_000, 20_000, 0), (21_000, 20_000, 0), False),
        ((20_000, 20_000, 0), (22_000, 20_000, 0), True),
        ((20_000, 0, 0), (20_000, 1, 0), False),
        ((20_000, 0, 0), (20_000, 2, 0), True),
        ((20_000, 20_000, 9_000), (20_000, 20_000, 100), True),
    ],
)
def test_a_large_host_is_looked_at_again_when_it_has_grown_by_a_tenth(before, now, stale) -> None:
    pages, of_read, folded = before
    row = HostMakeUp(pages=pages, read=of_read, folded=folded)
    assert is_stale(row, HostPageCounts(*now)) is stale


def test_shares_that_nothing_shows_are_empty_everywhere(db) -> None:
    topic = made_topic(person("ada"))
    made_hosts(topic)
    assert count_here(topic)
    # No page of it has been read, and no pattern is that of most addresses.
    row = HostMakeUp.objects.get(host__name="good.test")
    assert row.read == 0 and row.pattern == ""
    assert row.near_duplicates is None and row.alike_share is None
    (line,) = cells(topic, HostSummary.objects.filter(name="good.test", unit="host", topic=topic))
    assert line["near_duplicates"] is None and line["pattern_share"] is None
    plain = as_plain(make_dossier(topic, "good.test", Crawl.objects.filter(topic=topic)))["make_up"]
    assert plain["near_duplicates"] is None and plain["pattern_share"] is None
    page = site_of(topic.owner).get(f"/topics/{topic.pk}/hosts/good.test/").content.decode()
    assert "<dt>Near-duplicates</dt><dd>not read yet</dd>" in page
