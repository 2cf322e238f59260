"""The need for keywords."""

from __future__ import annotations

from apps.engine.codes import Need
from apps.topics.inputs.crawl_input import StrategyNeed

KEYWORDS = StrategyNeed(
    Need.KEYWORDS,
    "keywords",
    "keywords",
    "Words of the topic: Topic, Edit, Keywords.",
    is_met=lambda topic: bool(topic.keywords),
    anchor=lambda topic: "id_keywords",
)
