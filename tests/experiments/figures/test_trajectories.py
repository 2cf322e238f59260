from __future__ import annotations

import pytest

from apps.experiments.figures.asked import asked_of
from apps.experiments.figures.trajectories import Trajectories
from tests.experiments.made_outcomes import made

PLACES = [(topic, crawler) for topic in range(2) for crawler in range(2)]


def test_each_measure_that_is_known_is_a_view_the_chosen_one_first() -> None:
    values = {key: {"harvest_rate": [0.5], "target_recall": [0.25]} for key in PLACES}
    asked = asked_of(made(values=values, every=1))
    views = [view.id for view in Trajectories().views(asked)]
    assert views == ["target_recall", "harvest_rate", "intervals"]
    other = asked_of(made(values=values, every=1, measure="diversity"))
    assert [view.id for view in Trajectories().views(other)] == [
        "diversity",
        "harvest_rate",
        "target_recall",
        "intervals",
    ]
    figure = Trajectories().figure(other)
    assert not figure.has_values and "sites" in figure.empty
    assert Trajectories().figure(other, "harvest_rate").traces[0].y[0] == 0.5


def test_the_last_view_has_the_compared_measure_with_intervals() -> None:
    values = {(topic, 0): {"target_recall": [0.1 + 0.2 * topic]} for topic in range(3)}
    asked = asked_of(made(("full_page",), ("ants", "bees", "cats"), values=values, every=1))
    usual, wide = (Trajectories().figure(asked, view).traces[0] for view in (None, "intervals"))
    # Of .1, .3 and .5: the error is .2 / √3, the .975 quantile of t with two degrees 4.303.
    assert usual.errors[0] == pytest.approx(0.11547, abs=1e-5)
    assert wide.errors[0] == pytest.approx(4.3027 * 0.11547, abs=1e-4)
    assert wide.y == usual.y
    figure = Trajectories().figure(asked, "intervals")
    assert "± half of the .95 interval, after" in figure.reading
