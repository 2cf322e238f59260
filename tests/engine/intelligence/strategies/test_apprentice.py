from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.engine.codes import Need
from apps.engine.intelligence.link_memory import earlier_visits, threshold
from apps.engine.intelligence.offsets.bayes import (
    Neighbours,
    priority_key,
    probability_of,
    train_bayes,
)
from apps.engine.intelligence.offsets.features import HIGH, LOW, NOBODY, OffsetFeatures
from apps.engine.intelligence.strategies.apprentice import Apprentice
from apps.engine.intelligence.strategies.full_page import FullPage
from apps.engine.intelligence.strategies.taxonomy_baseline import TaxonomyBaseline
from apps.engine.model import TokenRows
from tests.engine.intelligence.strategies.toy import Waiting, visit_of

# Left of a good link stands "loaf", left of a bad one "track"; right of both "paper".
GOOD = "<p>loaf<a href=/g>more</a>paper</p>"
BAD = "<p>track<a href=/b>more</a>paper</p>"


def taught(topic, **parameters) -> Apprentice:
    """Two pages with a good and a bad link each; then the four targets are fetched."""
    strategy = Apprentice(dmax=1, first_reorder=1, **parameters).fit(topic)
    for page in (0, 1):
        strategy.learn(
            visit_of(GOOD + BAD, topic, number=page, links=[10 + page, 20 + page], topicality=0.5)
        )
    for number, tau in ((10, 0.9), (11, 0.8), (20, 0.2), (21, 0.1)):
        strategy.learn(visit_of("<p>garden</p>", topic, number=number, topicality=tau))
    return strategy


def test_the_log_odds_by_hand(topic):
    # dmax 1: leaves "loaf" (−1), "more" (0), "paper" (+1); HIGH has 2 links, LOW 2.
    # ("more" is a stop word.) T: loaf@−1, track@−1, paper@+1: 3 features; 4 tokens a class.
    # loaf@−1: ln((1 + 2)/(3 + 4)) − ln((1 + 0)/(3 + 4)) = ln 3; paper@+1: 0; the prior: ln 1 = 0.
    # A new good link: log-odds ln 3 = 1.0986, its key (1 + 1.0986/2.0986)/2 = .7617; a bad one
    # the opposite.
    strategy = taught(topic)
    strategy.rescore(Waiting([99]))
    visit = visit_of(GOOD + BAD, topic, number=50, links=[60, 61], topicality=0.5)
    good, bad = strategy.score_links(visit)
    assert good == pytest.approx((1 + math.log(3) / (1 + math.log(3))) / 2)
    assert bad == pytest.approx(1 - good)
    assert strategy.explain(visit, 0)["P(high)"] == pytest.approx(0.75)
    assert strategy.explain(visit, 1)["P(high)"] == pytest.approx(0.25)


def test_the_same_word_on_the_other_side_is_no_evidence(topic):
    strategy = taught(topic)
    strategy.rescore(Waiting([99]))
    right = "<p>garden<a href=/g>more</a>loaf</p>"
    assert strategy.score_links(visit_of(right, topic, number=50, topicality=0.5)) == (
        pytest.approx([0.5])
    )


def test_without_offsets_it_counts_alike_on_either_side(topic):
    strategy = taught(topic, offsets=False)
    strategy.rescore(Waiting([99]))
    left, right = (
        strategy.score_links(visit_of(page, topic, number=50, topicality=0.5))[0]
        for page in (GOOD, "<p>garden<a href=/g>more</a>loaf</p>")
    )
    assert left > 0.5 and right > 0.5


def test_until_it_has_learned_full_page_guides(topic):
    strategy = Apprentice().fit(topic)
    visit = visit_of(GOOD + BAD, topic, topicality=0.3)
    strategy.learn(visit)
    assert strategy.score_links(visit).tolist() == [0.3, 0.3]
    assert strategy.rescore(Waiting([10, 11])) is None
    message = FullPage().fit(topic).judge(visit)
    assert strategy.judge(visit) == message


def test_training_rescores_every_waiting_url(topic):
    # Page 2, remembered before the training, has a good link to 30 and a bad one to 31; page 3 a
    # bad one to 30: of several parents the best counts. 32 has no link that was remembered.
    strategy = taught(topic)
    strategy.learn(visit_of(GOOD + BAD, topic, number=2, links=[30, 31], topicality=0.5))
    strategy.learn(visit_of(BAD, topic, number=3, links=[30], topicality=0.5))
    scores = strategy.rescore(Waiting([30, 31, 32], [(2, 30), (2, 31), (3, 30), (77, 32)]))
    good = (1 + math.log(3) / (1 + math.log(3))) / 2
    assert scores.tolist() == pytest.approx([good, 1 - good, 0.0])


