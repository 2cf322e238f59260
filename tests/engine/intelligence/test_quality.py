from __future__ import annotations

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.classifying.held_out import (
    FoldEstimate,
    cannot_tell,
    held_out_probabilities,
)
from apps.engine.intelligence.quality import (
    ModelQuality,
    Quality,
    advice,
    assess,
    guiding_quality,
    with_background,
)
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.topics import Topic


def model(precision: float, recall: float, f1: float) -> ModelQuality:
    return ModelQuality("svm", *(FoldEstimate(x, 0.01) for x in (0.9, precision, recall, f1)))


def test_it_finds_separable_examples_easy(make_topic, subjects):
    quality = assess(TopicModel(make_topic(10, 20)))
    assert [each.kind for each in quality.models] == ["svm", "nb", "nn"]
    assert (quality.positives, quality.negatives, quality.folds) == (10, 20, 5)
    for each in quality.models:
        assert each.accuracy.mean > 0.9
    assert quality.favouring[0].weight > 0 > quality.opposing[0].weight
    assert {term.word for term in quality.favouring} <= subjects[0]


def test_it_finds_shuffled_labels_hard(make_topic):
    topic = make_topic(20, 20)
    rng = np.random.default_rng(3)
    shuffled = tuple(
        replace(example, relevant=bool(relevant))
        for example, relevant in zip(topic.training, rng.permutation(40) < 20, strict=True)
    )
    quality = assess(TopicModel(replace(topic, training=shuffled)))
    assert quality.models[0].accuracy.mean < 0.75
    assert len(quality.misjudged) >= 8


def test_it_names_the_example_that_is_labelled_wrongly(make_topic):
    topic = make_topic(12, 12)
    wrong = replace(topic.training[0], relevant=False)
    quality = assess(TopicModel(replace(topic, training=(wrong, *topic.training[1:]))))
    worst = quality.misjudged[0]
    assert worst.url == wrong.url
    assert (worst.relevant, worst.title) == (False, wrong.document.title)
    assert worst.probability > 0.5
    assert len(worst.terms) == 3


def test_it_becomes_json_and_back(make_topic):
    quality = assess(TopicModel(make_topic(6, 6)))
    assert json.loads(json.dumps(asdict(quality)))["models"][0]["kind"] == "svm"


def test_fewer_examples_give_fewer_folds(make_topic):
    assert assess(TopicModel(make_topic(3, 6))).folds == 3


def with_gathered(topic: Topic, number: int) -> Topic:
    """The topic whose last negatives nobody has judged."""
    named, last = topic.training[:-number], topic.training[-number:]
    return replace(topic, training=(*named, *(replace(e, is_unjudged=True) for e in last)))


def test_negatives_that_nobody_judged_measure_nothing(make_topic):
    model = TopicModel(with_gathered(make_topic(10, 20), 20))
    quality = assess(model)
    assert (quality.positives, quality.negatives, quality.unjudged) == (10, 20, 20)
    assert not quality.models and quality.folds == 5 and quality.favouring
    for measure in (guiding_quality, with_background):
        with pytest.raises(NeedsMissing, match="somebody has judged"):
            measure(model)


def test_it_measures_on_judged_examples_alone(make_topic):
    topic = make_topic(12, 24)
    wrong = [replace(e, is_unjudged=True) for e in make_topic(18, 0).training[12:]]
    wrong = [replace(e, relevant=False) for e in wrong]
    model = TopicModel(replace(topic, training=(*topic.training, *wrong)))
    quality, guide = assess(model), model.classifier()
    called = held_out_probabilities(guide, model.labels(), model.weights()) >= 0.5
    right = [
        float(
            np.mean([called[i] == model.labels()[i] for i in range(36) if guide.fold_[i] == fold])
        )
        for fold in range(5)
    ]
    assert quality.models[0].accuracy.mean == pytest.approx(np.mean(right))
    assert called[36:].any() and not {e.url for e in wrong} & {m.url for m in quality.misjudged}


def test_whether_a_guide_may_judge_alone_is_decided_by_judged_examples(make_topic):
    """Gathered pages do not make up for judged ones that it cannot tell apart."""
    far = make_topic(0, 40).training
    alike = make_topic(40, 0).training
    judged = [replace(e, relevant=n % 2 == 0) for n, e in enumerate(alike)]
    gathered = [replace(e, is_unjudged=True) for e in far]
    whole = replace(make_topic(2, 2), evaluation=(), training=(*judged, *gathered))
    hopeless = TopicModel(whole)
    every = np.ones(80, np.bool_)
    labels, weights = hopeless.labels(), hopeless.weights()
    assert not cannot_tell(hopeless.classifier(), labels, weights, every)
    assert hopeless.judged_by() == "none" and assess(hopeless).at_chance
    alone = TopicModel(replace(whole, training=(*alike, *gathered)))
    assert not alone.is_measurable and alone.choose_measuring_pages().all()
    assert alone.judged_by() == "guiding_classifier"


def test_without_enough_examples_it_only_counts(make_topic):
    assert assess(TopicModel(make_topic(4, 0))) == Quality(4, 0)


@pytest.mark.parametrize(
    ("quality", "expected"),
    [
        (Quality(20, 40, 5, (model(0.9, 0.9, 0.9),)), ()),
        (Quality(20, 40, 5, (model(0.90, 0.78, 0.83),)), ("recall_weak",)),
        (Quality(20, 40, 5, (model(0.7, 0.9, 0.78),)), ("precision_weak",)),
        (Quality(20, 40, 5, (model(0.5, 0.5, 0.5),)), ("weak",)),
        (Quality(12, 40, 5, (model(0.5, 0.5, 0.5),)), ("few_positives", "weak")),
        (Quality(12, 40, 5, (model(0.9, 0.9, 0.9),)), ()),
        (Quality(20, 40, 5, (model(0.0, 0.0, 0.0),), at_chance=True), ("at_chance",)),
        (
            Quality(4, 38, 4, (model(0.1, 0.1, 0.08),), at_chance=True),
            ("at_chance", "few_positives"),
        ),
        (Quality(20, 40, 5, unjudged=40), ("gathered_only",)),
        (Quality(20, 15, 5, (model(0.9, 0.9, 0.9),)), ("few_negatives",)),
        (Quality(5, 0), ("few_positives", "no_negatives")),
        (Quality(0, 0), ("no_positives", "no_negatives")),
    ],
)
def test_it_advises_what_to_add(quality, expected):
    assert advice(quality) == expected
