"""Days of the calendar from their parts."""

from __future__ import annotations

from datetime import date

import pytest

from apps.engine.parsing.calendar_days import calendar_day


@pytest.mark.parametrize(
    ("parts", "day"),
    [
        (("2026", "03", "11"), date(2026, 3, 11)),
        (("2026", "03", None), date(2026, 3, 1)),
        (("2026", None, None), date(2026, 1, 1)),
        ((2024, 2, 29), date(2024, 2, 29)),
        (("2026", "02", "29"), None),
        (("2026", "00", "05"), None),
        ((2026, 0, 5), None),
        ((0, 1, 1), None),
    ],
)
def test_a_day_of_its_parts(parts, day) -> None:
    assert calendar_day(*parts) == day
