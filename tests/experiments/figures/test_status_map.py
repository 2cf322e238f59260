from __future__ import annotations

import math

import numpy as np
import pytest

from apps.engine.evaluation.status_sample import status_sample
from apps.experiments.figures import status_map
from apps.experiments.figures.asked import asked_of
from apps.experiments.figures.status_map import StatusMap
from tests.experiments.made_outcomes import made, made_pages


@pytest.fixture(autouse=True)
def whole_sample(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """All pages are sampled: crawls of six pages would have none."""
    if request.function is not test_thirty_pages_of_every_five_hundred_are_mapped:
        monkeypatch.setattr(status_map, "status_sample", lambda pages: [*range(1, pages + 1)])


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
        "Full page, 4 sampled pages of 1 topic by the judge’s P(c|v) and status: "
        "2 of 100 cells hold 100\u202f%."
    )
    assert figure.as_table().rows[1] == ("0.90–1.00", "2.07–2.30", "3")


def test_the_cell_with_the_most_pages_is_the_darkest_and_empty_ones_are_there() -> None:
    (cells,) = StatusMap().figure(ASKED).traces
    shade = dict(zip(zip(cells.x, cells.y, strict=True), cells.shades, strict=True))
    assert len(shade) == 100 and sorted(set(shade.values())) == [0, 2, 5]
    assert not cells.inside and cells.width == pytest.approx(0.1)


def test_without_known_counts_it_reports_that() -> None:
    bare = {(0, 0): made_pages(URLS, probability=[0.5] * 6)}
    figure = StatusMap().figure(asked_of(made(("full_page",), ("ants",), pages=bare, budget=10)))
    assert not figure.has_values and "in-link count" in figure.empty


def test_thirty_pages_of_every_five_hundred_are_mapped() -> None:
    number = 1_000
    urls = [f"http://made.test/{n}" for n in range(number)]
    chosen = status_sample(number)
    inlinks = [9 if n + 1 in chosen else 0 for n in range(number)]
    pages = {(0, 0): made_pages(urls, probability=[0.95] * number, inlinks=inlinks)}
    figure = StatusMap().figure(
        asked_of(made(("full_page",), ("ants",), pages=pages, budget=number))
    )
    (row,) = figure.as_data().rows
    assert row[-1] == len(chosen) == 60
    assert "60 sampled pages of 1 topic" in figure.reading