def test_the_cut_is_the_median_unless_ties_spoil_it():
    assert threshold(np.array([0.1, 0.2, 0.7, 0.8, np.nan]), "median") == pytest.approx(0.45)
    assert threshold(np.array([0.1, 0.2, 0.7, 0.8]), "half") == 0.5
    assert threshold(np.full(20, 0.7), "median") == 0.5  # all would be HIGH
    assert threshold(np.array([np.nan]), "median") == 0.5


def test_the_key_orders_where_the_probability_would_tie():
    keys = priority_key(np.array([37.0, 38.0, 400.0, -400.0, -np.inf]))
    assert keys[0] < keys[1] < keys[2] < 1.0
    assert keys[3] > keys[4] == 0.0


def test_keys_are_turned_back_into_probabilities():
    odds = np.array([-3.0, 0.0, 1.5])
    assert probability_of(priority_key(odds)) == pytest.approx(1 / (1 + np.exp(-odds)))
    assert probability_of(np.array([0.0, 1.0])).tolist() == [0.0, 1.0]


def test_it_notes_what_its_first_training_makes_of_the_frontier(topic):
    # Before, 30 and 31 promise the τ of page 2, .5; nothing is known of the page that links to 32.
    # After, the good link has P(high) .75, the bad one .25, the unknown one 0.
    strategy = taught(topic)
    strategy.learn(visit_of(GOOD + BAD, topic, number=2, links=[30, 31], topicality=0.5))
    assert strategy.report() == {}
    waiting = Waiting([30, 31, 32], [(2, 30), (2, 31), (77, 32)])
    strategy.rescore(waiting)
    noted = {name: tenths.tolist() for name, tenths in strategy.report().items()}
    assert noted == {
        "promise_before": [0, 0, 0, 0, 0, 2, 0, 0, 0, 0],
        "promise_after": [1, 0, 1, 0, 0, 0, 0, 1, 0, 0],
    }
    strategy.rescore(Waiting([30], [(2, 30)]))
    other = taught(topic)
    other.restore(strategy.state())
    for each in (strategy, other):
        assert {name: tenths.tolist() for name, tenths in each.report().items()} == noted


def test_a_parent_that_was_not_judged_takes_no_promise_from_the_judged_one(topic):
    strategy = taught(topic)
    strategy.learn(visit_of(GOOD, topic, number=2, links=[30], topicality=0.5))
    strategy.rescore(Waiting([30, 31, 32], [(2, 30), (77, 30), (77, 31)]))
    # Nothing is known of the parent of 31; 32 has none.
    assert strategy.report()["promise_before"].tolist() == [1, 0, 0, 0, 0, 1, 0, 0, 0, 0]


def test_off_line_it_has_learned_before_the_first_page(topic):
    strategy = Apprentice(mode="offline").fit(topic)
    assert strategy.model_ is not None and len(strategy.memory_.graph.sources()) == 0
    assert not any(strategy.reorder_due(t) for t in range(1, 3000))
    assert [t for t in range(1, 2100) if Apprentice().reorder_due(t)] == [1000, 1500, 2000]


def test_off_line_the_labels_are_those_of_the_classifier_that_was_chosen(topic):
    # Naive Bayes and the SVM do not give the same P(c|u): each page's τ is the chosen one's.
    seen = {}
    for classifier in ("svm", "nb"):
        strategy = Apprentice(mode="offline", classifier=classifier).fit(topic)
        taus = [visit.topicality for visit in earlier_visits(topic, strategy.judge)]
        expected = [
            float(
                topic.classifier(classifier).probabilities(
                    TokenRows.of([topic.tokens(page.document)])
                )[0]
            )
            for page in topic.topic.earlier
        ]
        assert taus == expected
        seen[classifier] = taus, strategy.at_least_
        assert strategy.at_least_ == threshold(
            np.array(
                [tau for tau, links in zip(taus, _linked(topic), strict=True) for _ in range(links)]
            ),
            "median",
        )
    assert seen["svm"] != seen["nb"]


def _linked(topic) -> list[int]:
    """How often pages of the earlier crawl link to each of them."""
    urls = [url for page in topic.topic.earlier for url in page.document.links.urls]
    return [urls.count(page.url) for page in topic.topic.earlier]


def test_the_critic_may_be_the_classifier_over_a_directory(topic):
    strategy = Apprentice(critic="taxonomy", first_reorder=1).fit(topic)
    visit = visit_of("<p>bread oven dough</p>", topic)
    message = strategy.judge(visit)
    assert message == TaxonomyBaseline().fit(topic).judge(visit)
    assert message != Apprentice().fit(topic).judge(visit)
    assert Need.TAXONOMY in strategy.needed()
    assert Need.TAXONOMY not in Apprentice().needed()
    assert Need.TAXONOMY in Apprentice(classes=True).needed()


