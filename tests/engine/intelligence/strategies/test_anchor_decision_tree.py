from __future__ import annotations

import pytest

from apps.engine.intelligence.strategies.anchor_decision_tree import AnchorDecisionTree
from tests.engine.intelligence.strategies.toy import ShareClassifier, Waiting, visit_of


def page(*anchors: str) -> str:
    return "".join(f"<a href=/{i}>{anchor}</a>" for i, anchor in enumerate(anchors))


def taught(topic, **parameters) -> AnchorDecisionTree:
    """Six links say garden and lead to relevant pages, four say river and lead elsewhere."""
    strategy = AnchorDecisionTree(least=1, **parameters).fit(topic)
    targets = list(range(100, 110))
    anchors = ["garden letter"] * 6 + ["river letter"] * 4
    strategy.learn(visit_of(page(*anchors), topic, number=0, links=targets, topicality=0.5))
    for i, number in enumerate(targets):
        tau = 0.9 if i < 6 else 0.1
        strategy.learn(visit_of("x", topic, number=number, topicality=tau))
    return strategy


def test_a_leaf_gives_the_smoothed_share_of_its_relevant_links(topic):
    # One question tells them apart: 6 of 6 relevant: (1 + 6)/(2 + 6) = 7/8; 0 of 4: 1/6.
    strategy = taught(topic)
    strategy.rescore(Waiting([999]))
    scores = strategy.score_links(visit_of(page("garden", "river"), topic, number=50))
    assert scores.tolist() == pytest.approx([7 / 8, 1 / 6])


def test_training_rescores_every_waiting_url(topic):
    strategy = taught(topic)
    strategy.learn(
        visit_of(page("garden", "river"), topic, number=1, links=[30, 31], topicality=0.5)
    )
    scores = strategy.rescore(Waiting([30, 31, 32], [(1, 30), (1, 31), (8, 32)]))
    assert scores.tolist() == pytest.approx([7 / 8, 1 / 6, 0.0])


def test_until_it_has_learned_the_anchors_probability_guides(topic):
    strategy = AnchorDecisionTree().fit(topic)
    strategy.classifier_ = ShareClassifier(topic.vocabulary)
    visit = visit_of(page("bread paper", "signal"), topic)
    assert strategy.score_links(visit).tolist() == pytest.approx([0.5, 0.0])
    assert strategy.rescore(Waiting([10])) is None


def test_links_of_one_kind_alone_teach_nothing(topic):
    strategy = AnchorDecisionTree(least=1).fit(topic)
    strategy.learn(
        visit_of(page("garden", "garden"), topic, number=0, links=[5, 6], topicality=0.5)
    )
    for number in (5, 6):
        strategy.learn(visit_of("x", topic, number=number, topicality=0.9))
    assert strategy.rescore(Waiting([7])) is None


def test_the_anchors_of_a_urls_occurrences_are_joined(topic):
    strategy = taught(topic)
    strategy.rescore(Waiting([999]))
    twice = '<a href="/a">river</a> <a href="/a">garden</a>'
    one = strategy.score_links(visit_of(twice, topic, number=50))
    assert len(one) == 1
    term = strategy.tree_.term[0]
    expected = 7 / 8 if topic.vocabulary.word(int(term)).startswith("garden") else 1 / 6
    assert one.tolist() == pytest.approx([expected])


def test_off_line_it_has_learned_before_the_first_page(topic):
    strategy = AnchorDecisionTree(mode="offline").fit(topic)
    assert strategy.tree_ is not None
    assert not strategy.reorder_due(500)
