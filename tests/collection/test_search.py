"""Words, ranking and filters find the same on whichever database the tests run."""

from __future__ import annotations

from datetime import UTC, datetime
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.http import QueryDict
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.collection.facets import facets
from apps.collection.filters.crawl import CRAWL
from apps.collection.filters.role import Role
from apps.collection.filters.topicality import TOPICALITY
from apps.collection.filters.verdict import VERDICT
from apps.collection.full_text import pages_with
from apps.collection.pages.similar import similar_pages
from apps.collection.search import CollectionSearch, PageOrder
from apps.collection.searched_crawls import SearchedCrawls
from apps.collection.selectors import count, find, matching_pages
from apps.crawls.models import Crawl, Page
from apps.search.host import HOST
from apps.stored_pages.page_text import VisibleText
from apps.topics.models import Example
from tests.collection_fixtures import filler, store


def search_titles(searched_by, owner, **filters) -> list[str]:
    """The titles found, in order."""
    return titles(searched_by(owner), CollectionSearch(**filters))


def asked(query: str) -> CollectionSearch:
    """The search of an address."""
    return CollectionSearch.read(QueryDict(query))


def titles(searched: SearchedCrawls, filters: CollectionSearch) -> list[str]:
    """The titles found, in order."""
    hits = find(filters.within(searched)).rows
    pages = Page.objects.in_bulk([hit.page for hit in hits])
    return [pages[hit.page].title for hit in hits]


@pytest.fixture
def meadow(crawl: Crawl) -> Crawl:
    texts = {
        "Eelgrass transplants": "Shoots survived the winter. " + filler(0, "alpha"),
        "Donor beds": "One transplant of eelgrass, surviving well. " + filler(1, "beta"),
        "Harbour": "Anchors and chains in the harbour bay. " + filler(2, "gamma delta"),
        "Café Málaga": "Große Straße, 海草の移植, дно моря. " + filler(3, "epsilon"),
    }
    *others, cafe = ({"title": title, "text": text} for title, text in texts.items())
    store(crawl, *others, cafe | {"url": "http://b.test/café"})
    return crawl


def test_words_are_found_in_titles_and_pages_by_their_stems(meadow, searched_by, owner) -> None:
    assert set(search_titles(searched_by, owner, words="transplanting")) == {
        "Eelgrass transplants",
        "Donor beds",
    }
    assert search_titles(searched_by, owner, words="surviving winters") == ["Eelgrass transplants"]


def test_pages_of_two_languages_are_found_by_the_stems_of_their_own(
    crawl, topic, searched_by, owner
) -> None:
    topic.language = "en de"
    topic.save()
    english = "the meadows under the water are important for all of the fish that live in it"
    german = "die häuser unter dem wasser sind für die fische der bucht sehr wichtig und schön"
    other = "das haus auf dem berg ist nicht groß und auch die tür ist klein"
    pages = store(
        crawl,
        {"text": english, "title": "A"},
        {"text": german, "title": "B"},
        {"text": other, "title": "C"},
    )
    assert searched_by(owner).languages == ("en", "de")
    assert search_titles(searched_by, owner, words="meadow") == ["A"]
    assert set(search_titles(searched_by, owner, words="hauses")) == {"B", "C"}
    assert similar_pages(
        CollectionSearch(context=searched_by(owner)), pages[1], VisibleText("B", german)
    ).words == ("häuser",)


@pytest.mark.django_db(transaction=True)
def test_the_pages_of_a_stem_are_one_query_that_leaves_no_setting_behind(meadow) -> None:
    with CaptureQueriesContext(connection) as asked:
        assert len(pages_with("anchor", 10)) == 1
    assert len(asked) == 1
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SHOW enable_seqscan")
            assert cursor.fetchone() == ("on",)


def test_all_words_must_be_there(meadow, searched_by, owner) -> None:
    assert search_titles(searched_by, owner, words="eelgrass harbour") == []
    assert search_titles(searched_by, owner, words="HARBOUR anchor") == ["Harbour"]


def test_a_title_counts_more_than_a_page(meadow, searched_by, owner) -> None:
    titles = search_titles(searched_by, owner, words="eelgrass")
    assert titles == ["Eelgrass transplants", "Donor beds"]


def test_more_pages_than_are_ranked_are_all_listed(meadow, searched_by, owner, monkeypatch) -> None:
    monkeypatch.setattr("apps.collection.full_text.RANKED", 1)
    assert set(search_titles(searched_by, owner, words="eelgrass")) == {
        "Eelgrass transplants",
        "Donor beds",
    }
    assert len(search_titles(searched_by, owner, words="filler1")) == 4


