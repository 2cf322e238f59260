"""Gathered negatives alone are no evidence of a classifier's quality."""

from __future__ import annotations

import pytest

from apps.screens.topic.classifier import classifier_view, guiding_f1
from apps.topics.models import Example
from apps.topics.training import _of_sources
from tests.crawl_rows import made_topic
from tests.people import person

pytestmark = pytest.mark.django_db


def test_gathered_negatives_alone_are_no_evidence():
    topic = made_topic(person("ada"))
    assert _of_sources(topic) == []
    negatives = topic.examples.filter(relevant=False)
    negatives.update(source=Example.Source.BACKGROUND)
    assert _of_sources(topic) == ["gathered_only"]
    Example.objects.filter(pk=negatives.first().pk).update(source=Example.Source.NAMED)
    assert _of_sources(topic) == []
    topic.examples.filter(relevant=False).delete()
    assert _of_sources(topic) == []


def test_the_topic_shows_no_quality_measured_on_gathered_negatives_alone():
    topic = made_topic(person("ada"))
    share = {"mean": 0.0, "error": 0.0}
    topic.quality = {
        "positives": 4,
        "negatives": 38,
        "folds": 4,
        "models": [
            {"kind": "svm", **dict.fromkeys(("accuracy", "precision", "recall", "f1"), share)}
        ],
        "favouring": [],
        "opposing": [],
        "misjudged": [],
        "advice": ["gathered_only", "at_chance", "few_positives"],
        "judged_by": "none",
        "language": "en",
        "trained_at": "2026-01-01T00:00:00+00:00",
        "seconds": 1.0,
    }
    view = classifier_view(topic)
    assert {cell.mean for cell in view.models[0].cells} == {"–"}
    assert [advice["what"] for advice in view.first] == [
        "All negatives are gathered, and some may be on the topic: no quality can be measured.",
        "The classifier cannot tell the topic from other pages.",
    ]
    assert len(view.advice) == 1
    assert guiding_f1(topic) is None
