from __future__ import annotations

import pytest

from apps.figures.axis import Axis, pages_fetched
from apps.figures.figure import Data, Figure, FigureTable
from apps.figures.traces import Bars, Cells, Curve, Dots, Squares

CURVES = (
    Curve("found", "recall", (10, 20), (0.0, 0.05), steps=True),
    Curve("wanted", "ink-2", (20, 30), (0.5, None), "dashed"),
)
SHARES = Figure(pages_fetched(30), Axis("share", "share"), CURVES, labelled=True)


def test_a_trace_names_its_colour_and_leaves_it_to_the_browser() -> None:
    recall, wanted = SHARES.as_plotly()["data"]
    assert (recall["meta"]["colour"], wanted["meta"]["colour"]) == ("recall", "ink-2")
    assert "color" not in recall["line"]
    assert (recall["line"]["shape"], wanted["line"]["dash"]) == ("hv", "6px,5px")
    assert wanted["y"] == [0.5, None]


def test_a_value_beside_the_pointer_is_in_the_unit_of_its_axis() -> None:
    assert "%{y:.1%}" in SHARES.as_plotly()["data"][0]["hovertemplate"]
    sites = Figure(pages_fetched(), Axis("sites", "count"), (Curve("sites", "status"),))
    assert "%{y:,.1~f}" in sites.as_plotly()["data"][0]["hovertemplate"]


def test_the_layout_has_the_unit_and_whether_to_label() -> None:
    layout = SHARES.as_plotly()["layout"]
    assert layout["meta"] == {
        "unit": "share",
        "labelled": True,
        "fits": True,
        "fitted": False,
        "marks": [],
    }
    marked = Figure(Axis(), Axis(), (), marks=((50, "switch"),)).as_plotly()["layout"]["meta"]
    assert marked["marks"] == [{"at": 50, "text": "switch"}]
    assert (layout["yaxis"]["range"], layout["xaxis"]["range"]) == ([0.0, 1.0], [0.0, 30])


def test_it_is_a_table_of_every_value_at_every_x() -> None:
    assert SHARES.as_table() == FigureTable(
        ("Pages fetched", "found", "wanted"),
        (("10", "0\u202f%", "–"), ("20", "5.0\u202f%", "50\u202f%"), ("30", "–", "–")),
    )
    own = FigureTable(("Pages",), (("1",),))
    assert Figure(Axis(), Axis(), (), table=own).as_table() == own


@pytest.mark.parametrize(
    ("traces", "drawable"),
    [
        ((), False),
        ((Curve("a", "ink"),), False),
        ((Bars("a", "ink", ("x",), (None,)),), False),
        ((Curve("a", "ink"), Bars("b", "ink", ("x",), (0.0,))), True),
    ],
)
def test_it_knows_whether_there_is_anything_to_draw(traces, drawable: bool) -> None:
    assert Figure(Axis(), Axis(), traces).has_values is drawable


def test_squares_grow_with_the_logarithm_of_their_pages() -> None:
    squares = Squares("cells", "ink-3", (0.5, 1.5), (0.1, 0.9), pages=(0, 1200))
    (trace,) = Figure(Axis(unit="log"), Axis(unit="score"), (squares,)).as_plotly()["data"]
    assert trace["marker"]["size"] == pytest.approx([4, 4 + 2 * 7.0909], abs=1e-3)
    assert trace["text"] == ["0", "1,200"]


def test_a_mark_stands_at_the_end_of_its_curve_alone() -> None:
    trace = Curve("one", "recall", x=[1, 2, 3], y=[0.1, 0.2, 0.3], mark="square")
    drawn = trace.as_plotly(Axis("recall", "share"))
    assert (drawn["mode"], drawn["marker"]["symbol"]) == ("lines+markers", "square")
    assert drawn["marker"]["size"][:2] == [0, 0] and drawn["marker"]["size"][2] > 0
    assert "marker" not in Curve("other", "recall", x=[1], y=[0.1]).as_plotly(Axis())


