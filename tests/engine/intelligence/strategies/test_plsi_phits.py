from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from apps.engine.intelligence.latent.plsi import (
    Counts,
    Factors,
    extend_factors,
    start,
    step,
    temperatures,
)
from apps.engine.intelligence.strategies.plsi_phits import PlsiPhits
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.parsing.document import parse_html
from apps.engine.topics import Topic
from tests.engine.intelligence.strategies.toy import Waiting, visit_of


def counts(matrix) -> Counts:
    matrix = np.asarray(matrix, float)
    document, item = np.nonzero(matrix)
    return Counts.of(*matrix.shape, document, item, matrix[document, item])


TEXTS = counts([[2, 1, 0], [0, 1, 3], [1, 1, 1]])
LINKS = counts([[1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 0, 0]])


def slow_step(factors, texts, links, alpha, beta):
    """The same step, one term of one document and one factor at a time."""
    k = factors.documents.shape[1]
    new = [np.zeros_like(factors.terms), np.zeros_like(factors.citations)]
    mixing = np.zeros_like(factors.documents)
    for part, (of, items, share) in enumerate(
        ((texts, factors.terms, alpha), (links, factors.citations, 1 - alpha))
    ):
        for d, t, value in zip(of.document, of.item, of.value, strict=True):
            chance = [(items[t, z] * factors.documents[d, z]) ** beta for z in range(k)]
            for z in range(k):
                posterior = chance[z] / sum(chance)
                new[part][t, z] += value * posterior
                mixing[d, z] += share * value * posterior
    return Factors(
        new[0] / new[0].sum(0), new[1] / new[1].sum(0), mixing / mixing.sum(1, keepdims=True)
    )


@pytest.mark.parametrize("beta", [1.0, 0.81])
def test_a_step_equals_the_formula_written_out(beta):
    factors = start(3, 4, 3, 2, seed=4)
    fast = step(factors, TEXTS, LINKS, 0.3, beta)
    slow = slow_step(factors, TEXTS, LINKS, 0.3, beta)
    assert fast.terms == pytest.approx(slow.terms)
    assert fast.citations == pytest.approx(slow.citations)
    assert fast.documents == pytest.approx(slow.documents)


def log_likelihood(factors, alpha):
    total = 0.0
    for share, of, items in ((alpha, TEXTS, factors.terms), (1 - alpha, LINKS, factors.citations)):
        joint = (items[of.item] * factors.documents[of.document]).sum(1)
        total += share * float(of.value @ np.log(joint))
    return total


def test_untempered_steps_never_lower_the_likelihood():
    factors, seen = start(3, 4, 3, 2, seed=1), []
    for _ in range(30):
        factors = step(factors, TEXTS, LINKS, 0.5, 1.0)
        seen.append(log_likelihood(factors, 0.5))
    assert all(later >= earlier - 1e-12 for earlier, later in pairwise(seen))
    assert seen[-1] > seen[0]


def test_a_query_is_folded_in_with_the_terms_kept():
    # Factor 0 says only term 0, factor 1 only term 1: the query's 3 : 1 is its mixture.
    factors = Factors(np.eye(2), np.eye(2), np.eye(2))
    assert factors.of_query(np.array([3.0, 1.0])).tolist() == pytest.approx([0.75, 0.25])
    assert factors.of_query(np.zeros(2)).tolist() == [0.5, 0.5]


def test_counts_are_normalised_by_document():
    assert np.bincount(TEXTS.document, TEXTS.value).tolist() == pytest.approx([1.0, 1.0, 1.0])


def test_beta_falls_until_its_limit():
    # 1, .9, .81; .729 is below .8.
    assert temperatures(PlsiPhits().eta, PlsiPhits().beta_limit) == pytest.approx([1.0, 0.9, 0.81])


def test_what_pages_like_the_query_cite_comes_first():
    # Bread pages cite 5, train pages cite 6; the query is about bread. Two factors suffice.
    texts = ["bread oven dough", "oven bread", "signal track", "track engine signal"] * 3
    corpus = tuple(parse_html(t, f"http://c.test/{i}") for i, t in enumerate(texts))
    topic = TopicModel(Topic("t", language="en", keywords=("dough",), corpus=corpus))
    strategy = PlsiPhits(factors=2, steps=20).fit(topic)
    for number, (text, target) in enumerate([("bread oven", 5), ("track signal", 6)] * 2):
        page = f"{text} <a href=/{target}></a>"
        strategy.learn(visit_of(page, topic, number=number, links=[target]))
    near, far = strategy.rescore(Waiting([5, 6]))
    assert near == 1.0 and far < 0.5
    # A new page is folded into what was fitted before: the old URLs keep their places.
    strategy.learn(visit_of("dough <a href=/7></a>", topic, number=4, links=[7]))
    five, six, seven = strategy.rescore(Waiting([5, 6, 7]))
    assert min(five, seven) > six


def test_factors_go_on_by_number_and_what_is_new_has_all_alike():
    # Citations 4 and 7 are known with P(4|z) = (.8, .1), P(7|z) = (.2, .9); now 7 and 9 are cited.
    # Each of two has 1/2 at first; 7 keeps its own, and columns sum to 1: .2/.7 and .9/1.4.
    last = Factors(np.eye(2), np.array([[0.8, 0.1], [0.2, 0.9]]), np.array([[0.3, 0.7]]))
    factors = extend_factors(last, np.array([4, 7]), np.array([7, 9]), documents=2)
    assert factors.citations == pytest.approx(
        np.array([[0.2 / 0.7, 0.9 / 1.4], [0.5 / 0.7, 0.5 / 1.4]])
    )
    assert factors.documents.tolist() == [[0.3, 0.7], [0.5, 0.5]]
