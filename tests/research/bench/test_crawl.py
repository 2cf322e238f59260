from __future__ import annotations

import pytest

from apps.research.bench.crawl import Mark, warm


@pytest.mark.parametrize(
    ("pages", "first"),
    [([0, 25, 50, 200, 250], 50), ([0, 20], 0), ([0, 20, 20], 0), ([0, 4, 20, 20], 4)],
)
def test_what_is_measured_begins_after_a_fifth_of_the_pages(pages: list[int], first: int) -> None:
    marks: list[Mark] = [(n, 0.1 * n, 0.0, 0.1 * n, 0.2 * n) for n in pages]
    assert warm(marks)[0] == first
