from __future__ import annotations

from apps.engine.evaluation.measure import Known
from apps.engine.evaluation.virtual_web_recall import VirtualWebRecall
from tests.engine.evaluation.judged import judged, told

PAGES = [judged(label=True), judged(label=False), judged(label=True), judged(label=None)]


def test_labelled_pages_found_are_held_against_all_of_the_web():
    assert told(VirtualWebRecall.given(Known(relevant=8)), *PAGES).value() == 2 / 8


def test_without_labels_or_relevant_pages_there_is_no_recall():
    assert told(VirtualWebRecall.given(Known(relevant=None)), *PAGES).value() is None
    assert told(VirtualWebRecall.given(Known(relevant=0)), *PAGES).value() is None
