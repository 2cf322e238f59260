from __future__ import annotations

import math

import numpy as np
import pytest

from apps.engine.intelligence.strategies.utility import Utility, utility
from tests.engine.intelligence.strategies.toy import ShareClassifier, visit_of

LINKS = "<p>bread paper</p><a href=/a></a><a href=/b></a>"


def test_cobb_douglas_multiplies_topicality_and_status(topic):
    # τ = 0.64, σ = 0.25, α = 0.5: √0.64·√0.25 = 0.8·0.5 = 0.4 (SL eq. 1).
    scores = Utility(0.5).fit(topic).score_links(
        visit_of(LINKS, topic, topicality=0.64, status=0.25))
    assert scores.tolist() == pytest.approx([0.4, 0.4])


def test_linear_adds_them(topic):
    # 0.25·0.64 + 0.75·0.25 = 0.3475 (SL eq. 2).
    scores = Utility(0.25, "linear").fit(topic).score_links(
        visit_of(LINKS, topic, topicality=0.64, status=0.25))
    assert scores.tolist() == pytest.approx([0.3475] * 2)


@pytest.mark.parametrize("form", ["cobb_douglas", "linear"])
def test_alpha_at_its_bounds_leaves_one_of_the_two(form):
    tau, sigma = np.array([0.3, 0.0]), np.array([0.9, 0.0])
    assert utility(form, 1.0, tau, sigma).tolist() == [0.3, 0.0]
    assert utility(form, 0.0, tau, sigma).tolist() == [0.9, 0.0]


def test_topicality_is_calibrated_or_the_sigmoid_of_the_margin(topic):
    # 1 of 2 terms is a bread word; the toy's margin is 4·0.5 − 2 = 0, its sigmoid 0.5. For
    # "bread" alone the probability is 1, the margin 2, the sigmoid 1/(1 + e⁻²) = 0.881.
    for kind, expected in (("calibrated", 1.0), ("sigmoid", 1 / (1 + math.exp(-2)))):
        strategy = Utility(topicality=kind).fit(topic)
        strategy.classifier_ = ShareClassifier(topic.vocabulary)
        said = strategy.judge(visit_of("<p>bread</p>", topic))
        assert said.topicality == pytest.approx(expected)


def test_status_comes_from_the_topics_model(topic):
    strategy, visit = Utility().fit(topic), visit_of(LINKS, topic)
    said, model = strategy.judge(visit), topic.status_model()
    log = model.predict_log(model.features(visit.document, visit.tokens, visit.url))
    assert said.status_log == log
    assert said.status == pytest.approx(1 / (1 + math.exp(-(log - model.theta_))))
