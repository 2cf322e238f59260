from __future__ import annotations

from apps.engine.evaluation.measure import GroundTruth
from apps.engine.evaluation.target_recall import TargetRecall
from tests.engine.evaluation.judged import judged, told

TARGETS = frozenset({"http://a.test/1", "http://a.test/2", "http://a.test/3", "http://a.test/4"})


def test_the_url_asked_a_hop_and_the_final_url_each_find_a_target():
    measure = TargetRecall.from_ground_truth(GroundTruth(TARGETS))
    moved = judged("http://a.test/1", hops=("http://a.test/2",), final_url="http://b.test/")
    told(measure, moved, judged("http://a.test/0", final_url="http://a.test/3"), moved)
    assert measure.value() == 3 / 4


def test_without_targets_there_is_no_recall():
    assert told(TargetRecall(), judged()).value() is None
