"""A small line of how a figure moved."""

from __future__ import annotations

from apps.screens.sparkline import HEIGHT, WIDTH, sparkline


def test_a_line_goes_from_edge_to_edge_and_not_over_its_top() -> None:
    line = sparkline("Pages/s", "ink", [0.0, 2.0, 8.0], 4.0, "8")
    middle, low, high = WIDTH / 2, HEIGHT - 3, 3.0
    assert line.points == f"2.0,{low} {middle},{(low + high) / 2} {WIDTH - 2},{high}"
    assert (line.end_x, line.end_y, line.latest) == (WIDTH - 2, high, "8")


def test_what_is_not_known_leaves_its_place_empty() -> None:
    line = sparkline("Pages/s", "ink", [None, 1.0, None], 1.0, "1")
    assert line.points == f"{WIDTH / 2},3.0"
    assert sparkline("Pages/s", "ink", [None], 1.0, "1").points == ""
    assert sparkline("Pages/s", "ink", [], 1.0, "1").latest == "–"
