"""The need for keywords."""

from __future__ import annotations

from apps.engine.codes import Need
from apps.topics.inputs.crawl_input import StrategyNeed, one_by_one

KEYWORDS = StrategyNeed(
    Need.KEYWORDS,
    "keywords",
    "keywords",
    "Words of the topic: Topic, Edit, Keywords.",
    met_by=one_by_one(lambda topic: bool(topic.keywords)),
    anchor=lambda topic: "id_keywords",
)
