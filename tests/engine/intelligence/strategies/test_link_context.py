from __future__ import annotations

import pytest

from apps.engine.intelligence.strategies.link_context import LinkContext
from tests.engine.intelligence.strategies.toy import ShareClassifier, visit_of


def test_it_scores_the_block_with_its_other_anchors(topic):
    # Both links stand in one paragraph: bread oven paper signal = 2 of 4.
    # /b stands in a second block too: + dough flour; joined: 4 of 6.
    page = (
        "<p>bread <a href=/a>oven</a> paper <a href=/b>signal</a></p>"
        "<div>dough <a href=/b>flour</a></div>"
    )
    strategy = LinkContext().fit(topic)
    strategy.classifier_ = ShareClassifier(topic.vocabulary)
    scores = strategy.score_links(visit_of(page, topic))
    assert scores.tolist() == pytest.approx([2 / 4, 4 / 6])
