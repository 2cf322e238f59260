"""Differences in words: shares of what can be counted, points and scores of what cannot."""

from __future__ import annotations

import pytest

from apps.engine.evaluation.average_status import AverageStatus
from apps.engine.evaluation.diversity import PagesPerSite
from apps.engine.evaluation.soft_harvest import LossRate
from apps.engine.evaluation.target_recall import TargetRecall
from apps.experiments.results import changes
from apps.experiments.results.paired_tests import Test as PairedTest


def a_test(measure, mean, base_mean, interval=None) -> PairedTest:
    return PairedTest(measure, "A", "B", 20, mean, base_mean, 15, 5, interval)


def message(words: str) -> str:
    return words.replace("\u202f", " ")


@pytest.mark.parametrize(
    ("measure", "mean", "base", "words"),
    [
        (TargetRecall, 0.523, 0.432, "21 % more"),
        (TargetRecall, 0.30, 0.432, "31 % fewer"),
        (TargetRecall, 0.45, 0.432, "4.2 % more"),
        (TargetRecall, 0.4, 0.4, "as many"),
        (TargetRecall, 0.4002, 0.4, "0.05 % more"),
        (AverageStatus, 2.499, 2.5, "0.001 lower"),
        (AverageStatus, 2.499999, 2.5, "less than 0.0001 lower"),
        (TargetRecall, 0.12, 0.0, "12.0 points higher"),
        (LossRate, 0.40, 0.45, "5.0 points lower"),
        (AverageStatus, 2.5, 2.26, "0.24 higher"),
        (AverageStatus, 2.5, 2.5, "the same"),
        (PagesPerSite, 3.0, 4.25, "1.2 lower"),
    ],
)
def test_a_change_has_the_words_of_its_measure(measure, mean, base, words):
    assert message(changes.change(a_test(measure, mean, base))) == words


@pytest.mark.parametrize(
    ("measure", "mean", "interval", "words"),
    [
        (TargetRecall, 0.5, (0.06, 0.14), "15–35 %"),
        (TargetRecall, 0.5, (-0.02, 0.22), "−5 to +55 %"),
        (TargetRecall, 0.3, (-0.156, -0.092), "23–39 %"),
        (TargetRecall, 0.4, (0.0, 0.0), "0.0 to 0.0 %"),
        (LossRate, 0.5, (-0.02, 0.22), "−2.0 to +22.0 points"),
        (AverageStatus, 0.5, (0.1, 0.3), "0.10–0.30"),
        (AverageStatus, 0.5, (0.003, 0.3), "0.003–0.300"),
        (TargetRecall, 0.5, (0.001, 0.2), "0.2–50.0 %"),
        (AverageStatus, 0.5, None, ""),
    ],
)
def test_an_interval_is_written_on_the_scale_of_its_change(measure, mean, interval, words):
    assert message(changes.interval(a_test(measure, mean, 0.4, interval))) == words


def test_changes_of_one_sign_are_reported_as_a_span():
    tests = [a_test(TargetRecall, mean, 0.4) for mean in (0.43, 0.42, 0.46)]
    assert message(changes.changes(tests)) == "5–15 % more"
    assert message(changes.changes(tests[:1])) == "7.5 % more"


def test_differences_have_a_sign_and_distances_a_unit():
    assert changes.difference(TargetRecall, 0.091) == "+9.1"
    assert changes.difference(AverageStatus, -0.2) == "−0.20"
    assert changes.difference(TargetRecall, -0.0001) == "0.0"
    assert changes.difference(TargetRecall, None) == "–"
    assert changes.distance(TargetRecall, 0.0404) == "4.0 points"
    assert changes.distance(AverageStatus, 0.2) == "0.20"
