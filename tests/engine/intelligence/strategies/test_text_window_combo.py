from __future__ import annotations

import pytest

from apps.engine.intelligence.strategies.text_window_combo import TextWindowCombo
from tests.engine.intelligence.strategies.toy import ShareClassifier, visit_of


def test_it_mixes_page_and_window_by_beta(topic):
    # T = 4. /a: bread flour | oven | railway signal = 3 of 5. β = 0.25, P(c|u) = 0.8:
    # 0.25·0.8 + 0.75·0.6 = 0.65 (LC eq. 3).
    page = "<p>garden letter bread flour <a href=/a>oven</a> railway signal garden paper</p>"
    strategy = TextWindowCombo(window=4, beta=0.25).fit(topic)
    strategy.classifier_ = ShareClassifier(topic.vocabulary)
    visit = visit_of(page, topic, topicality=0.8)
    assert strategy.score_links(visit).tolist() == pytest.approx([0.65])
    assert strategy.explain(visit, 0) == pytest.approx(
        {"P(c|u)": 0.8, "β": 0.25, "P(c|window)": 0.6}
    )


def test_its_defaults_are_the_papers(topic):
    assert (TextWindowCombo().window, TextWindowCombo().beta) == (40, 0.25)
