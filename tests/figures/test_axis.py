from __future__ import annotations

import pytest

from apps.figures.axis import Axis, pages_fetched
from apps.figures.units import UNITS


@pytest.mark.parametrize(
    ("unit", "largest", "ends"),
    [
        ("share", 0.05, (0, 1)),
        ("score", 0.9, (0, 1)),
        ("correlation", 0.2, (-1, 1)),
        ("count", 3, (0, 10)),
        ("count", 1480, (0, 1700)),
        ("log", 4.2, (0, 6)),
    ],
)
def test_the_full_scale_is_that_of_the_unit(unit: str, largest: float, ends) -> None:
    assert Axis(unit=unit).ends([0.0, largest]) == ends


def test_every_unit_has_a_full_scale_before_the_first_value() -> None:
    for unit in UNITS:
        floor, ceiling = Axis(unit=unit).ends([])
        assert floor < ceiling


def test_an_axis_may_end_where_its_figure_wants_and_have_steps_of_its_own() -> None:
    axis = Axis("judge’s P(c|v)", "score", end=0.5, step=0.2).as_plotly([0.3])
    assert (axis["range"], axis["dtick"], axis["tickformat"]) == ([0.0, 0.5], 0.2, ".2f")
    assert axis["title"]["text"] == "judge’s P(c|v)"


def test_an_axis_of_names_has_no_scale() -> None:
    axis = Axis("links between the two pages", "")
    assert {"range", "tickformat", "dtick"}.isdisjoint(axis.as_plotly(["distance 1"]))
    assert axis.write("distance 1") == "distance 1"


def test_the_axis_of_pages_ends_at_the_last_one() -> None:
    assert pages_fetched(1480).as_plotly([10, 1480])["range"] == [0, 1480]
    assert pages_fetched().write(1480) == "1,480"


def test_an_axis_of_probabilities_is_logarithmic_and_goes_as_low_as_they_do() -> None:
    axis = Axis("p", "probability")
    assert axis.ends([]) == (1e-4, 1) and axis.ends([0.2, 0.004]) == (1e-4, 1)
    assert axis.ends([0.2, 3e-6]) == (pytest.approx(1e-6), 1)
    assert axis.ends([0.0]) == (pytest.approx(1e-9), 1)
    drawn = axis.as_plotly([0.2])
    assert (drawn["type"], drawn["range"]) == ("log", [-4, 0])
    assert drawn["ticktext"] == ["1", "0.01", "0.0001"]


def test_an_axis_may_have_names_at_whole_numbers() -> None:
    axis = Axis("domain", "", names=("Arts", "Science"))
    drawn = axis.as_plotly([0.9])
    assert (drawn["range"], drawn["tickvals"]) == ([-0.5, 1.5], [0, 1])
    assert drawn["ticktext"] == ["Arts", "Science"] and axis.write(1) == "Science"
    short = Axis("domain", "", names=("Arts", "Science"), ticks=("1", "2"))
    assert short.as_plotly([])["ticktext"] == ["1", "2"] and short.write(1) == "Science"
