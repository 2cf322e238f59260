"""Pages judged by a classifier that has not seen them, and chance."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from apps.engine.intelligence.classifying.held_out import (
    FoldEstimate,
    cannot_tell,
    estimate_of,
    held_out_probabilities,
    is_at_chance,
    shares_of,
)
from apps.engine.intelligence.topic_model import TopicModel


def test_shares_of_a_fold_by_hand():
    """Three called, two of them rightly; four are relevant."""
    called = np.array([1, 1, 1, 0, 0, 0], bool)
    relevant = np.array([1, 1, 0, 1, 1, 0], bool)
    assert shares_of(called, relevant) == pytest.approx((3 / 6, 2 / 3, 2 / 4, 4 / 7))
    assert shares_of(~relevant & False, relevant) == pytest.approx((2 / 6, 0, 0, 0))


def test_a_standard_error_by_hand():
    estimate = estimate_of(np.array([0.8, 1.0]))
    assert (estimate.mean, estimate.error) == pytest.approx((0.9, np.sqrt(0.02) / np.sqrt(2)))
    assert estimate_of(np.array([0.8])).error is None


def test_held_out_probabilities_do_not_know_their_folds_labels(make_topic):
    """Turning one fold's labels round leaves that fold's sigmoid, and so its order, unchanged."""
    topic = TopicModel(make_topic())
    classifier, labels = topic.classifier(), topic.labels()
    first = classifier.fold_ == 0
    turned = labels ^ first
    before = held_out_probabilities(classifier, labels, topic.weights())
    after = held_out_probabilities(classifier, turned, topic.weights())
    assert before[first].tolist() == after[first].tolist()
    assert before[~first].tolist() != after[~first].tolist()


@pytest.mark.parametrize(
    ("f1", "error", "relevant", "called", "expected"),
    [
        (0.0, 0.0, 0.1, 0.0, True),
        (0.5, 0.05, 0.1, 0.1, False),
        (0.5, 0.3, 0.1, 0.1, True),
        (0.6, 0.06, 0.5, 0.5, True),
        (0.9, 0.05, 0.5, 0.5, False),
        (0.9, None, 0.5, 0.5, False),
        (0.0, None, 0.0, 0.0, True),
        (2 / 3, 0.0, 0.5, 1.0, True),
        (0.9, 0.02, 0.9, 0.75, False),
    ],
)
def test_f1_is_at_chance_if_its_interval_reaches_a_guess(f1, error, relevant, called, expected):
    """Also where everything is called relevant, which has an F1 of 2/3 if half of the pages are."""
    assert is_at_chance(FoldEstimate(f1, error), relevant, called) is expected


def test_a_classifier_of_shuffled_labels_cannot_tell_and_judges_nothing(make_topic):
    topic = make_topic(20, 20)
    labels = np.random.default_rng(3).permutation(40) < 20
    shuffled = tuple(
        replace(example, relevant=bool(relevant))
        for example, relevant in zip(topic.training, labels, strict=True)
    )
    good = TopicModel(replace(topic, evaluation=()))
    bad = TopicModel(replace(topic, evaluation=(), training=shuffled))
    every = np.ones(40, np.bool_)
    assert not cannot_tell(good.classifier(), good.labels(), good.weights(), every)
    assert cannot_tell(bad.classifier(), bad.labels(), bad.weights(), every)
    assert (good.judged_by(), bad.judged_by()) == ("guiding_classifier", "none")
    assert bad.committee() is None
