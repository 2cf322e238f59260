from __future__ import annotations

import math

import numpy as np
import pytest

from apps.experiments.figures.asked import asked_of
from apps.experiments.figures.status_map import StatusMap
from tests.experiments.made_outcomes import made, made_pages

URLS = [f"http://made.test/{n}" for n in range(6)]
# Three pages at τ .95 with 9 in-links, one at .05 with none; two lack a score or a count.
PAGES = {
    (0, 0): made_pages(
        URLS, probability=[0.95, 0.95, 0.99, 0.05, np.nan, 0.5], inlinks=[9, 9, 9, 0, 9, -1]
    )
}
ASKED = asked_of(made(("full_page",), ("ants",), pages=PAGES, budget=10))


def test_pages_are_counted_by_score_and_status() -> None:
    figure = StatusMap().figure(ASKED)
    top = math.log(10)
    rows = [row[1:] for row in figure.as_data().rows]
    assert rows == [
        pytest.approx((0.0, 0.1, 0.0, top / 10, 1)),
        pytest.approx((0.9, 1.0, 0.9 * top, top, 3)),
    ]
    assert figure.reading == (
        "Full page, 4 pages of 1 topic by the judge’s P(c|v) and status: "
        "2 of 100 cells hold 100\u202f%."
    )
    assert figure.as_table().rows[1] == ("0.90–1.00", "2.07–2.30", "3")


def test_the_cell_with_the_most_pages_is_the_darkest_and_empty_ones_are_there() -> None:
    (cells,) = StatusMap().figure(ASKED).traces
    shade = dict(zip(zip(cells.x, cells.y, strict=True), cells.shades, strict=True))
    assert len(shade) == 100 and sorted(set(shade.values())) == [0, 2, 5]
    assert not cells.inside and cells.width == pytest.approx(0.1)


def test_without_known_counts_it_says_so() -> None:
    bare = {(0, 0): made_pages(URLS, probability=[0.5] * 6)}
    figure = StatusMap().figure(asked_of(made(("full_page",), ("ants",), pages=bare, budget=10)))
    assert not figure.has_values and "in-link count" in figure.empty
