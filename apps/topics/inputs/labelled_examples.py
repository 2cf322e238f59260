"""The need for labelled examples."""

from __future__ import annotations

from django.db.models import Count

from apps.engine.codes import Need
from apps.engine.intelligence.classifying.classifiers import LEAST_EXAMPLES
from apps.topics.examples.other_topics import hopeful_training
from apps.topics.inputs import sampled_negatives
from apps.topics.inputs.crawl_input import StrategyNeed
from apps.topics.models import Topic


def _is_met(topic: Topic) -> bool:
    if sampled_negatives.are_wanted(topic):
        return True
    labels = hopeful_training(topic).order_by().values("relevant")
    counts = dict(labels.annotate(number=Count("pk")).values_list("relevant", "number"))
    return all(counts.get(relevant, 0) >= LEAST_EXAMPLES for relevant in (True, False))


def _field(topic: Topic) -> str:
    """The classifier, where negatives can be gathered, once there are positives."""
    return "topic-classifier" if topic.examples.filter(relevant=True).exists() else "id_positives"


EXAMPLES = StrategyNeed(
    Need.EXAMPLES,
    "positive examples and either negative ones or a background",
    "examples",
    "At least two pages on the topic and two off it; without any page off it, texts of the topic’s "
    "background stand in for them. About 20 of each make a classifier that can be trusted.",
    is_met=_is_met,
    anchor=_field,
)
