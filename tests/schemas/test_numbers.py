"""Numbers that people send as text."""

from __future__ import annotations

import pytest

from apps.schemas.numbers import whole_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("7", 7),
        ("007", 7),
        ("9" * 18, 10**18 - 1),
        ("9" * 19, None),
        ("9" * 5000, None),
        ("", None),
        ("²", None),
        ("٣", None),
        ("-1", None),
        (" 1", None),
        ("1.0", None),
    ],
)
def test_it_reads_digits_that_any_database_can_hold(text: str, number: int | None) -> None:
    assert whole_number(text) == number
