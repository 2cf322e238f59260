from __future__ import annotations

from apps.engine.evaluation.measure import GroundTruth
from apps.engine.evaluation.virtual_web_recall import VirtualWebRecall
from tests.engine.evaluation.judged import after_pages, judged

PAGES = [judged(label=True), judged(label=False), judged(label=True), judged(label=None)]


def recall_of(relevant: int | None) -> float | None:
    measure = VirtualWebRecall.from_ground_truth(GroundTruth(relevant=relevant))
    return after_pages(measure, *PAGES).value()


def test_labelled_pages_found_are_held_against_all_of_the_web():
    assert recall_of(8) == 2 / 8


def test_without_labels_or_relevant_pages_there_is_no_recall():
    assert recall_of(None) is None
    assert recall_of(0) is None
