from __future__ import annotations

import pytest

from apps.experiments.figures.asked import asked_of
from apps.experiments.figures.overlap import Overlap
from tests.experiments.made_outcomes import made, made_pages


def fetched(*names: str):
    return made_pages([f"http://made.test/{name}" for name in names])


# Of 3 crawlers; topic 0 first, then topic 1.
PAGES = {
    (0, 0): fetched("a", "b", "c"),
    (0, 1): fetched("c", "b", "d"),
    (0, 2): fetched("x", "y", "z"),
    (1, 0): fetched("a", "b"),
    (1, 1): fetched("b", "a"),
    (1, 2): fetched("a", "y"),
}
THREE = made(("full_page", "breadth_first", "best_first"), pages=PAGES, budget=10)
ASKED = asked_of(THREE)


def test_shares_in_common_by_hand() -> None:
    # 1 and 2: 2 of 4 pages, then 2 of 2: mean .75. 1 and 3: 0 and 1 of 3. 2 and 3 the same.
    rows = Overlap().figure(ASKED).as_data().rows
    full, breadth, best = ASKED.labels
    assert [row[:2] for row in rows] == [(full, breadth), (full, best), (breadth, best)]
    assert [row[2] for row in rows] == pytest.approx([0.75, 1 / 6, 1 / 6])
    assert [row[3] for row in rows] == pytest.approx([0.25, 1 / 6, 1 / 6])
    assert {row[4] for row in rows} == {2}


def test_a_cell_stands_in_the_row_of_one_and_the_column_of_the_other() -> None:
    figure = Overlap().figure(ASKED)
    (cells,) = figure.traces
    at = {
        (figure.x.names[x], figure.y.names[y]): (words, shade)
        for x, y, words, shade in zip(cells.x, cells.y, cells.words, cells.shades, strict=True)
    }
    assert at == {
        ("1  Full page", "2  Breadth-first"): ("75\u202f%", 4),
        ("1  Full page", "3  Best-first"): ("17\u202f%", 1),
        ("2  Breadth-first", "3  Best-first"): ("17\u202f%", 1),
    }
    assert figure.y.names == ("3  Best-first", "2  Breadth-first")
    assert cells.about[0] == "Full page, Breadth-first"
    assert "fewest Full page and Best-first (17\u202f%), most Full page and Breadth-first" in (
        figure.reading
    )


def test_only_the_pages_up_to_the_moment_count() -> None:
    first = Overlap().figure(asked_of(THREE, pages=1)).as_data().rows
    # a against c and b; a against x and a.
    assert [row[2] for row in first] == [0.0, 0.5, 0.0]


def test_only_crawlers_in_colour_are_drawn_but_all_are_listed() -> None:
    figure = Overlap().figure(asked_of(THREE, drawn=(2,)))
    assert len(figure.traces[0].x) == 1 and len(figure.as_table().rows) == 3