def test_a_link_near_one_known_to_be_good_may_count(topic):
    # In every page "/x" stands left of "/y", and both targets of a page are good or both bad.
    # Once x's target is known, y's neighbour is HIGH or LOW at offset −2 (a blank leaf between).
    strategy = Apprentice(dmax=3, first_reorder=1, cocitation=True).fit(topic)
    pair = "<p><a href=/x>garden</a><br><a href=/y>letter</a></p>"
    for page in range(6):
        strategy.learn(
            visit_of(pair, topic, number=page, links=[100 + page, 200 + page], topicality=0.5)
        )
        for number in (100 + page, 200 + page):
            tau = 0.9 if page % 2 else 0.1
            strategy.learn(visit_of("x", topic, number=number, topicality=tau))
    for page, tau in ((7, 0.9), (8, 0.1)):
        strategy.learn(
            visit_of(pair, topic, number=page, links=[100 + page, 200 + page], topicality=0.5)
        )
        strategy.learn(visit_of("x", topic, number=100 + page, topicality=tau))
    scores = strategy.rescore(Waiting([207, 208], [(7, 207), (8, 208)]))
    assert scores[0] > 0.5 > scores[1]


def test_the_classes_of_a_page_may_count(topic):
    strategy = Apprentice(dmax=0, first_reorder=1, classes=True).fit(topic)
    bread, rail = "<p>bread oven dough loaf</p>", "<p>signal track engine railway</p>"
    for page in range(6):
        text, tau = (bread, 0.9) if page % 2 else (rail, 0.1)
        strategy.learn(
            visit_of(
                f"{text}<hr><hr><a href=/x>garden</a>",
                topic,
                number=page,
                links=[100 + page],
                topicality=0.5,
            )
        )
        strategy.learn(visit_of("x", topic, number=100 + page, topicality=tau))
    strategy.rescore(Waiting([999]))
    names = strategy.classes_
    assert len(names) == 5  # /, /Food, /Food/Bread, /Travel, /Travel/Rail
    good, bad = (
        strategy.score_links(
            visit_of(f"{text}<hr><hr><a href=/x>garden</a>", topic, number=50, topicality=0.5)
        )[0]
        for text in (bread, rail)
    )
    assert good > 0.5 > bad


# The vectorised counts against the definition, link by link --------------------------------------

WIDTH = 3


def slow_model(features, high, low, near):
    """θ = (1 + count)/(|T| + total) of each class, feature by feature of each link."""
    counts = {name: {} for name in ("high", "low")}
    for name, chosen in (("high", high), ("low", low)):
        for link in np.flatnonzero(chosen):
            for feature in bag(features, link, near):
                counts[name][feature] = counts[name].get(feature, 0) + 1
    vocabulary = set(counts["high"]) | set(counts["low"])
    totals = {name: sum(counts[name].values()) for name in counts}

    def log_odds(link):
        total = math.log(high.sum() / low.sum())
        for feature in bag(features, link, near):
            if feature in vocabulary:
                for sign, name in ((1, "high"), (-1, "low")):
                    count = counts[name].get(feature, 0)
                    total += sign * math.log((1 + count) / (len(vocabulary) + totals[name]))
        return total

    return [log_odds(link) for link in range(len(features.target))]


def bag(features, link, near):
    pieces = []
    for piece in np.flatnonzero(features.occurrence == link):
        patch, d = features.patch[piece], features.offset[piece]
        pieces += [(int(f), int(d)) for f in features.feature[features.patch_of == patch]]
        owner, tau = features.owner[patch], near.tau[patch]
        if near.cocitation and owner not in (NOBODY, features.target[link]) and tau == tau:
            pieces.append((HIGH if tau >= near.at_least else LOW, int(d)))
    return pieces


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**6), st.booleans())
def test_it_equals_naive_bayes_written_out(seed, cocitation):
    random = np.random.default_rng(seed)
    links, patches = 6, 5
    patch_of = np.sort(random.integers(0, patches, 12)).astype(np.int32)
    pieces = int(random.integers(1, 15))
    features = OffsetFeatures(
        feature=random.integers(2, 7, 12).astype(np.int32),
        patch_of=patch_of,
        owner=random.integers(-1, 4, patches).astype(np.int32),
        occurrence=random.integers(0, links, pieces).astype(np.int32),
        patch=random.integers(0, patches, pieces).astype(np.int32),
        offset=random.integers(0, WIDTH, pieces).astype(np.int8),
        source=np.zeros(links, np.int32),
        target=random.integers(0, 4, links).astype(np.int32),
    )
    tau = np.where(random.random(patches) < 0.3, np.nan, random.random(patches))
    near = Neighbours(cocitation, tau, 0.5)
    high = np.array([True, True, False, False, False, False])
    low = np.array([False, False, True, True, False, False])
    model = train_bayes(features, high, low, near, WIDTH)
    expected = slow_model(features, high, low, near)
    assert model.log_odds(features, near).tolist() == pytest.approx(expected, abs=1e-5)
