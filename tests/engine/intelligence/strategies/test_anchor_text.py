from __future__ import annotations

import pytest

from apps.engine.intelligence.strategies.anchor_text import AnchorText
from tests.engine.intelligence.strategies.toy import ShareClassifier, visit_of


def test_it_scores_the_words_of_the_anchor_alone(topic):
    # /a: bread oven paper = 2 of 3, its second anchor "signal" 0 of 1: the best counts.
    # /b: an image whose alt says "dough" = 1. /c: no word at all = the empty text's 0.1.
    page = (
        "bread bread <a href=/a>bread oven paper</a> <a href=/a>signal</a> "
        "<a href=/b><img alt=dough></a> <a href=/c></a> bread"
    )
    strategy = AnchorText().fit(topic)
    strategy.classifier_ = ShareClassifier(topic.vocabulary)
    scores = strategy.score_links(visit_of(page, topic))
    assert scores.tolist() == pytest.approx([2 / 3, 1.0, 0.1])
