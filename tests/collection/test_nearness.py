"""Pages nearest to words or to pages, among those that the rest of a search lets pass."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from apps.collection.facets import facets
from apps.collection.filters.label import LABEL
from apps.collection.filters.near import NEAR
from apps.collection.models import Entry
from apps.collection.nearness import basis_words, nearness_problem
from apps.collection.search import CollectionSearch, PageOrder
from apps.collection.searched_crawls import SearchedCrawls
from apps.collection.selectors import Hit, count, find, look, matching_pages
from apps.collection.vectors.page_vectors import vectors_of, vectors_of_topic
from apps.collection.withholding import hide_pages
from apps.crawls.models import Page
from apps.search.host import HOST
from tests.collection_fixtures import store
from tests.near_pages import add_pages, make_vectors, page_of


@pytest.fixture
def asked(crawl, searched_by, owner):
    """The search of an address, in the topic's collection."""
    return lambda query: CollectionSearch.read(QueryDict(query), searched_by(owner))


def titles(hits: tuple[Hit, ...]) -> list[str]:
    pages = Page.objects.in_bulk([hit.page for hit in hits])
    return [pages[hit.page].title for hit in hits]


def groups(search: CollectionSearch) -> list[str]:
    """The group of each page in the order of the list."""
    return [title.split()[0] for title in titles(find(search).rows)]


def test_words_bring_the_pages_of_their_group_nearest_first(crawl, asked) -> None:
    add_pages(crawl, bread=6, sea=6, clocks=6)
    search = asked("near=a+loaf+of+rye&nearest=8")
    hits = find(search).rows
    assert groups(search)[:6] == ["bread"] * 6
    similar = [hit.similarity for hit in hits]
    assert len(hits) == 8 and similar == sorted(similar, reverse=True)
    assert similar[5] > 0.3 > similar[6]
    assert search.order_in_effect is PageOrder.NEAREST


def test_more_like_three_pages_without_them_and_their_near_duplicates(crawl, asked) -> None:
    add_pages(crawl, bread=6, sea=6)
    store(crawl, {"title": "copy 1", "html": page_of("sea", 1)})
    make_vectors(crawl)
    one, two, three = (f"like={crawl.pk}-{seq}" for seq in (7, 8, 9))
    assert Entry.objects.get(seq=13).fold
    search = asked(f"{one}&{two}&{three}&nearest=3")
    assert sorted(titles(find(search).rows)) == ["sea 4", "sea 5", "sea 6"]
    mixed = asked(f"near=yeast&like={crawl.pk}-1&nearest=5")
    assert set(groups(mixed)) == {"bread"}


def test_the_nearest_are_those_of_the_pages_that_pass_everything_else(crawl, asked) -> None:
    pages = add_pages(crawl, bread=6, sea=6)
    asked("")  # marks the labels, which are given here without
    Entry.objects.filter(page_id__in=[page.pk for page in pages[:5]]).update(label=True)
    search = asked("near=loaf&nearest=3&label=none")
    assert groups(search) == ["bread", "sea", "sea"]
    assert count(search).pages == 3 and len(matching_pages(search)) == 3
    words = asked("near=loaf&nearest=3&q=eelgrass")
    assert set(groups(words)) == {"sea"}
    counts = facets(search)
    assert counts.pages == 3
    assert counts.of(LABEL)["y"] == 5, "as near as the last one listed"
    assert counts.of(HOST) == {"a.test": 3}


def test_another_order_shows_the_nearest_by_it_with_their_similarity(crawl, asked) -> None:
    add_pages(crawl, bread=6, sea=6)
    hits = find(asked("near=loaf&nearest=6&order=newest")).rows
    assert titles(hits) == [f"bread {n}" for n in range(6, 0, -1)]
    assert all(hit.similarity is not None for hit in hits)
    assert look(asked("q=loaf")).hits.rows[0].similarity is None


def test_it_equals_all_cosines_sorted(crawl, asked) -> None:
    add_pages(crawl, bread=5, sea=5, clocks=5)
    seen = find(asked(f"like={crawl.pk}-3&nearest=14")).rows
    assert len(seen) == 14
    row = vectors_of_topic(crawl.topic_id)
    keys = sorted(Entry.objects.values_list("page_id", flat=True))
    vectors = vectors_of(keys, row.version)
    cosines = dict(zip(keys, vectors @ vectors[2], strict=True))
    expected = sorted((k for k in keys if k != keys[2]), key=lambda k: (-cosines[k], k))
    assert [hit.page for hit in seen] == expected
    assert [hit.similarity for hit in seen] == pytest.approx(
        [cosines[k] for k in expected], abs=2e-3
    )


def test_a_hidden_page_is_neither_listed_nor_a_page_to_be_near_to(crawl, asked) -> None:
    pages = add_pages(crawl, bread=6, sea=6)
    hide_pages(crawl, [pages[1].pk])
    assert "bread 2" not in titles(find(asked("near=loaf&nearest=12")).rows)
    query = QueryDict(f"like={crawl.pk}-2")
    search = asked(query.urlencode())
    (wrong,) = search.misread(query)
    assert (wrong.field, wrong.message) == (
        "like",
        f"“{crawl.pk}-2” is not a page of this collection.",
    )
    assert not find(search).rows


def test_a_page_of_a_crawl_that_one_may_not_see_is_no_page(
    crawl, stranger, searched_by, owner
) -> None:
    add_pages(crawl, bread=6, sea=6)
    search = CollectionSearch.read(QueryDict(f"like={crawl.pk}-2"), SearchedCrawls(crawl.topic, ()))
    assert nearness_problem(search.context, search.of(NEAR))
    assert not find(search).rows


def test_what_cannot_be_compared_is_named(crawl, asked) -> None:
    query = QueryDict("near=loaf")
    (early,) = asked("near=loaf").misread(query)
    assert "No page can be compared yet" in early.message
    add_pages(crawl, bread=6, sea=6)
    assert not asked("near=loaf").misread(query)
    (unknown,) = asked("near=zeppelin").misread(QueryDict("near=zeppelin"))
    assert unknown.field == "near" and "None of these words is among" in unknown.message
    assert find(asked("near=zeppelin")).rows == ()


def test_the_screen_names_by_what_pages_are_compared_and_how_many_are_ready(
    crawl, searched_by, owner
) -> None:
    assert "No page can be compared yet" in basis_words(searched_by(owner))
    add_pages(crawl, bread=6, sea=6)
    words = basis_words(searched_by(owner))
    assert "latent semantic analysis" in words and "CRAWLSITE_WORD_VECTORS" in words
    assert "prepared so far" not in words
    store(crawl, {"html": page_of("sea", 9)})
    assert "12 of 13 pages are prepared so far." in basis_words(searched_by(owner))
