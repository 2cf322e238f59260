"""Training a topic's classifiers on the fetched examples, and storing their quality."""

from __future__ import annotations

import time
from dataclasses import asdict
from typing import Any

from django.utils import timezone

from apps.engine import model
from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.quality import advice, assess, held_out_probabilities
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import TokenRows
from apps.topics.inputs.page_references import documents, references
from apps.topics.models import Example, Topic
from apps.topics.snapshots import UNLABELLED, engine_topic, snapshot
from apps.topics.versions import new_version

SUSPECT = 0.5


def train(topic: Topic) -> None:
    """Trains; unnamed negatives that look like the topic are left out until somebody decides, and
    the classifier is trained again without them.

    Raises BadWebFile if a stored page is gone.
    """
    _measure(topic)
    if _leave_suspects_out(topic):
        new_version(topic)
        _measure(topic)


def _leave_suspects_out(topic: Topic) -> int:
    """Leaves out drawn and gathered negatives with P(topic) of at least one half in
    cross-validation; returns how many are new."""
    drawn = topic.examples.filter(role=Example.Role.TRAIN, relevant=False, left_out=False)
    return drawn.filter(source__in=UNLABELLED, probability__gte=SUSPECT).update(left_out=True)


def _measure(topic: Topic) -> None:
    """Measures the quality of the topic's present version and stores it.

    `Topic.quality` is `engine.intelligence.quality.Quality` as JSON with `advice` (codes),
    `judged_by`, `language`, `evaluation` ([positives, negatives]), `seconds` and `trained_at`; each
    fetched example gets its cross-validated P(topic). Raises BadWebFile if a stored page is gone.
    """
    began = time.perf_counter()
    frozen = snapshot(topic)
    examples = engine_topic(frozen)
    models = TopicModel(examples)
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


def _probabilities(models: TopicModel, topic: model.Topic) -> dict[str, float]:
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
        return dict(zip(
            (row.url for row in rows),
            map(float, models.classifier().probabilities(TokenRows.of(texts))), strict=True,
        )) if rows else {}
    except NeedsMissing:
        return {}


def _store(
    topic: Topic, version: int, quality: dict[str, Any], chances: dict[str, float]
) -> None:
    Topic.objects.filter(pk=topic.pk).update(quality=quality, quality_version=version)
    examples = list(topic.examples.all())
    for example in examples:
        example.probability = chances.get(example.url)
    Example.objects.bulk_update(examples, ["probability"], batch_size=500)
    topic.refresh_from_db(fields=["quality", "quality_version"])
