from __future__ import annotations

import math

import numpy as np
import pytest

from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.strategies.base import Moved
from apps.engine.intelligence.strategies.learner import Learner
from apps.engine.intelligence.strategies.status_learner import StatusLearner
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.topics import Topic
from tests.engine.intelligence.strategies.toy import Waiting, visit_of


def fitted(topic, cls=StatusLearner, **parameters) -> Learner:
    return cls(**parameters).fit(topic)


def read(strategy, html, topic, *, tau=0.5, sigma=0.5, **rest):
    visit = visit_of(html, topic, topicality=tau, status=sigma, **rest)
    strategy.learn(visit)
    return visit


def odds(chance: float) -> float:
    return math.log(chance / (1 - chance))


def test_a_links_status_is_a_quarter_of_its_parents_mean_plus_the_log_of_their_number(topic):
    # Two pages of σ = .8 and .5 link to URL 9: their log-odds are ln 4 and 0, so that its status is
    # (.25·(ln 4 + 0)/2 + ln(1 + 2))/6 = (.1733 + 1.0986)/6. With α = 0 nothing else counts.
    strategy = fitted(topic, alpha0=0.0)
    read(strategy, "<a href=/x>more</a>", topic, sigma=0.8, links=[9])
    second = read(strategy, "<a href=/x>more</a>", topic, sigma=0.5, number=1, links=[9])
    scores = strategy.score_links(second)
    assert scores[0] == pytest.approx((0.125 * math.log(4) + math.log(3)) / 6)
    assert sum(strategy.explain(second, 0).values()) == pytest.approx(odds(scores[0]))


def test_alpha_weighs_the_learners_chance_against_status(topic):
    both, learner = fitted(topic, alpha0=0.75), fitted(topic, Learner)
    for strategy in (both, learner):
        visit = read(strategy, "<p>crust <a href=/oven>dough</a></p>", topic, sigma=0.8, links=[9])
    of_status = (0.25 * math.log(4) + math.log(2)) / 6
    expected = 0.75 * learner.score_links(visit)[0] + 0.25 * of_status
    assert both.score_links(visit)[0] == pytest.approx(expected)
    terms = both.explain(visit, 0)
    assert list(terms) == list(StatusLearner.legend)
    assert sum(terms.values()) == pytest.approx(odds(expected))
    assert {**terms, "status": 0.0} == {**learner.explain(visit, 0), "status": 0.0}


def test_a_page_it_has_not_learned_from_scores_as_after_learning(topic):
    informed, unknown = fitted(topic), fitted(topic)
    for strategy in (informed, unknown):
        read(strategy, "<a href=/x>more</a>", topic, sigma=0.9, number=1, links=[10])
    visit = visit_of(
        "<a href=/x>x</a> <a href=/y>y</a>", topic, topicality=0.8, status=0.3, number=2
    )
    informed.learn(visit)
    assert unknown.score_links(visit) == pytest.approx(informed.score_links(visit))


def test_wanted_is_the_chance_of_the_links_that_full_page_would_choose(topic):
    # Of thirty links, those of the page of τ = .9 are the 25 that Full Page would choose from.
    strategy = fitted(topic, delta=0.5, alpha0=1.0)
    html = "".join(f"<p>bread <a href=/{n}>{n}</a></p>" for n in range(25))
    parent = read(strategy, html, topic, tau=0.9, links=[*range(10, 35)])
    read(strategy, html, topic, tau=0.2, number=1, links=[*range(40, 65)])
    strategy.pages_ = 10
    strategy.rescore(Waiting([*range(10, 35), *range(40, 65)]))
    likely = float(strategy.score_links(parent).mean())
    read(strategy, "<p>x</p>", topic, tau=0.4, number=2, parent=0, links=[])
    assert strategy.telemetry()["wanted"] == pytest.approx(0.5 * likely)
    assert strategy.telemetry()["mean_tau"] == 0.4


def test_all_waiting_links_are_ranked_again_once_alpha_has_moved(topic):
    strategy = fitted(topic, step=0.1, memory=1, delta=0.5)
    parent = read(strategy, "<a href=/x>x</a> <a href=/y>y</a>", topic, sigma=0.9, links=[7, 8])
    waiting = Waiting([7, 8])
    first = strategy._chances(waiting.numbers, strategy.knowledge_.parts(waiting.numbers))
    assert first == pytest.approx(strategy.score_links(parent))
    assert isinstance(strategy.rescore(waiting), Moved)
    # What is wanted is .5·1: α falls by .1·(.5 − .65) = .015 with each page, .03 after the second.
    for number in (1, 2):
        strategy.alpha_.expect(1.0)
        read(strategy, "<p>words</p>", topic, tau=0.65, number=number, parent=0, links=[])
        ranked = strategy.rescore(waiting)
        assert isinstance(ranked, Moved) == (number == 1)
    assert strategy.score_links(parent) == pytest.approx(np.asarray(ranked))
    assert strategy.ranked_with_ == pytest.approx(0.47)


def test_delta_changes_while_the_crawl_runs(topic):
    strategy = fitted(topic)
    strategy.adjust("delta", 0.9)
    assert strategy.telemetry()["wanted"] == 0.9


def test_labels_bring_back_the_status_of_earlier_pages(topic):
    strategy = fitted(topic, alpha0=0.0)
    visit = read(strategy, "<a href=/x>x</a>", topic, sigma=0.8, links=[9])
    strategy.forget_pages()
    again = visit_of("<a href=/x>x</a>", topic, topicality=0.5, status=0.2, links=[9])
    strategy.relearn_page(again, strategy.read_again(again))
    scores = strategy.score_links(again)
    assert scores[0] == pytest.approx((0.25 * math.log(1 / 4) + math.log(2)) / 6)
    assert strategy.score_links(visit)[0] == scores[0]


def test_it_needs_in_link_counts(topic):
    bare = TopicModel(Topic("bread", language="en", training=topic.topic.training), seed=1)
    with pytest.raises(NeedsMissing):
        fitted(bare)


def test_status_leads_where_it_raises_a_link_most(topic):
    for alpha, leads in ((0.0, True), (1.0, False)):
        strategy = fitted(topic, alpha0=alpha)
        visit = read(strategy, "<a href=/x>more</a>", topic, tau=0.01, sigma=0.99, links=[9])
        terms = strategy.explain(visit, 0)
        del terms["start"]
        assert strategy.leading_terms(np.array([9])) == [max(terms, key=terms.__getitem__)]
        assert (strategy.leading_terms(np.array([9])) == ["status"]) is leads
