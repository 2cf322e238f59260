"""Days as people write them in searches."""

from __future__ import annotations

from datetime import date

import pytest

from apps.search.days import first_day, last_day, shortest_first, shortest_last


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2026", date(2026, 1, 1), date(2026, 12, 31)),
        ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        ("2026-12", date(2026, 12, 1), date(2026, 12, 31)),
        ("2026-05-09", date(2026, 5, 9), date(2026, 5, 9)),
        ("9998", date(9998, 1, 1), date(9998, 12, 31)),
    ],
)
def test_a_year_and_a_month_have_a_first_and_a_last_day(text, first, last) -> None:
    assert (first_day(text), last_day(text)) == (first, last)
    assert (shortest_first(first), shortest_last(last))[text.count("-") == 2] == text


@pytest.mark.parametrize(
    "text", ["", "26", "2026-13", "2026-02-30", "May 2026", "0000", "２０２６"]
)
def test_other_texts_are_no_days(text) -> None:
    assert first_day(text) is last_day(text) is None


def test_the_last_year_has_no_end() -> None:
    assert first_day("9999") == date(9999, 1, 1) and last_day("9999") is None
