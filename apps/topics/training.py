"""Training a topic's classifiers on the fetched examples, and storing their quality."""

from __future__ import annotations

import time
from dataclasses import asdict, replace
from typing import Any

from django.utils import timezone

from apps.backgrounds.files import texts_of
from apps.backgrounds.models import BackgroundVersion
from apps.backgrounds.selectors import visible_backgrounds
from apps.engine import topics
from apps.engine.errors import BadWebFile, NeedsMissing
from apps.engine.intelligence.classifying.held_out import held_out_probabilities
from apps.engine.intelligence.classifying.trained import TrainedModels
from apps.engine.intelligence.quality import (
    advice,
    assess,
    with_background,
)
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import TokenRows
from apps.topics.inputs.background import chosen_version, held_out_of
from apps.topics.inputs.likeness import leave_likest_out
from apps.topics.inputs.page_references import documents, references
from apps.topics.models import Example, Topic
from apps.topics.snapshots import UNLABELLED, engine_topic, snapshot
from apps.topics.trained_models import models_folder
from apps.topics.versions import new_version

SUSPECT = 0.5


MOST_COMPARED = 8


def train(topic: Topic, compare_all: bool = False) -> None:
    """Trains, with and without the chosen background, or `compare_all` of those at hand (the newest
    eight). Gathered pages that are most like the topic's words and examples, and unnamed negatives
    that look like the topic to the classifier, are left out until somebody decides; then the
    classifier is trained again without them.

    The models are stored, the judges too, so that no crawl of the topic has to train them. Raises
    BadWebFile if a stored page is gone.
    """
    if leave_likest_out(topic):
        new_version(topic)
    models = _measure(topic)
    if _leave_suspects_out(topic):
        new_version(topic)
        models = _measure(topic)
    models.committee()
    _compare_backgrounds(topic, compare_all)


def _leave_suspects_out(topic: Topic) -> int:
    """Leaves out drawn and gathered negatives with P(topic) of at least one half in
    cross-validation; returns how many are new."""
    drawn = topic.examples.filter(role=Example.Role.TRAIN, relevant=False, left_out=False)
    return drawn.filter(source__in=UNLABELLED, probability__gte=SUSPECT).update(left_out=True)


def _measure(topic: Topic) -> TopicModel:
    """Measures the quality of the topic's present version, stores it and returns its models.

    `Topic.quality` is `engine.intelligence.quality.Quality` as JSON with `advice` (codes),
    `judged_by`, `language`, `evaluation` ([positives, negatives]), `seconds` and `trained_at`; each
    fetched example gets its cross-validated P(topic). Raises BadWebFile if a stored page is gone.
    """
    began = time.perf_counter()
    frozen = snapshot(topic)
    examples = engine_topic(frozen)
    models = TopicModel(examples, trained=TrainedModels(models_folder(), afresh=True))
    quality = assess(models)
    stored: dict[str, Any] = {
        **asdict(quality),
        "advice": list(advice(quality)),
        "judged_by": models.judged_by(),
        "language": models.language,
        "evaluation": [
            sum(e.relevant is relevant for e in examples.evaluation) for relevant in (True, False)
        ],
        "trained_at": timezone.now().isoformat(),
    }
    chances = _probabilities(models, examples) | _of_suspects(models, topic)
    stored["seconds"] = round(time.perf_counter() - began, 3)
    _store(topic, frozen.version, stored, chances)
    return models


def _probabilities(models: TopicModel, topic: topics.Topic) -> dict[str, float]:
    """P(topic) by URL; for training examples cross-validated."""
    try:
        guiding = models.classifier()
    except NeedsMissing:
        return {}
    held_out = held_out_probabilities(guiding, models.labels(), models.weights())
    chances = {e.url: float(p) for e, p in zip(topic.training, held_out, strict=True)}
    if topic.evaluation:
        rows = TokenRows.of([models.tokens(e.document) for e in topic.evaluation])
        judged = guiding.probabilities(rows)
        chances |= {e.url: float(p) for e, p in zip(topic.evaluation, judged, strict=True)}
    return chances


def _of_suspects(models: TopicModel, topic: Topic) -> dict[str, float]:
    """P(topic) of the examples left out, by the classifier trained without them."""
    rows = list(topic.examples.filter(left_out=True, fetch=Example.Fetch.FETCHED))
    pages = references(topic, rows)
    texts = [models.tokens(document) for document in documents(topic.pk, pages)]
    try:
        return (
            dict(
                zip(
                    (row.url for row in rows),
                    map(float, models.classifier().probabilities(TokenRows.of(texts))),
                    strict=True,
                )
            )
            if rows
            else {}
        )
    except NeedsMissing:
        return {}


def _compare_backgrounds(topic: Topic, every: bool) -> None:
    """Adds `backgrounds` to the topic's quality: by the key of each, its `version` and the plain
    values of `engine.intelligence.quality.WithBackground`, with `left_out`. A background whose file
    cannot be read is passed over."""
    chosen = chosen_version(topic)
    versions = {chosen.background_id: chosen} if chosen else {}
    if every:
        newest = visible_backgrounds(topic.owner).order_by("-pk")[:MOST_COMPARED]
        versions |= {background.pk: ready for background in newest if (ready := background.ready)}
    compared = {}
    for key, version in versions.items():
        try:
            compared[str(key)] = {"version": version.number, **_compared(topic, version)}
        except (NeedsMissing, BadWebFile):
            continue
    quality = {**(topic.quality or {}), "backgrounds": compared}
    Topic.objects.filter(pk=topic.pk).update(quality=quality)
    topic.quality = quality


def _compared(topic: Topic, version: BackgroundVersion) -> dict[str, Any]:
    texts = texts_of(version)
    left_out = held_out_of(topic, texts)
    given = replace(engine_topic(snapshot(topic)), background_texts=texts.texts(without=left_out))
    return {**asdict(with_background(TopicModel(given))), "left_out": len(left_out)}


def _store(topic: Topic, version: int, quality: dict[str, Any], chances: dict[str, float]) -> None:
    Topic.objects.filter(pk=topic.pk).update(quality=quality, quality_version=version)
    examples = list(topic.examples.all())
    for example in examples:
        example.probability = chances.get(example.url)
    Example.objects.bulk_update(examples, ["probability"], batch_size=500)
    topic.refresh_from_db(fields=["quality", "quality_version"])
