from __future__ import annotations

from apps.experiments.figures.asked import asked_of
from apps.experiments.figures.trajectories import Trajectories
from tests.experiments.made_outcomes import made

PLACES = [(topic, crawler) for topic in range(2) for crawler in range(2)]


def test_each_measure_that_is_known_is_a_view_the_chosen_one_first() -> None:
    values = {key: {"harvest_rate": [0.5], "target_recall": [0.25]} for key in PLACES}
    asked = asked_of(made(values=values, every=1))
    assert [view.id for view in Trajectories().views(asked)] == ["target_recall", "harvest_rate"]
    other = asked_of(made(values=values, every=1, measure="diversity"))
    assert [view.id for view in Trajectories().views(other)] == [
        "diversity",
        "harvest_rate",
        "target_recall",
    ]
    figure = Trajectories().figure(other)
    assert not figure.has_values and "sites" in figure.empty
    assert Trajectories().figure(other, "harvest_rate").traces[0].y[0] == 0.5
