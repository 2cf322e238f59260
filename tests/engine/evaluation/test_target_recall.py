from __future__ import annotations

import pytest
from scipy.stats import binomtest

from apps.engine.evaluation.measure import GroundTruth
from apps.engine.evaluation.target_recall import TargetRecall, estimated_recall
from tests.engine.evaluation.judged import after_pages, judged

TARGETS = frozenset({"http://a.test/1", "http://a.test/2", "http://a.test/3", "http://a.test/4"})


def test_the_url_asked_a_hop_and_the_final_url_each_find_a_target():
    measure = TargetRecall.from_ground_truth(GroundTruth(TARGETS))
    moved = judged("http://a.test/1", hops=("http://a.test/2",), final_url="http://b.test/")
    after_pages(measure, moved, judged("http://a.test/0", final_url="http://a.test/3"), moved)
    assert measure.value() == 3 / 4


def test_without_targets_there_is_no_recall():
    assert after_pages(TargetRecall(), judged()).value() is None


def test_the_interval_of_estimated_recall_is_wilsons():
    for hits, targets in ((0, 5), (3, 10), (98, 150), (150, 150)):
        oracle = binomtest(hits, targets).proportion_ci(0.95, method="wilson")
        assert estimated_recall(hits, targets) == pytest.approx((oracle.low, oracle.high))
    assert estimated_recall(0, 0) is None
