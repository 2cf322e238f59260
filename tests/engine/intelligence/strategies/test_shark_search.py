from __future__ import annotations

import math

import numpy as np
import pytest

from apps.engine.intelligence.strategies.shark_search import SharkSearch
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.topics import Topic
from tests.engine.intelligence.strategies.toy import visit_of


@pytest.fixture
def bread():
    """Keywords bread and oven, and no text to count rarity over: sim is the plain cosine."""
    return TopicModel(Topic("bread", language="en", keywords=("bread", "oven")))


def test_it_adds_what_is_inherited_and_what_is_near(bread):
    # The page: bread paper paper oven signal garden: sim = 2/(√2·√(1 + 4 + 1 + 1 + 1)) = 0.5;
    # inherited = δ·0.5 = 0.25. /a, anchor "bread": 1/√2 = .7071 > 0, so context = 1:
    # neighbourhood = .8·.7071 + .2 = .7657; score = .5·.25 + .5·.7657 = .5078.
    # /b, anchor "signal" 0; T = 2: oven signal garden: 1/(√2·√3) = .4082; .2·.4082 = .0816;
    # score = .125 + .0408 = .1658.
    page = "<a href=/a>bread</a> paper paper oven <a href=/b>signal</a> garden"
    scores = SharkSearch(window=2).fit(bread).score_links(visit_of(page, bread))
    near = 0.8 / math.sqrt(2) + 0.2
    assert scores.tolist() == pytest.approx([0.125 + near / 2, 0.125 + 0.1 / math.sqrt(6)])
    assert scores.tolist() == pytest.approx([0.5078, 0.1658], abs=1e-4)


def test_a_page_unlike_the_query_hands_on_what_it_inherited(bread):
    # Page 0 (sim 1) leaves 0.5 to URL 1; page 1 (sim 0) leaves 0.25, so that its link with
    # nothing near scores 0.5·0.25.
    strategy = SharkSearch().fit(bread)
    strategy.learn(visit_of("bread oven <a href=/1></a>", bread, number=0, links=[1]))
    page = visit_of("paper <a href=/2>garden</a>", bread, number=1, links=[2], parent=0)
    assert strategy.score_links(page).tolist() == pytest.approx([0.125])
    assert strategy.explain(page, 0)["inherited"] == pytest.approx(0.25)


def test_a_url_keeps_the_most_that_any_page_left_it(bread):
    strategy = SharkSearch().fit(bread)
    strategy.learn(visit_of("bread oven <a href=/9></a>", bread, number=0, links=[9]))
    strategy.learn(visit_of("bread paper <a href=/9></a>", bread, number=1, links=[9]))
    assert strategy.inherited_[np.array([9])].tolist() == pytest.approx([0.5])