def test_error_bars_stand_where_they_can_be_distinguished_and_every_error_is_reported() -> None:
    curve = Curve(
        "one", "recall", (10, 20, 30), (0.1, 0.2, None), errors=(0.01, 0.02, None), bars=(1,)
    )
    drawn = curve.as_plotly(Axis("recall", "share"))
    assert drawn["error_y"]["array"] == [None, 0.02, None]
    assert drawn["customdata"] == [" ± 1.0\u202f%", " ± 2.0\u202f%", ""]
    assert drawn["hovertemplate"] == "one %{y:.1%}%{customdata}<extra></extra>"
    assert curve.texts(Axis("recall", "share"))[1:] == ["20\u202f% ± 2.0\u202f%", "–"]
    dots = Dots("one", "recall", (0, 1), (0.1, 0.2), errors=(0.01, None), shift=0.1)
    drawn = dots.as_plotly(Axis(unit="share"))
    assert (drawn["x"], drawn["error_y"]["array"]) == ([0.1, 1.1], [0.01, None])
    assert "error_y" not in CURVES[0].as_plotly(Axis(unit="share"))


def test_a_threshold_is_not_named_at_its_end() -> None:
    lines = (Curve("0.05", "ink-3", (0, 9), (0.05, 0.05), named=False), Curve("one", "ink"))
    drawn = Figure(Axis(), Axis("p", "probability"), lines).as_plotly()
    assert [trace["meta"]["named"] for trace in drawn["data"]] == [False, True]
    assert not drawn["layout"]["meta"]["fits"]


def test_cells_have_a_shade_and_a_text_each() -> None:
    cells = Cells(
        "overlap",
        "count-3",
        (0, 1),
        (1, 0),
        shades=(5, 0),
        words=("51 %", "2 %"),
        about=("a, b", "b, c"),
        height=0.5,
    )
    names = Axis("", "", names=("a", "b"))
    drawn = Figure(names, names, (cells,), grouped=False).as_plotly()
    (trace,) = drawn["data"]
    reports = {"width": 1.0, "height": 0.5, "colours": ["count-5", "count-0"]}
    assert trace["meta"]["cells"] == reports
    assert (trace["mode"], trace["text"], trace["customdata"]) == (
        "text",
        ["51 %", "2 %"],
        ["a, b", "b, c"],
    )
    assert drawn["layout"]["meta"]["fits"] is False
    assert drawn["layout"]["yaxis"]["ticktext"] == ["a", "b"]


def test_its_data_are_its_values_unrounded() -> None:
    dots = (
        Dots("one", "ink", (0, 1), (1 / 3, None), errors=(0.1, None)),
        Dots("two", "ink", (1,), (0.5,)),
    )
    figure = Figure(Axis("domain", "", names=("Arts", "Home")), Axis("recall", "share"), dots)
    assert figure.as_data() == Data(
        ("series", "domain", "recall", "standard error"),
        (("one", "Arts", 1 / 3, 0.1), ("one", "Home", None, None), ("two", "Home", 0.5, None)),
    )
    assert SHARES.as_data().head == ("series", "pages fetched", "share")
    assert SHARES.as_data().rows[0] == ("found", 10, 0.0)
    own = Data(("a",), ((1,),))
    assert Figure(Axis(), Axis(), (), data=own).as_data() == own
    rows = figure.as_table().rows
    assert rows == (("Arts", "33\u202f% ± 10\u202f%", "–"), ("Home", "–", "50\u202f%"))


def test_beside_the_pointer_a_value_has_the_name_of_its_place() -> None:
    names = Axis("domain", "", names=("Arts", "Home"))
    (trace,) = Figure(names, Axis(unit="share"), (Bars("one", "ink", (1,), (0.5,)),)).as_plotly()[
        "data"
    ]
    assert trace["hovertext"] == ["Home"]
    assert trace["hovertemplate"] == "%{hovertext}: one %{y:.1%}<extra></extra>"
