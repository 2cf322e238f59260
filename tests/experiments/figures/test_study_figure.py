from __future__ import annotations

from apps.experiments.figures.asked import asked_of
from apps.experiments.figures.context_quality import ContextQuality
from apps.experiments.studies.services import UNDER_WAY, Studied
from tests.experiments.made_outcomes import made

VALUES = {(0, 0): {"target_recall": [0.5]}}


def test_until_it_is_measured_a_figure_explains_why_it_is_not_drawn() -> None:
    results = made(("full_page",), ("ants",), VALUES, every=1)
    figure = ContextQuality().figure(asked_of(results, studied=Studied(None, UNDER_WAY)))
    assert not figure.has_values and figure.empty == UNDER_WAY
    assert "once the last cell has ended" in ContextQuality().figure(asked_of(results)).empty
