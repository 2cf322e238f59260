from __future__ import annotations

import pytest

from apps.engine.intelligence.strategies.fish_search import FishSearch
from tests.engine.intelligence.strategies.toy import visit_of

LINKS = "<a href=/a>x</a><a href=/b>x</a><a href=/c>x</a><a href=/d>x</a>"
RELEVANT = f"<p>bread oven paper</p>{LINKS}"  # 2 of the 3 keywords sourdough, bread, oven
IRRELEVANT = f"<p>bread paper</p>{LINKS}"  # 1 of 3, below the threshold of a half


def test_children_of_a_relevant_page_come_first(topic):
    # width 2: the first 1.5·2 = 3 links score 1, the rest 0; an irrelevant page's first 2 get 0.5.
    strategy = FishSearch(width=2).fit(topic)
    assert list(strategy.score_links(visit_of(RELEVANT, topic))) == [1.0, 1.0, 1.0, 0.0]
    assert list(strategy.score_links(visit_of(IRRELEVANT, topic))) == [0.5, 0.5, 0.0, 0.0]


def test_the_school_dies_after_so_many_irrelevant_pages(topic):
    # depth 2: the seed has 2, its irrelevant child 1, that one's child 0: not followed.
    strategy = FishSearch(depth=2).fit(topic)
    for number, children in ((0, [1, 2, 3, 4]), (1, [5, 6, 7, 8])):
        visit = visit_of(IRRELEVANT, topic, number=number, links=children, parent=number - 1)
        assert strategy.score_links(visit)[0] == 0.5
        strategy.learn(visit)
    last = visit_of(IRRELEVANT, topic, number=5, parent=1)
    assert list(strategy.score_links(last)) == [None] * 4


def test_relevance_renews_the_depth(topic):
    strategy = FishSearch(depth=1).fit(topic)
    strategy.learn(visit_of(RELEVANT, topic, number=0, links=[1, 2, 3, 4]))
    child = visit_of(RELEVANT, topic, number=1, links=[5, 6, 7, 8], parent=0)
    assert strategy.score_links(child)[0] == 1.0
    strategy.learn(visit_of(IRRELEVANT, topic, number=2, links=[5, 9, 10, 11], parent=0))
    # URL 5 keeps nothing of page 2 (depth 0), and a page at depth 0 is not followed.
    assert strategy.score_links(visit_of(RELEVANT, topic, number=9, parent=2))[0] is None


@pytest.mark.parametrize(("threshold", "score"), [(0.3, 1.0), (0.34, 0.5)])
def test_the_threshold_is_a_share_of_the_keywords_terms(topic, threshold, score):
    strategy = FishSearch(threshold=threshold).fit(topic)
    assert strategy.score_links(visit_of(IRRELEVANT, topic))[0] == score
