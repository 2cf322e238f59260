from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from apps.crawls.packing import pack_numbers, unpack_those_with

NUMBERS = st.one_of(st.integers(0, 2), st.sampled_from([256, 513, 65_536, 2**24, 2**31 - 1]))


@given(st.lists(st.lists(NUMBERS, max_size=6), max_size=6), NUMBERS)
def test_rows_with_a_number_are_found_also_where_others_have_its_bytes(
    rows: list[list[int]], number: int
) -> None:
    unpacked = unpack_those_with(number, map(pack_numbers, rows))
    assert [links.tolist() for links in unpacked] == [row for row in rows if number in row]
