from __future__ import annotations

import pytest

from apps.engine.intelligence.strategies.full_page import FullPage
from tests.engine.intelligence.strategies.toy import ShareClassifier, visit_of

PAGE = "<p>bread flour oven railway</p><a href=/a>signal</a><a href=/b>paper</a>"


def test_every_link_gets_the_probability_of_the_page(topic):
    # 3 of the page's 6 terms are bread words.
    strategy = FullPage().fit(topic)
    strategy.classifier_ = ShareClassifier(topic.vocabulary)
    assert strategy.judge(visit_of(PAGE, topic)).topicality == pytest.approx(3 / 6)
    visit = visit_of(PAGE, topic, topicality=0.5)
    assert strategy.score_links(visit).tolist() == [0.5, 0.5]


def test_it_will_not_score_a_page_that_was_not_judged(topic):
    with pytest.raises(ValueError, match="not been judged"):
        FullPage().fit(topic).score_links(visit_of(PAGE, topic))
