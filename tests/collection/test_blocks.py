"""Keys in blocks."""

from __future__ import annotations

from apps.collection.blocks import in_blocks


def test_the_last_block_is_shorter_and_none_is_empty() -> None:
    assert list(in_blocks(range(5), 2)) == [[0, 1], [2, 3], [4]]
    assert list(in_blocks([1, 2], 2)) == [[1, 2]]
    assert list(in_blocks([], 2)) == []
