"""Near-duplicates are folded, and only they."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from apps.collection.filters.verdict import RELEVANT, VERDICT
from apps.collection.indexing.resemblance import NEAR, are_near, bands, resemblance, sketch
from apps.collection.models import Entry
from apps.collection.search import CollectionSearch
from apps.collection.selectors import Others, duplicates, find
from tests.collection_fixtures import store

DRAW = random.Random(3)
WORDS = [f"word{i}" for i in range(4000)]


def prose(n: int = 300) -> str:
    return " ".join(DRAW.choices(WORDS, k=n))


def shown(searched_by, owner, filters: CollectionSearch = CollectionSearch()) -> list[int]:
    return sorted(hit.page for hit in find(filters.within(searched_by(owner)), size=100).rows)


def test_near_duplicates_are_shown_once(crawl, searched_by, owner) -> None:
    text = prose()
    first, second, other = store(
        crawl, {"text": text}, {"text": f"{text} printed yesterday"}, {"text": prose()}
    )
    hits = find(CollectionSearch().within(searched_by(owner)))
    assert {hit.page for hit in hits.rows} == {first.pk, other.pk}
    assert hits.number_listed == 2
    assert duplicates(searched_by(owner).sets, hits.rows) == {first.pk: Others(1, (second,))}


def test_the_first_that_the_filters_leave_is_shown(crawl, searched_by, owner) -> None:
    text = prose()
    pages = store(crawl, {"text": text, "relevant": False}, {"text": text}, {"text": text})
    assert shown(searched_by, owner) == [pages[0].pk]
    assert shown(searched_by, owner, CollectionSearch().having(VERDICT, (RELEVANT,))) == [
        pages[1].pk
    ]


def test_one_address_in_two_crawls_is_one_page_and_no_duplicate(
    crawl, other_crawl, searched_by, owner
) -> None:
    text = prose()
    store(crawl, {"url": "http://a.test/x", "text": text})
    (first,) = store(other_crawl, {"url": "http://a.test/x", "text": prose()})
    hits = find(CollectionSearch().within(searched_by(owner)))
    assert [hit.page for hit in hits.rows] == [first.pk]
    assert duplicates(searched_by(owner).sets, hits.rows) == {}
    copy, _ = store(
        other_crawl,
        {"url": "http://a.test/copy", "text": text},
        {"url": "http://a.test/copy?again", "text": text},
    )
    hits = find(CollectionSearch().within(searched_by(owner)))
    assert duplicates(searched_by(owner).sets, hits.rows)[first.pk].count == 2
    assert copy.pk in [
        page.pk for page in duplicates(searched_by(owner).sets, hits.rows)[first.pk].pages
    ]


def test_canonical_addresses_fold_versions_but_not_other_pages(crawl, searched_by, owner) -> None:
    text = prose(600)
    changed = " ".join(text.split()[:570] + prose(30).split())
    home, version, liar = store(
        crawl,
        {"url": "http://a.test/", "text": text},
        {"url": "http://a.test/?print", "text": changed, "canonical": "http://a.test/"},
        {"url": "http://a.test/else", "text": prose(), "canonical": "http://a.test/"},
    )
    assert shown(searched_by, owner) == [home.pk, liar.pk]
    assert Entry.objects.get(page_id=version.pk).fold == home.pk


def test_pages_without_words_are_no_duplicates_of_each_other(crawl, searched_by, owner) -> None:
    pages = store(crawl, {"text": "", "title": "A"}, {"text": "", "title": "B"})
    assert shown(searched_by, owner) == [page.pk for page in pages]


def test_short_texts_must_be_the_same(crawl, searched_by, owner) -> None:
    pages = store(crawl, *[{"text": f"Report number {n}"} for n in ("one", "two", "one")])
    assert shown(searched_by, owner) == [pages[0].pk, pages[1].pk]


def test_groups_do_not_depend_on_the_chunks(crawl, searched_by, owner, monkeypatch) -> None:
    monkeypatch.setattr("apps.collection.indexing.index.INDEXED_AT_ONCE", 2)
    text = prose()
    pages = store(crawl, *[{"text": text if i % 2 else prose()} for i in range(8)])
    expected = [pages[0].pk, pages[1].pk, pages[2].pk, pages[4].pk, pages[6].pk]
    assert shown(searched_by, owner) == expected


def copies(words: int, share: float, how_many: int = 40) -> list[tuple[list[str], list[str]]]:
    """Texts, and each with that share of its words changed."""
    pairs = []
    for _ in range(how_many):
        text = DRAW.choices(WORDS, k=words)
        changed = list(text)
        for position in DRAW.sample(range(words), max(1, round(words * share))):
            changed[position] = f"new{DRAW.randrange(10**6)}"
        pairs.append((text, changed))
    return pairs


def measure_recall(pairs: list[tuple[list[str], list[str]]]) -> float:
    """The share of the pairs that are near and would be compared at all."""
    return sum(
        are_near(sketch(one), len(one), sketch(other), len(other))
        and bool(set(enumerate(bands(sketch(one)))) & set(enumerate(bands(sketch(other)))))
        for one, other in pairs
    ) / len(pairs)


@pytest.mark.parametrize("words", [60, 150, 300, 1000])
def test_texts_with_one_or_five_words_of_a_hundred_changed_are_near(words: int) -> None:
    assert measure_recall(copies(words, 0.01)) == 1
    assert measure_recall(copies(words, 0.05)) >= 0.9


@pytest.mark.parametrize("words", [60, 150, 300, 1000])
def test_texts_with_a_fifth_of_their_words_changed_are_not(words: int) -> None:
    assert measure_recall(copies(words, 0.2)) == 0


@pytest.mark.parametrize("words", [5, 19, 49, 60, 300])
def test_unlike_texts_are_not(words: int) -> None:
    assert measure_recall([(prose(words).split(), prose(words).split()) for _ in range(40)]) == 0


def test_short_pages_of_one_form_are_not() -> None:
    form = "the gauge at {} on the river {} in the county of {} stood at {} centimetres at noon"
    pages = [form.format(*DRAW.sample(WORDS, 4)).split() for _ in range(40)]
    assert measure_recall(list(combinations(pages, 2))) == 0


def test_two_words_more_make_no_other_page() -> None:
    text = prose(300).split()
    assert (
        measure_recall([(text, [*text[:n], "words", "more", *text[n:]]) for n in range(0, 300, 10)])
        == 1
    )


def test_the_estimate_is_that_of_the_shingles() -> None:
    for one, other in copies(300, 0.05) + copies(300, 0.2):
        common, total = shingles(one) & shingles(other), shingles(one) | shingles(other)
        assert abs(resemblance(sketch(one), sketch(other)) - len(common) / len(total)) < 0.16
    assert 0.5 < NEAR < 0.72


def shingles(words: list[str]) -> set[tuple[str, ...]]:
    return {tuple(words[i : i + 3]) for i in range(len(words) - 2)}


def test_a_sketch_does_not_depend_on_how_much_is_hashed_at_once(monkeypatch) -> None:
    words = prose(5000).split()
    whole = sketch(words)
    monkeypatch.setattr("apps.collection.indexing.resemblance._SHINGLES_AT_ONCE", 7)
    assert (sketch(words) == whole).all()


def test_sketches_are_the_same_everywhere() -> None:
    words = "the quick brown fox jumps over the lazy dog".split()
    assert sketch(words)[:2].tolist() == [328625592, 541616273]
    assert set(sketch([]).tolist()) == {0xFFFF_FFFF}
