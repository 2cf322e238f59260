"""The pages of a web by language and day: filters, counts, orders, and the screen and the API."""

from __future__ import annotations

from datetime import date

import pytest
from django.http import QueryDict
from django.urls import reverse

from apps.search.published import UNDATED, month_number
from apps.webs.pages.filters.language import LANGUAGE
from apps.webs.pages.filters.published import PUBLISHED
from apps.webs.pages.search import PageSearch
from apps.webs.pages.searching import PageIndex
from tests.people import Program, site_of

GERMAN = (
    "Der Kauz brütet in alten Scheunen und jagt in der Nacht. Die Jungen werden im Mai gefüttert, "
    "und im Herbst verlassen sie das Nest. Der Bestand ist in vielen Ländern seit Jahren stabil."
)
DAY = '</title><meta name="dc.date" content="{}"><title>'


@pytest.fixture
def mixed(make_web):
    return make_web(
        [
            ("http://a.test/kauz", f"Kauz{DAY.format('1985-05-03')}", f"{GERMAN * 3}<!--", []),
            ("http://a.test/oak", f"Oak{DAY.format('2024-02-01')}", "An oak in the", []),
            ("http://a.test/2024/03/elm", "Elm", "An elm in the", []),
            ("http://a.test/nothing", "Nothing", "", []),
        ],
        "mixed",
    )


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("dated_from=2024", [1, 2]),
        ("dated_to=2024-02", [0, 1]),
        ("dated_from=1985-05-03&dated_to=1985-05-03", [0]),
        ("dated_from=1985-05-04&dated_to=2024-01-31", []),
        ("undated=1", [3]),
        ("dated_to=1999&undated=1", [0, 3]),
        ("language=German", [0]),
        ("language=unsure", [3]),
        ("language=en&dated_from=2024-03", [2]),
    ],
)
def test_pages_pass_by_day_and_language(mixed, query, expected) -> None:
    with PageIndex(mixed) as index:
        assert index.numbers(PageSearch.read(QueryDict(query)), 99) == expected


def test_counts_are_of_the_other_filters(mixed) -> None:
    with PageIndex(mixed) as index:
        counts = index.facets(PageSearch.read(QueryDict("language=de"))).counts
        assert counts[LANGUAGE.id] == {"de": 1, "en": 2, "": 1}
        assert counts[PUBLISHED.id] == {month_number(date(1985, 5, 1)): 1}
        every = index.facets(PageSearch()).counts[PUBLISHED.id]
        assert every[UNDATED] == 1 and every[month_number(date(2024, 3, 1))] == 1


def test_the_latest_come_first_by_date(mixed) -> None:
    with PageIndex(mixed) as index:
        search = PageSearch.read(QueryDict("order=published"))
        assert [page.number for page in index.find(search, slice(0, 9))] == [2, 1, 0, 3]


def test_the_screen_has_both_with_bars_and_a_row_names_them(owner, mixed) -> None:
    page = site_of(owner).get(reverse("webs:web", args=[mixed.pk])).content.decode()
    assert 'aria-label="1985: 1 page"' in page and 'aria-label="2024: 2 pages"' in page
    assert 'name="language" value="de"' in page and 'name="undated" value="1"' in page
    assert "<b>3 May 1985</b></span><span>German</span>" in page
    assert "<b>Mar 2024</b>" in page


def test_programs_have_them_too(owner, mixed) -> None:
    pages = Program(owner).get(f"webs/{mixed.pk}/pages", language="en", dated_from="2024")
    assert [(each["language"], each["published"]) for each in pages.json()["items"]] == [
        ("en", "2024-02-01"),
        ("en", "2024-03"),
    ]
