from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.engine.intelligence.latent.ancestry import inherited_relevance
from apps.engine.intelligence.latent.crawl_graph import CrawlGraph
from apps.engine.intelligence.strategies.ss1 import Ss1
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.parsing.document import parse_html
from apps.engine.topics import Topic
from tests.engine.intelligence.strategies.toy import Waiting, visit_of

# 0 → 1 → 2 → 7, 0 → 2, 3 → 7, 1 → 8; 7 and 8 wait. relevance .8, .4, .2, .6.
SOURCE, TARGET = [0, 0, 1, 1, 2, 3], [1, 2, 2, 5, 4, 4]
WEB = CrawlGraph(4, 2, np.array(SOURCE), np.array(TARGET))
RELEVANCE = np.array([0.8, 0.4, 0.2, 0.6])


def test_ancestors_count_once_at_their_shortest_distance():
    # URL 7 (node 4): parents 2 and 3: .5·(.2 + .6) = .4; grandparents 1 and 0 (by 0 → 2):
    # .25·(.4 + .8) = .3; page 0 at distance 3 (by 1) counted already: .7 in all.
    # URL 8 (node 5): parent 1: .5·.4 = .2; grandparent 0: .25·.8 = .2: .4 in all.
    assert inherited_relevance(WEB, RELEVANCE, 0.5, 3, "sum").tolist() == pytest.approx([0.7, 0.4])


def test_the_best_of_a_generation_may_count_instead():
    # 7: .5·.6 + .25·.8 = .5; 8 as before.
    assert inherited_relevance(WEB, RELEVANCE, 0.5, 3, "max").tolist() == pytest.approx([0.5, 0.4])


def test_generations_bound_the_reach():
    assert inherited_relevance(WEB, RELEVANCE, 0.5, 1, "sum").tolist() == pytest.approx([0.4, 0.2])


def slow(web, relevance, decay, generations, parents):
    into = {
        v: {u for u, t in zip(web.source, web.target, strict=True) if t == v}
        for v in range(web.nodes)
    }
    totals = []
    for v in range(web.fetched, web.nodes):
        visited, level, total = set(), {v}, 0.0
        for generation in range(1, generations + 1):
            level = set().union(*(into[n] for n in level)) - visited
            visited |= level
            values = [relevance[n] for n in level] or [0.0]
            total += decay**generation * (sum(values) if parents == "sum" else max(values))
        totals.append(total)
    return totals


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 7), st.integers(1, 5), st.data())
def test_it_equals_a_walk_back_from_every_url(fetched, waiting, data):
    pairs = data.draw(
        st.sets(st.tuples(st.integers(0, fetched - 1), st.integers(0, fetched + waiting - 1)))
    )
    pairs = sorted((u, v) for u, v in pairs if u != v)
    source, target = np.array(pairs, np.int64).reshape(-1, 2).T
    web = CrawlGraph(fetched, waiting, source, target)
    relevance = np.linspace(0.1, 1.0, fetched)
    for parents in ("sum", "max"):
        relevances = inherited_relevance(web, relevance, 0.5, 3, parents)
        assert relevances.tolist() == pytest.approx(slow(web, relevance, 0.5, 3, parents))


def test_a_reorder_ranks_by_the_cosines_with_the_keywords():
    # Page 0 says bread (cos 1/√2) and links to 5, page 1 says bread oven (cos 1) and links to 6:
    # .5/√2 and .5, divided by the largest.
    topic = TopicModel(Topic("bread", language="en", keywords=("bread", "oven")))
    strategy = Ss1(reorders_every=2).fit(topic)
    strategy.learn(visit_of("bread <a href=/5></a>", topic, number=0, links=[5]))
    strategy.learn(visit_of("bread oven <a href=/6></a>", topic, number=1, links=[6]))
    scores = strategy.rescore(Waiting([5, 6]))
    assert scores.tolist() == pytest.approx([1 / math.sqrt(2), 1.0])


def test_only_the_most_frequent_terms_of_the_background_may_count():
    # Background: garden 4, river 3, lemon 2, bread 1 times. With two terms a page's lemon and
    # bread count nothing: not for the keyword bread, and not in the page's length.
    texts = ["garden river lemon bread", "garden river lemon", "garden river", "garden"]
    documents = tuple(parse_html(text, f"http://b.test/{i}") for i, text in enumerate(texts))
    topic = TopicModel(Topic("t", language="en", keywords=("river", "bread"), background=documents))
    page = visit_of("river lemon bread", topic)
    assert Ss1(terms=2).fit(topic)._cosine(page) == pytest.approx(1.0)
    whole = Ss1().fit(topic)._cosine(page)
    assert 0 < whole < 1 and Ss1(terms=4).fit(topic)._cosine(page) == pytest.approx(whole)
    only_bread = TopicModel(Topic("t", language="en", keywords=("bread",), background=documents))
    assert Ss1(terms=2).fit(only_bread)._cosine(visit_of("bread", only_bread)) == 0.0
