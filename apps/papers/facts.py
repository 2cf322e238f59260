"""Facts about an experiment's topics besides the measures of its crawls (LC §7, SL §5.1)."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

import numpy as np

from apps.engine.intelligence.classifying.classifiers import KINDS, Kind, TextClassifier
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats
from apps.experiments.cells.assembly import committee_of, topic_model
from apps.experiments.design.schema import Design
from apps.experiments.models import ExperimentCrawler, ExperimentTopic
from apps.experiments.results.outcomes import Outcomes
from apps.papers.tables.observed import Quantity

OfCrawler = Callable[[ExperimentCrawler], float]


@dataclass(frozen=True, slots=True)
class Fact:
    """A number of a topic and a crawler that needs no crawl: `of_topic` gives a topic's by crawler,
    NaN where there is none."""

    quantity: Quantity
    of_topic: Callable[[ExperimentTopic, Design], OfCrawler]


def facts_of(results: Outcomes, wanted: Collection[str]) -> Mapping[str, Floats]:
    """The wanted facts by id, topics × crawlers. Raises TopicGone, EngineError."""
    return {
        fact.quantity.id: np.array([_row(results, topic, fact) for topic in results.topics])
        for fact in FACTS
        if fact.quantity.id in wanted
    }


def _row(results: Outcomes, topic: ExperimentTopic, fact: Fact) -> list[float]:
    of_crawler = fact.of_topic(topic, results.design)
    return [of_crawler(crawler) for crawler in results.crawlers]


def _of_classifier(values: Mapping[str, float]) -> OfCrawler:
    return lambda crawler: values.get(crawler.parameters.get("classifier", ""), np.nan)


def _accuracy(topic: ExperimentTopic, design: Design) -> OfCrawler:
    """The accuracy in five-fold cross-validation over the training examples, as stored when the
    topic was prepared (LC §11)."""
    quality = topic.topic.quality if topic.topic else None
    models = (quality or {}).get("models", [])
    return _of_classifier({each["kind"]: each["accuracy"]["mean"] for each in models})


def _training_seconds(topic: ExperimentTopic, design: Design) -> OfCrawler:
    """CPU seconds, including the models of the folds."""
    model = topic_model(topic, design.random_seed)
    return _of_classifier({kind: _seconds(model, kind) for kind in KINDS})


def _seconds(model: TopicModel, kind: Kind) -> float:
    began = time.process_time()
    TextClassifier(kind, seed=model.seed).fit(model.rows(), model.labels())
    return time.process_time() - began


def _judge_accuracy(topic: ExperimentTopic, design: Design) -> OfCrawler:
    """The share of the crawler's training examples that the judge, which has not seen them,
    classifies correctly (SL §5.1)."""
    model = topic_model(topic, design.random_seed)
    judge = committee_of(model, design.judge)
    if judge is None or judge.judged_by == "lc_committee":
        return lambda crawler: np.nan
    called = [verdict.relevant for verdict in judge.judge(model.rows())]
    share = float(np.mean(np.array(called) == model.labels()))
    return lambda crawler: share


FACTS = (
    Fact(Quantity("accuracy", "Cross-validated accuracy"), _accuracy),
    Fact(Quantity("training_seconds", "CPU seconds of training", "seconds"), _training_seconds),
    Fact(
        Quantity("judge_accuracy", "Accuracy of the judge on the crawler's examples"),
        _judge_accuracy,
    ),
)
