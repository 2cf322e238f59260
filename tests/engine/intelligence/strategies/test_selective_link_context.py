from __future__ import annotations

from dataclasses import replace

import pytest

from apps.engine.intelligence.strategies.selective_link_context import SelectiveLinkContext
from tests.engine.intelligence.strategies.toy import ShareClassifier, visit_of

# /a: anchor "bread oven" 2 of 2 ≥ θ. /b: anchor "signal" 0 < θ; its block without /a's anchor is
# "dough flour signal" 2 of 3 ≥ θ. /c: anchor "track", block "paper track" 0. /d: no anchor text,
# block "loaf crust" 2 of 2.
PAGE = (
    "<p>dough flour <a href=/a>bread oven</a> <a href=/b>signal</a></p>"
    "<div>paper <a href=/c>track</a></div><div>loaf crust <a href=/d></a></div>"
)


def strategy_of(topic, **parameters) -> SelectiveLinkContext:
    strategy = SelectiveLinkContext(**parameters).fit(topic)
    strategy.classifier_ = ShareClassifier(topic.vocabulary)
    return strategy


def test_the_anchor_speaks_first_then_the_block_then_nothing(topic):
    scores = strategy_of(topic).score_links(visit_of(PAGE, topic))
    assert scores[2] is None
    assert [scores[0], scores[1], scores[3]] == pytest.approx([1.0, 2 / 3, 1.0])


def test_what_neither_speaks_for_may_be_queued_last(topic):
    scores = strategy_of(topic, rejected="last").score_links(visit_of(PAGE, topic))
    assert list(scores) == pytest.approx([1.0, (1 + 2 / 3) / 2, 0.0, 1.0])


def test_a_higher_threshold_asks_the_block_more_often(topic):
    scores = strategy_of(topic, threshold=0.7).score_links(visit_of(PAGE, topic))
    assert scores[1] is None and scores[0] == 1.0


def test_an_empty_anchor_counts_as_below_any_threshold(topic):
    # θ = 0: every anchor with a term speaks; /d's has none, and its block speaks for it.
    scores = strategy_of(topic, threshold=0.0).score_links(visit_of(PAGE, topic))
    assert scores == pytest.approx([1.0, 0.0, 0.0, 1.0])


def test_it_counts_which_of_the_two_was_used(topic):
    strategy = strategy_of(topic)
    strategy.learn(visit_of(PAGE, topic))
    assert strategy.telemetry() == {"used_anchor": 1, "used_context": 2, "used_none": 1}


def test_links_that_are_fetched_or_queued_are_not_counted_again(topic):
    # The second page links to all four again: /c alone was not queued, and comes back.
    strategy = strategy_of(topic)
    strategy.learn(visit_of(PAGE, topic))
    strategy.learn(visit_of(PAGE, topic))
    assert strategy.telemetry() == {"used_anchor": 1, "used_context": 2, "used_none": 2}


def test_a_link_queued_last_is_queued(topic):
    strategy = strategy_of(topic, rejected="last")
    strategy.learn(visit_of(PAGE, topic))
    strategy.learn(visit_of(PAGE, topic))
    assert strategy.telemetry() == {"used_anchor": 1, "used_context": 2, "used_none": 1}


def test_a_page_that_was_fetched_is_not_counted(topic):
    # The page is number 0 and its links 1 to 4; the next visit is to number 1, /a's.
    strategy = strategy_of(topic)
    visit = visit_of(PAGE, topic)
    for number in visit.link_numbers[[0, 2]].tolist():
        strategy.learn(replace(visit, url_number=number))
    assert strategy.telemetry() == {"used_anchor": 0, "used_context": 2, "used_none": 1}
