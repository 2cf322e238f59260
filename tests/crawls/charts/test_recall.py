from __future__ import annotations

from apps.crawls.charts.recall import RECALL
from apps.engine.evaluation.target_recall import TargetRecall
from tests.engine.evaluation.judged import judged

TARGETS = frozenset({"http://a.test/1", "http://a.test/2", "http://a.test/3"})


def measured(targets: frozenset[str], *fetched: str) -> dict[str, float]:
    """What the measure reports after these pages."""
    measure = TargetRecall(targets)
    for url in fetched:
        measure.update(judged(url))
    return dict(zip(TargetRecall.more, measure.numbers(), strict=True))


def test_it_names_how_many_targets_are_fetched() -> None:
    assert RECALL.beside(measured(TARGETS, "http://a.test/1", "http://b.test/")) == "1 of 3"
    assert RECALL.beside(measured(TARGETS)) == "0 of 3"


def test_without_targets_or_before_the_first_sample_it_is_silent() -> None:
    assert RECALL.beside(measured(frozenset())) == ""
    assert RECALL.beside({}) == ""
