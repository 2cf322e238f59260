"""The needs of strategies, and those that a topic meets."""

from __future__ import annotations

from collections.abc import Mapping

from apps.crawls.inputs.previous_crawl import PREVIOUS_CRAWL
from apps.engine.codes import Need
from apps.topics.inputs.catalogue import topic_needs
from apps.topics.inputs.crawl_input import StrategyNeed
from apps.topics.models import Topic


def strategy_needs() -> Mapping[Need, StrategyNeed]:
    """Everything that a strategy may need, in the order of the screens."""
    return {each.need: each for each in (*topic_needs(), PREVIOUS_CRAWL)}


def met_needs(topic: Topic) -> frozenset[Need]:
    """The needs that a crawl of this topic can count on."""
    return frozenset(need for need, each in strategy_needs().items() if each.is_met(topic))
