"""The search of a recorded web's pages, checked page by page on a small web."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.http import QueryDict
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.engine.errors import BadWebFile
from apps.search.host import HOST
from apps.webs.labels import label_counts
from apps.webs.links import count_links
from apps.webs.models import Web
from apps.webs.pages.facet_cache import FacetCache
from apps.webs.pages.filters.inlinks import INLINKS
from apps.webs.pages.filters.label import LABEL
from apps.webs.pages.filters.label_tree import UNLABELLED
from apps.webs.pages.filters.topic import TOPIC, UNUSED
from apps.webs.pages.filters.words import STEPS, WORDS
from apps.webs.pages.indexing import index_path, is_indexed, remove_index, write_index
from apps.webs.pages.search import PageSearch, WebPageOrder
from apps.webs.pages.searching import PageFacets, PageIndex
from tests.webs.pages.searches import page_search


def search_titles(web: Web, **filters: object) -> list[str]:
    """The titles of the pages that a search brings, in their order."""
    with PageIndex(web) as index:
        return [page.title for page in index.find(page_search(**filters), slice(0, 50))]


@pytest.mark.parametrize(
    ("words", "pages"),
    [
        ("site:wings.test", ["Barn owl", "Great auk"]),
        ("site:test -site:wings.test title:oak", ["Oak"]),
        ("title:owl OR site:fields.test -url:map", ["Barn owl", "Oak", "Fern"]),
        ("title:a*", ["Great auk"]),
        ("nest*", ["Barn owl", "Oak"]),
    ],
)
def test_the_language_is_that_of_a_collection(web: Web, words: str, pages: list[str]) -> None:
    assert sorted(search_titles(web, words=words, order=WebPageOrder.FILE)) == sorted(pages)


@pytest.mark.parametrize(
    ("words", "titles"),
    [
        ("", ["Barn owl", "Great auk", "Oak", "Fern", ""]),
        ("nest", ["Barn owl", "Oak"]),
        ("nests barns", ["Barn owl"]),
        ('"rocky islands"', ["Great auk"]),
        ('"islands rocky"', []),
        ("owl OR acorns", ["Barn owl", "Oak"]),
        ("nest -acorns", ["Barn owl"]),
        ("-nest", ["Great auk", "Fern", ""]),
        ("title:oak", ["Oak"]),
        ("-title:oak nest", ["Barn owl"]),
        ("tree title:fern", ["Fern"]),
        ("url:fields.test/", ["Oak", "Fern", ""]),
        ("-url:fields nest", ["Barn owl"]),
        ("url:auk.h", ["Great auk"]),
        ("map", [""]),
        ("http://wings.test/auk.html", ["Great auk"]),
    ],
)
def test_words_and_addresses_find_pages(web: Web, words: str, titles: list[str]) -> None:
    assert sorted(search_titles(web, words=words)) == sorted(titles)


GERMAN = (
    "Der Kauz brütet in alten Scheunen und jagt in der Nacht. Die Jungen werden im Mai gefüttert, "
    "und im Herbst verlassen sie das Nest. Der Bestand ist in vielen Ländern seit Jahren stabil."
)
DATED = '<meta property="article:published_time" content="{}">'


@pytest.mark.parametrize(
    ("words", "titles"),
    [
        ("lang:de", ["Kauz"]),
        ("lang:German OR title:oak", ["Kauz", "Oak"]),
        ("-lang:de -lang:en", ["Nothing"]),
        ("after:2022", ["Kauz"]),
        ("before:2022", ["Oak"]),
        ("-before:2022", ["Kauz", "Nothing"]),
        ("scheunen after:2022-05-03", ["Kauz"]),
        ("scheunen after:2022-05-04", []),
    ],
)
def test_pages_are_found_by_their_language_and_day(
    make_web: Callable[..., Web], words: str, titles: list[str]
) -> None:
    web = make_web(
        [
            (
                "http://a.test/1",
                f"Kauz</title>{DATED.format('2022-05-03')}",
                f"{GERMAN * 3}<!--",
                [],
            ),
            ("http://a.test/2", f"Oak</title>{DATED.format('2019-01-30')}", "An oak in the", []),
            ("http://a.test/3", "Nothing", "", []),
        ],
        "dated",
    )
    assert sorted(search_titles(web, words=words)) == titles


def test_titles_come_before_texts_and_each_order_holds(web: Web) -> None:
    assert search_titles(web, words="oak OR nests")[0] == "Oak"
    assert search_titles(web, order=WebPageOrder.TITLE) == [
        "Barn owl",
        "Fern",
        "Great auk",
        "Oak",
        "",
    ]
    assert search_titles(web, order=WebPageOrder.LONGEST)[0] == "Fern"
    assert search_titles(web, order=WebPageOrder.BEST) == search_titles(
        web, order=WebPageOrder.FILE
    )


def test_labels_hosts_and_lengths_filter_together(web: Web) -> None:
    assert search_titles(web, labels=("Birds",)) == ["Barn owl", "Great auk"]
    assert search_titles(web, labels=("Extinct", "Plants")) == ["Great auk", "Oak", "Fern"]
    assert search_titles(web, labels=(UNLABELLED,)) == [""]
    assert search_titles(web, labels=(UNLABELLED, "Extinct")) == ["Great auk", ""]
    trees = search_titles(web, hosts=("fields.test",), labels=("Plants",), words="tree")
    assert sorted(trees) == ["Fern", "Oak"]
    assert search_titles(web, words_to=0) == [""]
    assert search_titles(web, words_from=100, words_to=499) == ["Fern"]
    assert search_titles(web, words_from=1, words_to=99, labels=("Birds",)) == [
        "Barn owl",
        "Great auk",
    ]
    assert search_titles(web, words_from=500) == []
    assert search_titles(web, labels=("Brids",)) == []


@pytest.fixture
def school(make_web) -> Web:
    """A web whose labels are paths."""
    return make_web(
        [
            ("http://s.test/owl", "Owl", "<p>An owl", ["Science/Biology/Birds", "Science/Food"]),
            ("http://s.test/oak", "Oak", "<p>An oak", ["Science/Biology/Plants"]),
            ("http://s.test/iron", "Iron", "<p>Iron", ["Science"]),
            ("http://s.test/scot", "Scotland", "<p>Scotland", ["Scienceless/Countries"]),
        ],
        "school",
    )


def test_a_branch_stands_for_all_labels_below_it(school: Web) -> None:
    assert search_titles(school, labels=("Science/",)) == ["Owl", "Oak", "Iron"]
    assert search_titles(school, labels=("Science",)) == ["Iron"]
    assert search_titles(school, labels=("Science/Biology/",)) == ["Owl", "Oak"]
    assert search_titles(school, labels=("Science/Food", "Scienceless/")) == ["Owl", "Scotland"]
    assert search_titles(school, labels=("Biology/",)) == []


def branches(facets: PageFacets) -> dict[str, int]:
    counts = facets.counts[LABEL.id]
    return {label: pages for label, pages in counts.items() if label.endswith("/")}


def test_a_branch_counts_each_of_its_pages_once(school: Web) -> None:
    with PageIndex(school) as index:
        everything = index.facets(page_search())
        assert branches(everything) == {"Science/": 3, "Science/Biology/": 2, "Scienceless/": 1}
        trees = index.facets(page_search(words="oak", labels=("Scienceless/",)))
        assert branches(trees) == {"Science/": 1, "Science/Biology/": 1}


def test_pages_are_filtered_by_the_topics_that_name_them(web: Web) -> None:
    used = {
        7: ["http://wings.test/owl.html", "http://fields.test/oak/"],
        9: ["http://fields.test/oak/", "http://elsewhere.test/"],
    }

    def titles(*topics: int) -> list[str]:
        return [p.title for p in index.find(page_search(topics=topics), slice(0, 9))]

    with PageIndex(web, used) as index:
        assert titles(7) == ["Barn owl", "Oak"] and titles(9) == ["Oak"]
        assert titles(UNUSED) == ["Great auk", "Fern", ""]
        assert titles(UNUSED, 9) == ["Great auk", "Oak", "Fern", ""]
        assert index.facets(page_search(topics=(9,))).counts[TOPIC.id] == {UNUSED: 3, 7: 2, 9: 1}
        assert index.facets(page_search(labels=("Birds",))).counts[TOPIC.id] == {UNUSED: 1, 7: 1}
    with PageIndex(web) as index:
        assert index.facets(page_search()).counts[TOPIC.id] == {}


def test_pages_are_filtered_by_in_links_once_these_are_counted(
    make_web: Callable[..., Web],
) -> None:
    links = "".join(f"<a href='http://a.test/{n}'>{n}</a>" for n in (1, 11))
    pages = [(f"http://a.test/{n}", f"Page {n}", links if n else "", []) for n in range(12)]
    web = make_web(pages, "linked")
    assert search_titles(web, inlinks=("10-99",)) == []
    with PageIndex(web) as index:
        assert index.facets(page_search()).counts[INLINKS.id] == {}
    assert search_titles(web, order=WebPageOrder.INLINKS) == [f"Page {n}" for n in range(12)]
    assert count_links(web)
    assert search_titles(web, inlinks=("10-99",)) == ["Page 1", "Page 11"]
    assert search_titles(web, order=WebPageOrder.INLINKS)[:3] == ["Page 1", "Page 11", "Page 0"]
    assert search_titles(web, inlinks=("none",)) == ["Page 0", *(f"Page {n}" for n in range(2, 11))]
    with PageIndex(web) as index:
        counts = [(page.inlinks, page.outlinks) for page in index.pages([0, 1, 5])]
        assert counts == [(0, 0), (10, 1), (0, 2)]
        assert index.facets(page_search()).counts[INLINKS.id] == {"none": 10, "10-99": 2}


def test_counts_are_those_of_the_search_with_every_other_filter(web: Web) -> None:
    with PageIndex(web) as index:
        everything = index.facets(page_search())
        assert (everything.pages, everything.labels) == (
            5,
            {"Birds": 2, "Plants": 2, "Extinct": 1, UNLABELLED: 1},
        )
        assert everything.counts[HOST.id] == {"fields.test": 3, "wings.test": 2}
        lengths = everything.counts[WORDS.id]
        assert sum(lengths.values()) == 5 and lengths["0"] == 1
        assert sum(lengths.get(str(step), 0) for step in STEPS[:5]) == 4
        assert branches(everything) == {}
        nesting = index.facets(page_search(words="nest", labels=("Birds",)))
        assert (nesting.pages, nesting.labels) == (1, {"Birds": 1, "Plants": 1})
        assert nesting.counts[HOST.id] == {"wings.test": 1}


SEARCHES = [
    page_search(),
    page_search(words="nest"),
    page_search(labels=("Birds",), hosts=("wings.test", "gone.test")),
    page_search(hosts=("fields.test",)),
    page_search(words="nest", topics=(UNUSED, 7)),
]
USED = {7: ["http://wings.test/owl.html"], 9: ["http://fields.test/oak/"]}


@pytest.fixture
def cache(monkeypatch: pytest.MonkeyPatch) -> FacetCache:
    """An empty cache of counts, in use."""
    empty = FacetCache(1_000)
    monkeypatch.setattr("apps.webs.pages.searching.FACETS", empty)
    return empty


def count_matched(index: PageIndex, search: PageSearch) -> list[str]:
    """The queries by which the counts of a search read all its pages."""
    queries: list[str] = []
    index._base.set_trace_callback(queries.append)
    index.facets(search)
    index.label_counts()
    return [query for query in queries if query.startswith("INSERT INTO matched")]


def test_a_search_is_counted_once_for_an_index(web: Web, cache: FacetCache) -> None:
    with PageIndex(web, USED) as index:
        assert len(count_matched(index, page_search())) == 1
        assert len(count_matched(index, page_search(labels=("Birds",), hosts=("x.test",)))) == 3
    with PageIndex(web, {7: []}) as index:
        assert count_matched(index, page_search()) == []
        assert count_matched(index, page_search(labels=("Birds",), hosts=("x.test",))) == []
    write_index(web)
    with PageIndex(web) as index:
        assert len(count_matched(index, page_search())) == 1


def test_counts_from_the_cache_are_those_counted_anew(
    web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    def facets() -> list[PageFacets]:
        with PageIndex(web, USED) as index:
            return [index.facets(search) for search in SEARCHES]

    monkeypatch.setattr("apps.webs.pages.searching.FACETS", FacetCache(0))
    anew = facets()
    monkeypatch.setattr("apps.webs.pages.searching.FACETS", FacetCache(1_000))
    assert facets() == facets() == anew
    assert anew[2].counts[HOST.id] == {"wings.test": 2, "gone.test": 0}


def test_counts_follow_topics_links_and_the_index(
    web: Web, cache: FacetCache, make_web: Callable[..., Web]
) -> None:
    def counts(used: dict[int, list[str]]) -> Mapping[str, Mapping[Any, int]]:
        with PageIndex(web, used) as index:
            return index.facets(page_search(topics=(7,))).counts

    assert counts(USED)[LABEL.id] == {"Birds": 1} and counts(USED)[INLINKS.id] == {}
    assert counts({7: ["http://fields.test/oak/"]})[LABEL.id] == {"Plants": 1}
    assert count_links(web)
    assert counts(USED)[INLINKS.id] == {"none": 1}
    with PageIndex(web) as index:
        assert index.facets(page_search()).counts[INLINKS.id] == {"none": 5}
    with sqlite3.connect(index_path(web)) as base:
        base.execute("DELETE FROM labelled WHERE page = 1")
    with PageIndex(web) as index:
        assert index.facets(page_search()).labels == {"Plants": 2, "Birds": 1, UNLABELLED: 2}


def count_steps(index: PageIndex, rows: slice) -> int:
    """The instructions of SQLite for these rows of all pages."""
    steps = 0

    def step() -> None:
        nonlocal steps
        steps += 1

    index._base.set_progress_handler(step, 1)
    index.find(page_search(), rows)
    index.numbers(page_search(), rows.stop)
    return steps


def test_the_first_rows_are_read_without_the_others(make_web: Callable[..., Web]) -> None:
    few, many = (
        make_web([(f"http://a.test/{n}", f"Page {n}", "", []) for n in range(pages)], name)
        for name, pages in (("few", 10), ("many", 100))
    )
    with PageIndex(few) as small, PageIndex(many) as large:
        assert count_steps(large, slice(0, 5)) == count_steps(small, slice(0, 5))


def test_a_page_has_what_the_web_has_of_it(web: Web) -> None:
    with PageIndex(web) as index:
        [auk] = index.find(page_search(words="auk"), slice(0, 9))
        assert (auk.number, auk.host, auk.labels) == (1, "wings.test", ("Birds", "Extinct"))
        assert index.pages([1, 99, 0])[0] == auk and len(index.pages([1, 99, 0])) == 2
        assert index.numbers(page_search(labels=("Plants",)), 9) == [2, 3]
        assert index.numbers(page_search(), 2) == [0, 1]
        assert [page.number for page in index.find(page_search(), slice(2, 4))] == [2, 3]


@pytest.mark.parametrize(
    "words",
    [
        '"',
        "''",
        "- -",
        "title:",
        "url:",
        'title:"',
        "-url:",
        "title:OR",
        "a OR",
        "NEAR(a b)",
        "*",
        "x' OR '1'='1",
        "title : x",
        "{a}",
        "^a",
        "\\",
        "url:%",
        "a AND",
        "x" * 500,
        "page_words:x",
    ],
)
def test_no_search_is_an_error(web: Web, words: str) -> None:
    filters = PageSearch.read(query(q=words))
    with PageIndex(web) as index:
        assert index.count(filters) == len(index.numbers(filters, 9)) == index.facets(filters).pages


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(words=st.text(max_size=30))
def test_whatever_is_typed_is_answered(web: Web, words: str) -> None:
    with PageIndex(web) as index:
        index.facets(PageSearch.read(query(q=words)))


def query(**values: str) -> QueryDict:
    made = QueryDict(mutable=True)
    made.update(values)
    return made


def test_a_search_stands_in_its_address() -> None:
    search = page_search(
        "a b",
        labels=("Birds", UNLABELLED),
        hosts=("x.test",),
        words_from=10,
        words_to=99,
        inlinks=("1-9",),
        topics=(7, UNUSED),
        order=WebPageOrder.TITLE,
    )
    assert PageSearch.read(QueryDict(search.query())) == search
    assert PageSearch.read(QueryDict("order=up&length=9&host=+&q=%00")) == page_search()


def test_an_index_of_another_version_or_none_is_not_read(
    make_web: Callable[..., Web], web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = index_path(web)
    monkeypatch.setattr("apps.webs.pages.indexing.VERSION", 1_000)
    assert not is_indexed(web)
    with pytest.raises(BadWebFile, match="not indexed yet"):
        PageIndex(web)
    write_index(web)
    assert is_indexed(web) and not old.exists()
    remove_index(web.pk)
    assert not is_indexed(web)


def test_what_no_database_holds_is_replaced(make_web: Callable[..., Web]) -> None:
    web = make_web([("http://a.test/", "A \ud800 B", "x\0y \ud800", ["L\ud800"])], "odd")
    with PageIndex(web) as index:
        [page] = index.find(page_search(words="B"), slice(0, 9))
        assert (page.title, page.labels) == ("A ? B", ("L?",))
    assert label_counts(web) == {"L?": 1}


def test_an_index_that_is_cut_off_leaves_nothing(web: Web) -> None:
    remove_index(web.pk)
    assert not write_index(web, lambda done: False)
    assert not is_indexed(web) and list(index_path(web).parent.iterdir()) == []
