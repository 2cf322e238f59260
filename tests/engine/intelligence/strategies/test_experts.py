from __future__ import annotations

import numpy as np
import pytest

from apps.engine.codes import Need
from apps.engine.errors import BadParameter
from apps.engine.intelligence.strategies import CATALOGUE
from apps.engine.intelligence.strategies.experts import Experts
from apps.engine.intelligence.strategies.full_page import FullPage
from apps.engine.intelligence.topic_model import TopicModel
from tests.engine.intelligence.strategies.toy import (
    ShareClassifier,
    ToyCrawl,
    Waiting,
    rich_topic,
    toy_web,
    visit_of,
)

TWO = "breadth_first full_page"
ON, HALF, OFF = "bread flour oven", "bread flour railway signal", "railway signal station"


def experts(topic, **parameters) -> Experts:
    """Breadth-first and Full Page, whose τ is the share of bread words."""
    fitted = Experts(**{"members": TWO, **parameters}).fit(topic)
    full_page = fitted.members_[1]
    assert isinstance(full_page.strategy, FullPage)
    full_page.strategy.classifier_ = fitted.classifier_ = ShareClassifier(topic.vocabulary)
    return fitted


def page(topic, number, text, *links, parent=-1):
    """A page of that text with links to these URL numbers."""
    html = f"<p>{text}</p>" + "".join(f"<a href=/{link}></a>" for link in links)
    tau = {ON: 1.0, HALF: 0.5, OFF: 0.0}[text]
    return visit_of(html, topic, number=number, links=list(links), topicality=tau, parent=parent)


def test_a_link_gets_the_weighted_sum_of_the_members_wishes(topic):
    # Breadth-first has 10, 11, 12 in this order; Full Page has 12 (τ 1) before 10 and 11 (τ 0).
    strategy = experts(topic)
    strategy.learn(page(topic, 0, OFF, 10, 11))
    strategy.learn(page(topic, 1, ON, 12))
    first, second, third = 1.0, 10 / 11, 10 / 12
    priorities = strategy.rescore(Waiting([10, 11, 12]))
    assert priorities.tolist() == pytest.approx(
        [(first + second) / 2, (second + third) / 2, (third + first) / 2]
    )
    # A link of a page with τ .5: three wait before it in one ranking, one in the other.
    half = page(topic, 2, HALF, 13)
    strategy.learn(half)
    assert strategy.score_links(half).tolist() == pytest.approx([(10 / 13 + 10 / 11) / 2])
    assert strategy.explain(half, 0) == pytest.approx(
        {"Breadth-first": 10 / 26, "Full page": 10 / 22}
    )
    assert strategy.telemetry() == {"expert_breadth_first": 0.5, "expert_full_page": 0.5}


def test_the_scores_of_several_parents_are_averaged(topic):
    # URL 10 from pages of τ 0, 1 and 1 (.67), URL 11 from one of τ .5, URL 12 from one of τ 1.
    strategy = experts(topic)
    for number, (text, link) in enumerate([(OFF, 10), (ON, 10), (HALF, 11), (ON, 12), (ON, 10)]):
        strategy.learn(page(topic, number, text, link))
    strategy.rescore(Waiting([10, 11, 12]))
    full_page = strategy.members_[1]
    wishes = full_page.wishes(np.array([10, 11, 12]))
    assert wishes.tolist() == pytest.approx([10 / 11, 10 / 12, 1.0])


def test_a_member_is_credited_with_what_became_of_the_links_it_wanted(topic):
    strategy = experts(topic, rate=1.0)
    strategy.learn(page(topic, 0, OFF, *range(10, 40)))
    strategy.learn(page(topic, 1, ON, 40))
    strategy.rescore(Waiting([*range(10, 41)]))
    strategy.learn(page(topic, 10, OFF, parent=0))  # breadth-first's choice
    even = strategy.telemetry()
    assert even["expert_full_page"] == pytest.approx(0.5)  # the first reward is the mean
    strategy.learn(page(topic, 40, ON, parent=1))  # Full Page's
    # Wishes for it: 10/40 of breadth-first, 1 of Full Page: a chance of .625, .725 with the bias.
    grown = np.exp(np.array([0.25, 1.0]) / 0.725)
    assert strategy.weights_.now == pytest.approx(0.999 * grown / grown.sum() + 0.0005)


def test_seeds_credit_nobody(topic):
    strategy = experts(topic, rate=1.0)
    for number, text in enumerate((ON, OFF, ON)):
        strategy.learn(page(topic, number, text))
    assert strategy.weights_.now.tolist() == [0.5, 0.5]


def test_alone_among_equals_a_member_crawls_as_it_would_by_itself(topic):
    # All the weight is Full Page's, so the order is its own, with the mean of the parents.
    model = TopicModel(rich_topic(), seed=1)
    both = Experts(members="full_page host_thompson", rate=0.0, reorders_every=1).fit(model)
    weights = np.array([1.0, 0.0])
    both.weights_.now = weights
    crawl = ToyCrawl(both, model.vocabulary, toy_web())
    crawl.run(12)
    full_page = both.members_[0]
    waiting = np.array(sorted(crawl.priority))
    scores = full_page._score[waiting]
    by_member = waiting[np.lexsort((waiting, -scores))]
    best_first = sorted(crawl.priority, key=lambda n: (-crawl.priority[n], n))
    assert best_first == by_member.tolist()


def test_a_link_that_a_member_rejects_comes_last_in_its_ranking(topic):
    # Of the three links only the first has a keyword in its anchor; the others are not queued.
    strategy = Experts(members="breadth_first selective_link_context").fit(topic)
    html = "<p>bread</p><ul><li><a href=/a>railway signal</a></ul><p><a href=/b>bread flour</a></p>"
    visit = visit_of(html, topic, topicality=0.5)
    member = strategy.members_[1]
    member.strategy.classifier_ = ShareClassifier(topic.vocabulary)
    strategy.learn(visit)
    assert next(iter(member.strategy.score_links(visit))) is None
    strategy.rescore(Waiting([10, 11]))
    assert member.wishes(np.array([10, 11])).tolist() == pytest.approx([10 / 11, 1.0])


def test_it_needs_what_its_members_need():
    assert Experts().needed() == {Need.EXAMPLES}
    mixed = Experts.build({"members": "ss1, utility"})
    assert mixed.needed() == {Need.EXAMPLES, Need.KEYWORDS, Need.INLINKS}
    assert Need.BACKGROUND in mixed.used()


def test_members_are_named_in_any_order_and_wrong_names_are_refused():
    def members(value):
        return Experts.build({"members": value}).members

    assert members("full_page  breadth_first") == TWO
    assert members("full_page,breadth_first") == members(["full_page", "breadth_first"]) == TWO
    with pytest.raises(BadParameter, match="sharks is not one of learner, ") as refused:
        members("full_page sharks")
    assert refused.value.details["parameter"] == "members"
    with pytest.raises(BadParameter, match="members must be at least 2 of learner, "):
        members("full_page full_page")
    with pytest.raises(BadParameter, match="experts is not one of"):
        members("experts full_page")


def test_each_member_of_the_catalogue_can_be_mixed():
    choices = set(Experts.parameters()[0].choices)
    assert choices == {cls.id for cls in CATALOGUE} - {"experts", "recall_crawler"}
    model = TopicModel(rich_topic(), seed=1)
    everyone = Experts(members=" ".join(choices)).fit(model)
    crawl = ToyCrawl(everyone, model.vocabulary, toy_web())
    assert len(crawl.run(30)) == 30
    assert everyone.weights_.now.sum() == pytest.approx(1.0)
