from __future__ import annotations

import pytest

from apps.engine.intelligence.strategies.tag_tree_combo import TagTreeCombo
from tests.engine.intelligence.strategies.toy import ShareClassifier, visit_of

PAGE = (
    "<body><div>letter garden river<ul><li>bread dough <a href=/a>oven</a></li>"
    "<li><a href=/b>railway signal track</a></li></ul></div></body>"
)


def test_it_climbs_from_an_anchor_of_few_words(topic):
    # MIN = 2: "oven" is 1 word, so its <li> "bread dough oven": 3 of 3. "railway signal track"
    # has more than 2 words and stays: 0 of 3. β = 0.25, P(c|u) = 0.4:
    # /a 0.1 + 0.75·1 = 0.85; /b 0.1 + 0 = 0.1.
    strategy = TagTreeCombo().fit(topic)
    strategy.classifier_ = ShareClassifier(topic.vocabulary)
    scores = strategy.score_links(visit_of(PAGE, topic, topicality=0.4))
    assert scores.tolist() == pytest.approx([0.85, 0.1])


def test_a_large_least_takes_the_whole_page(topic):
    # MIN = 3 moves /a's context on to the list (6 words), 3 of 6; /b's too.
    strategy = TagTreeCombo(beta=0.0, least=3).fit(topic)
    strategy.classifier_ = ShareClassifier(topic.vocabulary)
    scores = strategy.score_links(visit_of(PAGE, topic, topicality=0.4))
    assert scores.tolist() == pytest.approx([0.5, 0.5])
