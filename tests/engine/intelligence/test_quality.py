from __future__ import annotations

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

from apps.engine.intelligence import quality
from apps.engine.intelligence.quality import Estimate, ModelQuality, Quality, advice, assess
from apps.engine.intelligence.topic_model import TopicModel


def model(precision: float, recall: float, f1: float) -> ModelQuality:
    return ModelQuality("svm", *(Estimate(x, 0.01) for x in (0.9, precision, recall, f1)))


def test_it_finds_separable_examples_easy(make_topic, subjects):
    found = assess(TopicModel(make_topic(10, 20)))
    assert [each.kind for each in found.models] == ["svm", "nb", "nn"]
    assert (found.positives, found.negatives, found.folds) == (10, 20, 5)
    for each in found.models:
        assert each.accuracy.mean > 0.9
    assert found.favouring[0].weight > 0 > found.opposing[0].weight
    assert {term.word for term in found.favouring} <= subjects[0]


def test_it_finds_shuffled_labels_hard(make_topic):
    topic = make_topic(20, 20)
    rng = np.random.default_rng(3)
    shuffled = tuple(
        replace(example, relevant=bool(relevant))
        for example, relevant in zip(topic.training, rng.permutation(40) < 20, strict=True)
    )
    found = assess(TopicModel(replace(topic, training=shuffled)))
    assert found.models[0].accuracy.mean < 0.75
    assert len(found.misjudged) >= 8


def test_it_names_the_example_that_is_labelled_wrongly(make_topic):
    topic = make_topic(12, 12)
    wrong = replace(topic.training[0], relevant=False)
    found = assess(TopicModel(replace(topic, training=(wrong, *topic.training[1:]))))
    worst = found.misjudged[0]
    assert worst.url == wrong.url
    assert (worst.relevant, worst.title) == (False, wrong.document.title)
    assert worst.probability > 0.5
    assert len(worst.terms) == 3


def test_it_becomes_json_and_back(make_topic):
    found = assess(TopicModel(make_topic(6, 6)))
    assert json.loads(json.dumps(asdict(found)))["models"][0]["kind"] == "svm"


def test_fewer_examples_give_fewer_folds(make_topic):
    assert assess(TopicModel(make_topic(3, 6))).folds == 3


def test_without_enough_examples_it_only_counts(make_topic):
    assert assess(TopicModel(make_topic(4, 0))) == Quality(4, 0)


def test_shares_of_a_fold_by_hand():
    """Three called, two of them rightly; four are relevant."""
    called = np.array([1, 1, 1, 0, 0, 0], bool)
    relevant = np.array([1, 1, 0, 1, 1, 0], bool)
    assert quality._shares(called, relevant) == pytest.approx((3 / 6, 2 / 3, 2 / 4, 4 / 7))
    assert quality._shares(~relevant & False, relevant) == pytest.approx((2 / 6, 0, 0, 0))


def test_a_standard_error_by_hand():
    estimate = quality._estimate(np.array([0.8, 1.0]))
    assert (estimate.mean, estimate.error) == pytest.approx((0.9, np.sqrt(0.02) / np.sqrt(2)))
    assert quality._estimate(np.array([0.8])).error is None


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        (Quality(20, 40, 5, (model(0.9, 0.9, 0.9),)), ()),
        (Quality(20, 40, 5, (model(0.90, 0.78, 0.83),)), ("recall_weak",)),
        (Quality(20, 40, 5, (model(0.7, 0.9, 0.78),)), ("precision_weak",)),
        (Quality(20, 40, 5, (model(0.5, 0.5, 0.5),)), ("weak",)),
        (Quality(12, 40, 5, (model(0.5, 0.5, 0.5),)), ("few_positives", "weak")),
        (Quality(12, 40, 5, (model(0.9, 0.9, 0.9),)), ()),
        (Quality(20, 15, 5, (model(0.9, 0.9, 0.9),)), ("few_negatives",)),
        (Quality(5, 0), ("few_positives", "no_negatives")),
        (Quality(0, 0), ("no_positives", "no_negatives")),
    ],
)
def test_it_advises_what_to_add(found, expected):
    assert advice(found) == expected


def test_held_out_probabilities_do_not_know_their_folds_labels(make_topic):
    """Turning one fold's labels round leaves that fold's sigmoid, and so its order, unchanged."""
    topic = TopicModel(make_topic())
    classifier, labels = topic.classifier(), topic.labels()
    first = classifier.fold_ == 0
    turned = labels ^ first
    before = quality.held_out_probabilities(classifier, labels, topic.weights())
    after = quality.held_out_probabilities(classifier, turned, topic.weights())
    assert before[first].tolist() == after[first].tolist()
    assert before[~first].tolist() != after[~first].tolist()
