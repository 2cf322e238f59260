from __future__ import annotations

import pytest

from apps.figures.axis import Axis, pages_fetched
from apps.figures.figure import Figure, Table
from apps.figures.traces import Bars, Curve, Squares

CURVES = (
    Curve("found", "recall", (10, 20), (0.0, 0.05), steps=True),
    Curve("wanted", "ink-2", (20, 30), (0.5, None), "dashed"),
)
SHARES = Figure(pages_fetched(30), Axis("share", "share"), CURVES, labelled=True)


def test_a_trace_names_its_colour_and_leaves_it_to_the_browser() -> None:
    found, wanted = SHARES.as_plotly()["data"]
    assert (found["meta"]["colour"], wanted["meta"]["colour"]) == ("recall", "ink-2")
    assert "color" not in found["line"]
    assert (found["line"]["shape"], wanted["line"]["dash"]) == ("hv", "6px,5px")
    assert wanted["y"] == [0.5, None]


def test_a_value_beside_the_pointer_is_in_the_unit_of_its_axis() -> None:
    assert "%{y:.1%}" in SHARES.as_plotly()["data"][0]["hovertemplate"]
    sites = Figure(pages_fetched(), Axis("sites", "count"), (Curve("sites", "status"),))
    assert "%{y:,.1~f}" in sites.as_plotly()["data"][0]["hovertemplate"]


def test_the_layout_tells_the_browser_the_unit_and_whether_to_label() -> None:
    layout = SHARES.as_plotly()["layout"]
    assert layout["meta"] == {"unit": "share", "labelled": True, "fitted": False}
    assert (layout["yaxis"]["range"], layout["xaxis"]["range"]) == ([0.0, 1.0], [0.0, 30])


def test_it_is_a_table_of_every_value_at_every_x() -> None:
    assert SHARES.as_table() == Table(
        ("Pages fetched", "found", "wanted"),
        (("10", "0\u202f%", "–"), ("20", "5.0\u202f%", "50\u202f%"), ("30", "–", "–")),
    )
    own = Table(("Pages",), (("1",),))
    assert Figure(Axis(), Axis(), (), table=own).as_table() == own


@pytest.mark.parametrize(
    ("traces", "known"),
    [((), False), ((Curve("a", "ink"),), False), ((Bars("a", "ink", ("x",), (None,)),), False),
     ((Curve("a", "ink"), Bars("b", "ink", ("x",), (0.0,))), True)],
)  # fmt: skip
def test_it_knows_whether_there_is_anything_to_draw(traces, known: bool) -> None:
    assert Figure(Axis(), Axis(), traces).has_values is known


def test_squares_grow_with_the_logarithm_of_their_pages() -> None:
    squares = Squares("cells", "ink-3", (0.5, 1.5), (0.1, 0.9), pages=(0, 1200))
    (trace,) = Figure(Axis(unit="log"), Axis(unit="score"), (squares,)).as_plotly()["data"]
    assert trace["marker"]["size"] == pytest.approx([4, 4 + 2 * 7.0909], abs=1e-3)
    assert trace["text"] == ["0", "1,200"]


def test_a_mark_stands_at_the_end_of_its_curve_alone() -> None:
    trace = Curve("one", "recall", x=[1, 2, 3], y=[0.1, 0.2, 0.3], mark="square")
    found = trace.as_plotly(Axis("recall", "share"))
    assert (found["mode"], found["marker"]["symbol"]) == ("lines+markers", "square")
    assert found["marker"]["size"][:2] == [0, 0] and found["marker"]["size"][2] > 0
    assert "marker" not in Curve("other", "recall", x=[1], y=[0.1]).as_plotly(Axis())
