"""The need for a subject: something that tells what a topic is about."""

from __future__ import annotations

from apps.engine.codes import Need
from apps.topics.inputs.crawl_input import StrategyNeed
from apps.topics.inputs.labelled_examples import EXAMPLES
from apps.topics.models import Topic


def _is_met(topic: Topic) -> bool:
    return bool(topic.description.strip() or topic.keywords) or EXAMPLES.is_met(topic)


SUBJECT = StrategyNeed(
    Need.SUBJECT,
    "a description, keywords or examples",
    "a subject",
    "A sentence on the topic, keywords, or examples on it and off it. Without examples a crawl "
    "begins with the words, and teaches itself.",
    is_met=_is_met,
    anchor=lambda topic: "id_description",
)
