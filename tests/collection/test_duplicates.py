"""Near-duplicates are folded, and only they."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from apps.collection.filters import Filters
from apps.collection.models import Entry
from apps.collection.selectors import Others, duplicates, find
from apps.collection.simhash import bands, distance, simhash
from tests.collection.conftest import store

DRAW = random.Random(3)
WORDS = [f"word{i}" for i in range(4000)]


def prose(n: int = 300) -> str:
    return " ".join(DRAW.choices(WORDS, k=n))


def shown(scope_of, owner, filters: Filters = Filters()) -> list[int]:
    return sorted(hit.page for hit in find(scope_of(owner), filters, size=100).rows)


def test_pages_that_say_nearly_the_same_are_shown_once(crawl, scope_of, owner) -> None:
    text = prose()
    first, second, other = store(
        crawl, {"text": text}, {"text": f"{text} printed yesterday"}, {"text": prose()}
    )
    hits = find(scope_of(owner), Filters())
    assert {hit.page for hit in hits.rows} == {first.pk, other.pk}
    assert hits.shown == 2
    assert duplicates(scope_of(owner), hits.rows) == {first.pk: Others(1, (second,))}


def test_the_first_that_the_filters_leave_is_shown(crawl, scope_of, owner) -> None:
    text = prose()
    pages = store(crawl, {"text": text, "relevant": False}, {"text": text}, {"text": text})
    assert shown(scope_of, owner) == [pages[0].pk]
    assert shown(scope_of, owner, Filters(relevant=True)) == [pages[1].pk]


def test_one_address_in_two_crawls_is_one_page(crawl, other_crawl, scope_of, owner) -> None:
    (first,) = store(crawl, {"url": "http://a.test/x", "text": prose()})
    store(other_crawl, {"url": "http://a.test/x", "text": prose()})
    assert shown(scope_of, owner) == [first.pk]


def test_canonical_addresses_fold_versions_but_not_other_pages(crawl, scope_of, owner) -> None:
    text = prose(600)
    changed = " ".join(text.split()[:570] + prose(30).split())
    home, version, liar = store(
        crawl,
        {"url": "http://a.test/", "text": text},
        {"url": "http://a.test/?print", "text": changed, "canonical": "http://a.test/"},
        {"url": "http://a.test/else", "text": prose(), "canonical": "http://a.test/"},
    )
    assert shown(scope_of, owner) == [home.pk, liar.pk]
    assert Entry.objects.get(page_id=version.pk).fold == home.pk


def test_pages_without_words_are_no_duplicates_of_each_other(crawl, scope_of, owner) -> None:
    pages = store(crawl, {"text": "", "title": "A"}, {"text": "", "title": "B"})
    assert shown(scope_of, owner) == [page.pk for page in pages]


def test_short_texts_must_be_the_same(crawl, scope_of, owner) -> None:
    pages = store(crawl, *[{"text": f"Report number {n}"} for n in ("one", "two", "one")])
    assert shown(scope_of, owner) == [pages[0].pk, pages[1].pk]


def test_groups_do_not_depend_on_the_chunks(crawl, scope_of, owner, monkeypatch) -> None:
    monkeypatch.setattr("apps.collection.indexing.INDEXED_AT_ONCE", 2)
    text = prose()
    pages = store(crawl, *[{"text": text if i % 2 else prose()} for i in range(8)])
    expected = [pages[0].pk, pages[1].pk, pages[2].pk, pages[4].pk, pages[6].pk]
    assert shown(scope_of, owner) == expected


@given(st.integers(0, 2**64 - 1), st.sets(st.integers(0, 63), max_size=3))
def test_near_fingerprints_share_a_band(bits: int, flips: set[int]) -> None:
    other = bits
    for flip in flips:
        other ^= 1 << flip
    one, two = (value - 2**64 if value >= 2**63 else value for value in (bits, other))
    assert distance(one, two) == len(flips)
    assert set(enumerate(bands(one))) & set(enumerate(bands(two)))


def test_fingerprints_are_the_same_everywhere() -> None:
    assert simhash("the quick brown fox jumps over the lazy dog".split()) == -5695492415243798426
    assert simhash([]) == 0
