"""The judgements that count of labelled pages."""

from __future__ import annotations

import numpy as np
import pytest

from apps.engine.intelligence.evidence.page_labels import LABEL_CHANCE, PageLabels
from apps.engine.intelligence.evidence.text_reader import bounded_odds_of

TEXTS = np.array([[1.0, 0.5, 0.2, 0.1]])
PAGE = 1


def test_a_label_replaces_the_learners_own_judgement() -> None:
    labels = PageLabels()
    assert labels.set(3, False, 0.4) == pytest.approx(1 - LABEL_CHANCE)
    chance, texts = labels.judge_again(3, 0.7, TEXTS)
    assert chance == pytest.approx(1 - LABEL_CHANCE)
    assert texts[0, PAGE] == pytest.approx(bounded_odds_of(1 - LABEL_CHANCE))
    assert labels.set(3, None, chance) == 0.7 and not len(labels)


def test_by_words_a_page_off_the_topic_counts_as_before_its_label_taught_the_guide() -> None:
    labels = PageLabels(by_words=True)
    assert labels.set(3, False, 0.4) == 0.4 and labels.set(4, True, 0.4) == LABEL_CHANCE
    chance, texts = labels.judge_again(3, 0.01, TEXTS)
    assert chance == 0.4 and texts[0, PAGE] == pytest.approx(bounded_odds_of(0.4))
    assert labels.judge_again(4, 0.01, TEXTS)[0] == LABEL_CHANCE
    assert labels.judge_again(5, 0.01, TEXTS) == (0.01, TEXTS)
    assert labels.set(3, True, 0.4) == LABEL_CHANCE and labels.set(3, None, 0.9) == 0.4

    labels.set(3, False, 0.4)
    by_classifier = PageLabels()
    by_classifier.restore(labels.state())
    assert by_classifier.judge_again(3, 0.3, TEXTS)[0] == pytest.approx(1 - LABEL_CHANCE)
