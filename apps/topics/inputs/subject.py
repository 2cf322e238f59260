"""The need for a subject: something that tells what a topic is about."""

from __future__ import annotations

from collections.abc import Sequence, Set

from apps.engine.codes import Need
from apps.topics.inputs.crawl_input import StrategyNeed
from apps.topics.inputs.labelled_examples import EXAMPLES
from apps.topics.models import Topic


def _met_by(topics: Sequence[Topic]) -> Set[Topic]:
    described = {topic for topic in topics if topic.description.strip() or topic.keywords}
    return described | EXAMPLES.met_by([topic for topic in topics if topic not in described])


SUBJECT = StrategyNeed(
    Need.SUBJECT,
    "a description, keywords or examples",
    "a subject",
    "A sentence on the topic, keywords, or examples on it and off it. Without examples a crawl "
    "begins with the words, and teaches itself.",
    met_by=_met_by,
    anchor=lambda topic: "id_description",
)
