"""The need for labelled examples."""

from __future__ import annotations

from collections.abc import Sequence, Set

from django.db.models import Count, Q

from apps.engine.codes import Need
from apps.engine.intelligence.classifying.classifiers import LEAST_EXAMPLES
from apps.topics.examples.other_topics import HOPEFUL_TRAINING
from apps.topics.inputs import sampled_negatives
from apps.topics.inputs.crawl_input import StrategyNeed, topics_with
from apps.topics.models import Example, Topic


def _met_by(topics: Sequence[Topic]) -> Set[Topic]:
    positives, negatives = (Count("pk", filter=Q(relevant=side)) for side in (True, False))
    of_topic = Example.objects.filter(HOPEFUL_TRAINING).order_by().values("topic")
    enough = of_topic.annotate(positives=positives, negatives=negatives).filter(
        positives__gte=LEAST_EXAMPLES, negatives__gte=LEAST_EXAMPLES
    )
    labelled = topics_with(enough, topics)
    return labelled | sampled_negatives.wanted_by([each for each in topics if each not in labelled])


def _field(topic: Topic) -> str:
    """The classifier, where negatives can be gathered, once there are positives."""
    return "topic-classifier" if topic.examples.filter(relevant=True).exists() else "id_positives"


EXAMPLES = StrategyNeed(
    Need.EXAMPLES,
    "positive examples and either negative ones or a background",
    "examples",
    "At least two pages on the topic and two off it; without any page off it, texts of the topic’s "
    "background stand in for them. About 20 of each make a classifier that can be trusted.",
    met_by=_met_by,
    anchor=_field,
)
