from __future__ import annotations

from apps.experiments.figures.paper_figure import View
from apps.experiments.figures.status_by_distance import StatusByDistance
from tests.experiments.figures.made_study import NOTHING, STUDY

ONLY = View("", "")


def test_correlations_by_distance_with_those_between_domains() -> None:
    figure = StatusByDistance().of_study(STUDY, ONLY)
    near, cross, line = figure.traces
    assert figure.x.names == ("1", "2", "random pairs")
    assert [*near.y] == [0.4, 0.1, 0.0] and [*cross.y] == [0.2, None, None]
    # Random pairs are no further distance: the line ends before them.
    assert [*line.y] == [0.4, 0.1] and not line.named
    assert figure.as_table().rows[0] == ("1", "40", "0.40", "0.010", "12", "0.20", "0.400")
    assert figure.as_data().rows[2] == ("random pairs", 40, 0.0, 0.9, 9, None, None)


def test_without_in_link_counts_it_states_where_they_come_from() -> None:
    figure = StatusByDistance().of_study(NOTHING, ONLY)
    assert not figure.has_values and "in-link counts" in figure.empty
