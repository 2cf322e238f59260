from __future__ import annotations

from dataclasses import replace

import pytest

from apps.experiments.figures.context_quality import SIMILARITY, ZERO, ContextQuality
from tests.experiments.figures.made_study import NOTHING, STUDY, contexts


def test_means_over_topics_of_each_technique() -> None:
    figure = ContextQuality().of_study(STUDY, SIMILARITY)
    (dots,) = figure.traces
    assert figure.x.names == ("anchor", "full page")
    assert [*dots.y] == pytest.approx([0.4, 0.25]) and dots.errors[0] == pytest.approx(0.1)
    assert figure.reading.startswith(
        "Mean similarity of 18 links of 2 topics, described by editors: anchor 0.40 ± 0.10"
    )
    assert [*ContextQuality().of_study(STUDY, ZERO).traces[0].y] == [0.25, 0.0]


def test_it_names_by_whom_the_pages_are_described() -> None:
    titles = contexts("bees", 0.5, by_editors=False)
    for descriptions, by in (
        ((titles,), "by titles"),
        ((*STUDY.contexts, titles), "editors or titles"),
    ):
        assert by in ContextQuality().of_study(replace(STUDY, contexts=descriptions), ZERO).reading


def test_without_links_it_reports_that() -> None:
    assert not ContextQuality().of_study(NOTHING, SIMILARITY).has_values
