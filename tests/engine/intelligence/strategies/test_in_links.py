from __future__ import annotations

import math

import pytest

from apps.engine.intelligence.strategies.in_links import InLinks
from tests.engine.intelligence.strategies.toy import visit_of


def learnt(topic, **parameters) -> InLinks:
    """Pages 0, 1 and 2 have been fetched; all link to URL 9, page 2 to URL 1 as well."""
    strategy = InLinks(**parameters).fit(topic)
    for number, targets in ((0, [9]), (1, [9]), (2, [9, 1])):
        html = "".join(f"<a href=/{t}>more</a>" for t in targets)
        strategy.learn(
            visit_of(html, topic, number=number, links=targets, topicality=0.5, status=0.5)
        )
    return strategy


def sigma(n: float, theta: float) -> float:
    return 1 / (1 + math.exp(-(math.log1p(n) - theta)))


def test_status_is_the_sigmoid_of_the_links_seen(topic):
    # With SL's θ = 2.82: n = 0, 1, 2, 5 give .06 .11 .15 .26.
    strategy = learnt(topic, theta_over="given")
    for number, n, rounded in ((7, 0, 0.06), (1, 1, 0.11), (9, 3, 0.19)):
        message = strategy.judge(visit_of("<p>bread</p>", topic, number=number))
        assert message.status == pytest.approx(sigma(n, 2.82))
        assert message.status == pytest.approx(rounded, abs=0.005)


def test_theta_is_the_models_or_the_running_median(topic):
    assert learnt(topic).theta_ == topic.status_model().theta_
    # Pages 0, 1, 2 had no link to them when fetched: the median is ln 1 = 0, and σ of URL 9,
    # with three links, is 1/(1 + e^−ln 4) = 1/(1 + 1/4) = 0.8.
    message = learnt(topic, theta_local=True).judge(visit_of("<p>bread</p>", topic, number=9))
    assert message.status == pytest.approx(sigma(3, 0.0)) == pytest.approx(0.8)