def test_phrases_are_looked_for_in_some_pages_and_downloaded_from_all(
    meadow, searched_by, owner, monkeypatch
) -> None:
    monkeypatch.setattr("apps.collection.full_text.LOOKED_THROUGH", 1)
    searched, phrase = searched_by(owner), CollectionSearch(words='"filler1 prose1"')
    totals = count(phrase.within(searched))
    assert len(matching_pages(phrase.within(searched))) == 4
    if connection.vendor == "postgresql":
        assert (totals.pages, totals.candidates, totals.at_least) == (1, 4, True)
    else:
        assert (totals.pages, totals.at_least) == (4, False)
    rare = count(CollectionSearch(words='"harbour bay"').within(searched))
    assert (rare.pages, rare.at_least) == (1, False)


def test_phrases_stand_together_and_minus_leaves_out(meadow, searched_by, owner) -> None:
    assert search_titles(searched_by, owner, words='"harbour bay"') == ["Harbour"]
    assert search_titles(searched_by, owner, words='"bay harbour"') == []
    assert search_titles(searched_by, owner, words="transplant -winter") == ["Donor beds"]
    assert "Harbour" not in search_titles(searched_by, owner, words="-anchors")
    assert len(search_titles(searched_by, owner, words="-anchors")) == 3


def test_two_words_may_have_to_be_near_each_other(meadow, searched_by, owner) -> None:
    first, second = ["Eelgrass transplants"], ["Donor beds"]
    assert search_titles(searched_by, owner, words="winter NEAR/2 shoots") == first
    assert search_titles(searched_by, owner, words="shoots NEAR/2 winters") == first
    assert search_titles(searched_by, owner, words="shoots NEAR/1 winter") == []
    assert search_titles(searched_by, owner, words='"the winter" NEAR/1 shoot*') == first
    assert search_titles(searched_by, owner, words="transplant NEAR well NEAR/1 eelgrass") == second
    assert search_titles(searched_by, owner, words="shoots NEAR alpha") == []


def test_either_of_two_words_is_enough_with_or_between_them(meadow, searched_by, owner) -> None:
    assert set(search_titles(searched_by, owner, words="anchors OR donor")) == {
        "Harbour",
        "Donor beds",
    }
    assert search_titles(searched_by, owner, words='"harbour bay" OR nowhere') == ["Harbour"]


@pytest.mark.parametrize(
    ("words", "pages"),
    [
        ("title:eelgrass", {"Eelgrass transplants"}),
        ('title:"donor beds" OR title:harbour', {"Donor beds", "Harbour"}),
        ("eelgrass -title:donor", {"Eelgrass transplants"}),
        ("-title:donor -title:eelgrass", {"Harbour", "Café Málaga"}),
        ("title:winter", set()),
        ("transplan*", {"Eelgrass transplants", "Donor beds"}),
        ("title:transplan*", {"Eelgrass transplants"}),
        ('"harbour ba*"', {"Harbour"}),
        ("surviving*", {"Eelgrass transplants", "Donor beds"}),
        ("url:A.test/", {"Eelgrass transplants", "Donor beds", "Harbour"}),
        ("url:_", set()),
        ("-url:a.test", {"Café Málaga"}),
        ("site:test", {"Eelgrass transplants", "Donor beds", "Harbour", "Café Málaga"}),
        ("site:b.test", {"Café Málaga"}),
        ("site:eb.test", set()),
        ("eelgrass site:b.test", set()),
        ("title:harbour OR site:B.test", {"Harbour", "Café Málaga"}),
        ("-site:b.test -title:harbour", {"Eelgrass transplants", "Donor beds"}),
    ],
)
def test_prefixes_look_in_titles_and_addresses_and_asterisks_for_beginnings(
    meadow, searched_by, owner, words, pages
) -> None:
    searched = searched_by(owner)
    search = CollectionSearch(words=words, context=searched)
    assert set(titles(searched, search)) == pages
    assert count(search).pages == len(matching_pages(search)) == len(pages)
    assert facets(search).pages == len(pages)


@pytest.mark.parametrize("words", ["große straße", "海草", "моря", "málaga", '"große straße"'])
def test_every_script_can_be_searched(meadow, searched_by, owner, words) -> None:
    assert search_titles(searched_by, owner, words=words) == ["Café Málaga"]


NOISE = (
    '"',
    "'",
    '""',
    "-",
    "- -",
    "*",
    "a*",
    "NEAR(a b)",
    "title:x OR 1",
    "x' OR '1'='1",
    "(",
    ")",
    "a AND",
    "NOT",
    ":",
    "\\",
    "%",
    "%s",
    "'; DROP TABLE x; --",
    "<->",
    "&",
    "|",
    "!",
    '"a" "b',
    "\0",
    "{a b}",
    "^a",
    "s",
    '-"a b',
    "x" * 500,
    "😀",
)


