from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from apps.engine.intelligence.strategies.adaptive_utility import AdaptiveUtility
from apps.engine.intelligence.strategies.in_links import InLinks
from apps.engine.intelligence.strategies.utility import Utility, utility
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.topics import CrawledPage
from tests.engine.intelligence.strategies.toy import (
    ShareClassifier,
    document,
    rich_topic,
    visit_of,
)

LINKS = "<p>bread paper</p><a href=/a></a><a href=/b></a>"


def test_cobb_douglas_multiplies_topicality_and_status(topic):
    # τ = 0.64, σ = 0.25, α = 0.5: √0.64·√0.25 = 0.8·0.5 = 0.4 (SL eq. 1).
    scores = (
        Utility(alpha=0.5)
        .fit(topic)
        .score_links(visit_of(LINKS, topic, topicality=0.64, status=0.25))
    )
    assert scores.tolist() == pytest.approx([0.4, 0.4])


def test_linear_adds_them(topic):
    # 0.25·0.64 + 0.75·0.25 = 0.3475 (SL eq. 2).
    scores = (
        Utility(alpha=0.25, form="linear")
        .fit(topic)
        .score_links(visit_of(LINKS, topic, topicality=0.64, status=0.25))
    )
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
        message = strategy.judge(visit_of("<p>bread</p>", topic))
        assert message.topicality == pytest.approx(expected)


def test_status_comes_from_the_topics_model(topic):
    strategy, visit = Utility().fit(topic), visit_of(LINKS, topic)
    message, model = strategy.judge(visit), topic.status_model()
    log = model.predict_log(model.features(visit.document, visit.tokens, visit.url))
    assert message.status_log == log
    assert message.status == pytest.approx(1 / (1 + math.exp(-(log - model.theta_))))


class ByLinks:
    """Predicts ln(1 + distinct out-links), the fourth characteristic."""

    def predict_one(self, characteristics):
        return float(characteristics[3])


def test_theta_is_the_median_over_an_exploratory_crawl_where_there_is_one():
    # Pages of 0, 1 and 6 links: the median of ln 1, ln 2 and ln 7 is ln 2 (SL note 7).
    earlier = [
        CrawledPage(
            f"http://explored.test/{n}",
            document(
                f"http://explored.test/{n}", "".join(f"<a href=/to/{i}>x</a>" for i in range(n))
            ),
        )
        for n in (6, 0, 1)
    ]
    topic = TopicModel(replace(rich_topic(), earlier=earlier), seed=1)
    topic.status_model().tree_ = ByLinks()
    strategy = Utility(theta_over="crawl").fit(topic)
    assert topic.status_model("crawl").theta_ == pytest.approx(math.log(2))
    one, six = (
        strategy.judge(visit_of(page, topic)).status
        for page in ("<a href=/a>x</a>", "".join(f"<a href=/{i}>x</a>" for i in range(6)))
    )
    # σ = 1/(1 + e^−(ln 7 − ln 2)) = 1/(1 + 2/7).
    assert (one, six) == (pytest.approx(0.5), pytest.approx(7 / 9))
    assert topic.status_model().theta_ != pytest.approx(math.log(2))


@pytest.mark.parametrize("cls", [Utility, AdaptiveUtility, InLinks])
def test_theta_may_be_one_number_for_all_topics(cls):
    # SL note 7: 2.82 whatever the topic; a topic with a hundred times the in-links has it too.
    poor = rich_topic()
    rich = replace(poor, inlinks={url: 100 * count for url, count in poor.inlinks.items()})
    models = [TopicModel(topic, seed=1) for topic in (poor, rich)]
    own, given = (
        [cls(theta_over=over).fit(model) for model in models] for over in ("examples", "given")
    )
    assert models[0].status_model().theta_ != models[1].status_model().theta_
    for strategy, model in zip(given, models, strict=True):
        page = visit_of("<p>bread</p><a href=/a>x</a>", model)
        log = strategy.judge(page).status_log
        reports = math.log1p(0) if cls is InLinks else log
        assert strategy.judge(page).status == pytest.approx(1 / (1 + math.exp(2.82 - reports)))
    assert own[0].judge(page).status != given[0].judge(page).status
    assert cls.build({"theta_over": "given", "θ": "2.5"}).theta == 2.5
