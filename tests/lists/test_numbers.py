"""Whole numbers as either locale writes them."""

from __future__ import annotations

import pytest

from apps.lists.numbers import LARGEST, read_numbers


@pytest.mark.parametrize(
    ("cells", "numbers"),
    [
        (["10", "20"], [10, 20]),
        (["1,234", "2,234,567"], [1_234, 2_234_567]),
        (["1.234", "12.345"], [1_234, 12_345]),
        (["1 234", "12’345", "1\u00a0234"], [1_234, 12_345, 1_234]),
        (["10.0", "20.000"], [10, 20]),
        (["10,0", "1.234,00", "1,234.0"], [10, 1_234, 1_234]),
        (['"7"', " 8 "], [7, 8]),
        (["-1", "1.5", "", "many", "1e5", "²"], [None] * 6),
        ([str(LARGEST), str(LARGEST + 1)], [LARGEST, None]),
    ],
)
def test_the_numbers_of_a_column(cells: list[str], numbers: list[int | None]) -> None:
    assert read_numbers(cells) == numbers