def test_no_search_is_an_error(meadow, searched_by, owner) -> None:
    searched = searched_by(owner)
    for words in NOISE:
        filters = CollectionSearch.read(_query(q=words))
        assert count(filters.within(searched)).pages == facets(filters.within(searched)).pages, (
            words
        )
        find(filters.within(searched))


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(words=st.text(max_size=30))
def test_whatever_is_typed_is_answered(meadow, searched_by, owner, words) -> None:
    searched = searched_by(owner)
    filters = CollectionSearch.read(_query(q=words))
    assert (
        find(filters.within(searched)).number_listed <= count(filters.within(searched)).pages <= 4
    )


def _query(**values: str) -> QueryDict:
    query = QueryDict(mutable=True)
    query.update(values)
    return query


@pytest.fixture
def mixed(crawl: Crawl, other_crawl: Crawl) -> None:
    """Forty pages that differ in everything that can be filtered."""
    for number, each in enumerate((crawl, other_crawl)):
        store(
            each,
            *[
                {
                    "title": f"P{number}-{i}",
                    "url": f"http://h{i % 3}.test/{number}/{i}",
                    "text": " ".join(f"w{number}x{i}y{j}" for j in range(40)),
                    "relevant": i % 4 > 1 if i % 5 else None,
                    "votes": i % 4,
                    "votes_of": 3,
                    "topicality": None if i == 7 else i / 19,
                    "status": i / 10,
                    "target": i % 6 == 0,
                    "seed": i < 2,
                    "http_status": 203 if i % 7 == 3 else 200,
                    "fetched_at": datetime(2026, 5, 1 + i, tzinfo=UTC),
                }
                for i in range(20)
            ],
        )


def test_marks_of_examples_and_labels_follow_the_topic(mixed, topic, searched_by, owner) -> None:
    Example.objects.create(topic=topic, url="http://h0.test/0/3", relevant=True)
    Example.objects.create(
        topic=topic, url="http://h1.test/0/4", relevant=False, source=Example.Source.LABEL
    )
    topic.version += 1
    topic.save()
    searched = searched_by(owner)
    assert titles(searched, asked("role=example")) == ["P0-3"]
    assert titles(searched, asked("label=n")) == ["P0-4"]
    assert count(asked("label=none").within(searched)).pages == 39
    topic.examples.filter(source=Example.Source.LABEL).update(relevant=True)
    topic.version += 1
    topic.save()
    searched = searched_by(owner)
    assert (titles(searched, asked("label=n")), titles(searched, asked("label=y"))) == (
        [],
        ["P0-4"],
    )


def test_orders(mixed, searched_by, owner) -> None:
    pages = Page.objects.all()
    newest = [p.title for p in pages.order_by("-pk")[:20]]
    assert search_titles(searched_by, owner, order=PageOrder.NEWEST) == newest
    taus = [Page.objects.get(title=t).topicality for t in search_titles(searched_by, owner)]
    assert taus == sorted(taus, reverse=True)
    last = find(CollectionSearch().within(searched_by(owner)), screen=2).rows[-1].page
    assert Page.objects.get(pk=last).topicality is None


