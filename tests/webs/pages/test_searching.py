"""The search of a recorded web's pages, checked page by page on a small web."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.http import QueryDict
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.engine.errors import BadWebFile
from apps.webs.labels import label_counts
from apps.webs.links import count_links
from apps.webs.models import Web
from apps.webs.pages.filters import UNLABELLED, UNUSED, Order, PageFilters, read_filters
from apps.webs.pages.indexing import index_path, is_indexed, remove_index, write_index
from apps.webs.pages.searching import PageIndex


def found(web: Web, **filters: object) -> list[str]:
    """The titles found, in their order."""
    with PageIndex(web) as index:
        return [page.title for page in index.find(PageFilters(**filters), slice(0, 50))]


@pytest.mark.parametrize(("words", "titles"), [
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
])
def test_words_and_addresses_find_pages(web: Web, words: str, titles: list[str]) -> None:
    assert sorted(found(web, words=words)) == sorted(titles)


def test_titles_come_before_texts_and_each_order_holds(web: Web) -> None:
    assert found(web, words="oak OR nests")[0] == "Oak"
    assert found(web, order=Order.TITLE) == ["Barn owl", "Fern", "Great auk", "Oak", ""]
    assert found(web, order=Order.LONGEST)[0] == "Fern"
    assert found(web, order=Order.BEST) == found(web, order=Order.FILE)


def test_labels_hosts_and_lengths_filter_together(web: Web) -> None:
    assert found(web, labels=("Birds",)) == ["Barn owl", "Great auk"]
    assert found(web, labels=("Extinct", "Plants")) == ["Great auk", "Oak", "Fern"]
    assert found(web, labels=(UNLABELLED,)) == [""]
    assert found(web, labels=(UNLABELLED, "Extinct")) == ["Great auk", ""]
    trees = found(web, hosts=("fields.test",), labels=("Plants",), words="tree")
    assert sorted(trees) == ["Fern", "Oak"]
    assert found(web, words_to=0) == [""]
    assert found(web, words_from=100, words_to=499) == ["Fern"]
    assert found(web, words_from=1, words_to=99, labels=("Birds",)) == ["Barn owl", "Great auk"]
    assert found(web, words_from=500) == []
    assert found(web, labels=("Brids",)) == []


@pytest.fixture
def school(make_web) -> Web:
    """A web whose labels are paths."""
    return make_web([
        ("http://s.test/owl", "Owl", "<p>An owl", ["Science/Biology/Birds", "Science/Food"]),
        ("http://s.test/oak", "Oak", "<p>An oak", ["Science/Biology/Plants"]),
        ("http://s.test/iron", "Iron", "<p>Iron", ["Science"]),
        ("http://s.test/scot", "Scotland", "<p>Scotland", ["Scienceless/Countries"]),
    ], "school")  # fmt: skip


def test_a_branch_stands_for_all_labels_below_it(school: Web) -> None:
    assert found(school, labels=("Science/",)) == ["Owl", "Oak", "Iron"]
    assert found(school, labels=("Science",)) == ["Iron"]
    assert found(school, labels=("Science/Biology/",)) == ["Owl", "Oak"]
    assert found(school, labels=("Science/Food", "Scienceless/")) == ["Owl", "Scotland"]
    assert found(school, labels=("Biology/",)) == []


def test_a_branch_counts_each_of_its_pages_once(school: Web) -> None:
    with PageIndex(school) as index:
        everything = index.facets(PageFilters())
        assert everything.branches == {"Science/": 3, "Science/Biology/": 2, "Scienceless/": 1}
        trees = index.facets(PageFilters(words="oak", labels=("Scienceless/",)))
        assert trees.branches == {"Science/": 1, "Science/Biology/": 1}


def test_pages_are_filtered_by_the_topics_that_name_them(web: Web) -> None:
    used = {7: ["http://wings.test/owl.html", "http://fields.test/oak/"],
            9: ["http://fields.test/oak/", "http://elsewhere.test/"]}

    def titles(*topics: int) -> list[str]:
        return [p.title for p in index.find(PageFilters(topics=topics), slice(0, 9))]

    with PageIndex(web, used) as index:
        assert titles(7) == ["Barn owl", "Oak"] and titles(9) == ["Oak"]
        assert titles(UNUSED) == ["Great auk", "Fern", ""]
        assert titles(UNUSED, 9) == ["Great auk", "Oak", "Fern", ""]
        assert index.facets(PageFilters(topics=(9,))).topics == {UNUSED: 3, 7: 2, 9: 1}
        assert index.facets(PageFilters(labels=("Birds",))).topics == {UNUSED: 1, 7: 1}
    with PageIndex(web) as index:
        assert index.facets(PageFilters()).topics == {}


def test_pages_are_filtered_by_in_links_once_these_are_counted(
    make_web: Callable[..., Web],
) -> None:
    links = "".join(f"<a href='http://a.test/{n}'>{n}</a>" for n in (1, 11))
    pages = [(f"http://a.test/{n}", f"Page {n}", links if n else "", []) for n in range(12)]
    web = make_web(pages, "linked")
    assert found(web, inlinks=("10-99",)) == []
    with PageIndex(web) as index:
        assert index.facets(PageFilters()).inlinks == {}
    assert found(web, order=Order.INLINKS) == [f"Page {n}" for n in range(12)]
    assert count_links(web)
    assert found(web, inlinks=("10-99",)) == ["Page 1", "Page 11"]
    assert found(web, order=Order.INLINKS)[:3] == ["Page 1", "Page 11", "Page 0"]
    assert found(web, inlinks=("none",)) == ["Page 0", *(f"Page {n}" for n in range(2, 11))]
    with PageIndex(web) as index:
        counts = [(page.inlinks, page.outlinks) for page in index.pages([0, 1, 5])]
        assert counts == [(0, 0), (10, 1), (0, 2)]
        assert index.facets(PageFilters()).inlinks == {"none": 10, "10-99": 2}


def test_counts_are_those_of_the_search_with_every_other_filter(web: Web) -> None:
    with PageIndex(web) as index:
        everything = index.facets(PageFilters())
        assert (everything.found, everything.labels) == (
            5, {"Birds": 2, "Plants": 2, "Extinct": 1, UNLABELLED: 1})
        assert everything.hosts == {"fields.test": 3, "wings.test": 2}
        assert sum(everything.lengths) == 5 and everything.lengths[0] == 1
        assert sum(everything.lengths[:5]) == 4 and everything.branches == {}
        nesting = index.facets(PageFilters(words="nest", labels=("Birds",)))
        assert (nesting.found, nesting.labels) == (1, {"Birds": 1, "Plants": 1})
        assert nesting.hosts == {"wings.test": 1}


def test_a_page_has_what_the_web_says_of_it(web: Web) -> None:
    with PageIndex(web) as index:
        [auk] = index.find(PageFilters(words="auk"), slice(0, 9))
        assert (auk.number, auk.host, auk.labels) == (1, "wings.test", ("Birds", "Extinct"))
        assert index.pages([1, 99, 0])[0] == auk and len(index.pages([1, 99, 0])) == 2
        assert index.numbers(PageFilters(labels=("Plants",))) == [2, 3]
        assert [page.number for page in index.find(PageFilters(), slice(2, 4))] == [2, 3]


@pytest.mark.parametrize("words", [
    '"', "''", "- -", "title:", "url:", 'title:"', "-url:", "title:OR", "a OR", "NEAR(a b)", "*",
    "x' OR '1'='1", "title : x", "{a}", "^a", "\\", "url:%", "a AND", "x" * 500, "page_words:x",
])
def test_no_search_is_an_error(web: Web, words: str) -> None:
    filters = read_filters(query(q=words))
    with PageIndex(web) as index:
        assert index.count(filters) == len(index.numbers(filters)) == index.facets(filters).found


@settings(max_examples=60, deadline=None,
          suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(words=st.text(max_size=30))
def test_whatever_is_typed_is_answered(web: Web, words: str) -> None:
    with PageIndex(web) as index:
        index.facets(read_filters(query(q=words)))


def query(**values: str) -> QueryDict:
    made = QueryDict(mutable=True)
    made.update(values)
    return made


def test_a_search_stands_in_its_address() -> None:
    search = PageFilters("a b", ("Birds", UNLABELLED), ("x.test",), 10, 99, ("1-9",),
                         (7, UNUSED), Order.TITLE)
    assert read_filters(QueryDict(search.query())) == search
    assert read_filters(QueryDict("order=up&length=9&host=+&q=%00")) == PageFilters()


def test_an_index_of_another_version_or_none_is_not_read(
    make_web: Callable[..., Web], web: Web, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = index_path(web)
    monkeypatch.setattr("apps.webs.pages.indexing.VERSION", 2)
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
        [page] = index.find(PageFilters(words="B"), slice(0, 9))
        assert (page.title, page.labels) == ("A ? B", ("L?",))
    assert label_counts(web) == {"L?": 1}


def test_an_index_that_is_cut_off_leaves_nothing(web: Web) -> None:
    remove_index(web.pk)
    assert not write_index(web, lambda done: False)
    assert not is_indexed(web) and list(index_path(web).parent.iterdir()) == []
