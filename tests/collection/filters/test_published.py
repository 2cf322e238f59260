"""Pages by day of publication and language, in filters, in the search's own words and in order."""

from __future__ import annotations

from datetime import date

import pytest
from django.http import QueryDict

from apps.collection.filters.language import LANGUAGE
from apps.collection.filters.published import PUBLISHED
from apps.collection.models import UNDETERMINED, Entry
from apps.collection.search import CollectionSearch
from apps.collection.selectors import look
from apps.search.published import UNDATED, month_number
from tests.collection_fixtures import store

DAYS = [date(2022, 5, 3), date(2024, 2, 1), date(2024, 12, 31), None, None]
LANGUAGES = ["de", "en", "de", UNDETERMINED, ""]


@pytest.fixture
def search(crawl, searched_by, owner):
    store(crawl, *[{"text": f"heat pump w{n}"} for n in range(5)])
    for entry, day, language in zip(Entry.objects.order_by("seq"), DAYS, LANGUAGES, strict=True):
        entry.language, entry.published = language, day
        entry.published_month = month_number(day) if day else UNDATED
        entry.save()
    Entry.objects.filter(seq=5).update(language="", published_month=None)
    searched = searched_by(owner)
    return lambda query: CollectionSearch.read(QueryDict(query), searched)


def pages(search) -> list[int]:
    seqs = dict(Entry.objects.values_list("page_id", "seq"))
    return [seqs[hit.page] for hit in look(search).hits.rows]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("dated_from=2024", [2, 3]),
        ("dated_to=2024-02", [1, 2]),
        ("dated_from=2022-05-04&dated_to=2024-02-01", [2]),
        ("dated_from=2024&undated=1", [2, 3, 4]),
        ("dated_from=2024&unread=1", [2, 3, 5]),
        ("undated=1", [4]),
        ("unread=1", [5]),
        ("undated=1&unread=1", [4, 5]),
        ("language=unread", [5]),
        ("language=de", [1, 3]),
        ("language=de&language=unsure", [1, 3, 4]),
        ("language=German", [1, 3]),
        ("q=pump+lang:de", [1, 3]),
        ("q=lang:de+OR+lang:unknown", []),
        ("q=-lang:de", [2, 4, 5]),
        ("q=after:2024", [2, 3]),
        ("q=before:2024", [1]),
        ("q=pump+after:2022-05-03+before:2024-12-31", [1, 2]),
        ("q=-before:2024", [2, 3, 4, 5]),
    ],
)
def test_pages_by_day_and_language(search, query, expected) -> None:
    if "unknown" in query:
        assert search(query).misread(QueryDict(query))[0].message == (
            "“unknown” is not a language; write lang:de or lang:German."
        )
        return
    assert sorted(pages(search(query))) == expected


def test_counts_are_of_the_other_filters(search) -> None:
    facets = look(search("language=de&dated_from=2024")).facets
    assert facets.of(LANGUAGE) == {"de": 1, "en": 1}
    assert facets.of(PUBLISHED) == {month_number(DAYS[0]): 1, month_number(DAYS[2]): 1}
    assert facets.pages == 1


def test_by_date_the_latest_comes_first(search) -> None:
    assert pages(search("order=published"))[:3] == [3, 2, 1]


def test_years_are_bars_and_short_ranges_have_months(search) -> None:
    panel = PUBLISHED.panel(PUBLISHED.nothing, look(search("")).facets.of(PUBLISHED))
    assert [(bar.words, bar.pages) for bar in panel.bars] == [("2022", 1), ("2023", 0), ("2024", 2)]
    assert [(name, option.words, option.count) for name, option in panel.ticks] == [
        ("undated", "no date found", 1),
        ("unread", "not read yet", 1),
    ]
    zoomed = search("dated_from=2024&dated_to=2024-06&undated=1")
    panel = PUBLISHED.panel(zoomed.of(PUBLISHED), look(zoomed).facets.of(PUBLISHED))
    assert [(bar.words, bar.pages, bar.chosen) for bar in panel.bars][1::10] == [
        ("Feb 2024", 1, True),
        ("Dec 2024", 1, False),
    ]
    assert [chip.words for chip in zoomed.chips()] == ["dated 2024–2024-06 or not at all"]


def test_what_cannot_be_a_day_is_named(search) -> None:
    query = "dated_from=2024&dated_to=2022&undated=yes"
    messages = [each.message for each in search(query).misread(QueryDict(query))]
    assert messages == ["“yes” is not 1.", "No day is from 2024 on and until 2022."]


def test_before_anything_is_read_there_is_nothing_to_choose(crawl, searched_by, owner) -> None:
    store(crawl, {"text": "heat pump"})
    seen = look(CollectionSearch().within(searched_by(owner))).facets
    assert LANGUAGE.panel((), seen.of(LANGUAGE)) is None
    assert PUBLISHED.panel(PUBLISHED.nothing, seen.of(PUBLISHED)) is None