VERDICTS = st.lists(st.sampled_from(["3of3", "2of3", "not", "none"]), max_size=2, unique=True)
ROLES = st.lists(st.sampled_from([Role.TARGET, Role.SEED]), max_size=2, unique=True)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    verdicts=VERDICTS,
    relevant=st.booleans(),
    roles=ROLES,
    without=ROLES,
    hosts=st.lists(st.sampled_from(["h0.test", "h1.test", "no.test"]), max_size=2, unique=True),
    tau=st.sampled_from([(0, 20), (7, 20), (0, 12), (9, 10), (19, 20), (0, 1)]),
    answers=st.lists(st.sampled_from([200, 203, 404]), max_size=2, unique=True),
    status=st.sampled_from([None, 0.5, 1.5]),
    day=st.sampled_from([None, 5, 15]),
)
def test_list_counts_and_downloads_agree_with_a_look_at_every_page(
    mixed, searched_by, owner, verdicts, relevant, roles, without, hosts, tau, answers, status, day
) -> None:
    searched = searched_by(owner)
    filters = asked(
        urlencode(
            {
                "verdict": [*verdicts, *(["relevant"] if relevant else [])],
                "role": roles,
                "without": without,
                "host": hosts,
                "http": answers,
                "tau_from": tau[0] / 20,
                "tau_to": tau[1] / 20,
                "status_from": "" if status is None else status,
                "since": "" if day is None else f"2026-05-{day:02}",
            },
            doseq=True,
        )
    )

    def wanted(page: Page) -> bool:
        verdict = (
            "none" if page.relevant is None else (f"{page.votes}of3" if page.relevant else "not")
        )
        step = -1 if page.topicality is None else min(19, int(page.topicality * 20))
        return (
            (
                (not verdicts and not relevant)
                or verdict in verdicts
                or (relevant and bool(page.relevant))
            )
            and (not roles or any(getattr(page, role) for role in roles))
            and not any(getattr(page, role) for role in without)
            and (not hosts or page.host in hosts)
            and (not answers or page.http_status in answers)
            and (tau == (0, 20) or tau[0] <= step < tau[1])
            and (status is None or page.status >= status)
            and (day is None or page.fetched_at.day >= day)
        )

    expected = [p.pk for p in Page.objects.order_by("crawl_id", "seq") if wanted(p)]
    assert list(matching_pages(filters.within(searched))) == expected
    counts = facets(filters.within(searched))
    assert counts.pages == count(filters.within(searched)).pages == len(expected)
    hits = find(filters.within(searched), size=100)
    assert {hit.page for hit in hits.rows} == set(expected)
    assert hits.number_listed == len(expected)
    assert asked(filters.query()) == filters


def test_a_filters_counts_leave_itself_out(mixed, searched_by, owner) -> None:
    searched = searched_by(owner)
    everything = facets(CollectionSearch().within(searched))
    chosen = facets(asked("verdict=3of3&host=h0.test").within(searched))
    assert everything.pages == 40
    assert chosen.of(VERDICT) == facets(asked("host=h0.test").within(searched)).of(VERDICT)
    assert (
        chosen.of(HOST)["h1.test"]
        == facets(asked("verdict=3of3").within(searched)).of(HOST)["h1.test"]
    )
    assert sum(everything.of(TOPICALITY).values()) == 38
    assert sum(everything.of(CRAWL).values()) == 40


MEANINGLESS = (
    ("verdict=9of", "“9of” is not a verdict"),
    ("crawl=x", "“x” is not the number of a crawl of this collection"),
    ("crawl=99999999999999999999", "is not the number of a crawl"),
    ("tau_from=nan", "“nan” is not a topicality; it lies between 0 and 1"),
    ("tau_to=inf", "“inf” is not a topicality"),
    ("since=2026-13-40", "“2026-13-40” is not a day; write it as 2026-05-01."),
    ("order=worst", "“worst” is not an order"),
    ("q=(((", "“(((” has no word or number to look for"),
    ("q=OR", "“OR” has no word or number to look for"),
    ("role=king", "“king” is not a role"),
    ("status_from=1e999", "“1e999” is not a number."),
    ("label=maybe", "“maybe” is not a label"),
    ("http=abc", "“abc” is not an HTTP status"),
    ("http=7", "“7” is not an HTTP status; it has three digits"),
)


def test_filters_that_mean_nothing_filter_nothing_and_are_named(mixed, searched_by, owner) -> None:
    searched = searched_by(owner)
    for query, sentence in MEANINGLESS:
        address = QueryDict(query)
        filters = CollectionSearch.read(address)
        assert count(filters.within(searched)).pages == 40, query
        (wrong,) = filters.within(searched).misread(address)
        assert wrong.field == query.partition("=")[0]
        assert sentence in wrong.message


def test_empty_and_unknown_fields_are_no_mistake(mixed, searched_by, owner) -> None:
    searched = searched_by(owner)
    for query in ("host=", "tau_from=", "page=-3", "q=%00", "x=y"):
        address = QueryDict(query)
        assert CollectionSearch.read(address, searched).misread(address) == (), query
        assert count(CollectionSearch.read(address).within(searched)).pages == 40


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("status_from=2&status_to=1", "No status is at least 2 and at most 1."),
        ("since=2026-05-09&until=2026-05-01", "No day is since 2026-05-09 and until 2026-05-01."),
    ],
)
def test_contradictions_are_named(mixed, searched_by, owner, query, sentence) -> None:
    address, searched = QueryDict(query), searched_by(owner)
    assert [
        wrong.message for wrong in CollectionSearch.read(address, searched).misread(address)
    ] == [sentence]


def test_an_address_is_taken_for_its_host() -> None:
    assert asked("host=https://H1.test/a/b&host=h2.test").of(HOST) == ("h1.test", "h2.test")
