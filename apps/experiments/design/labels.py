"""Short names of the crawlers of an experiment, all different."""

from __future__ import annotations

from collections.abc import Sequence

from apps.engine.errors import UnknownStrategy
from apps.engine.intelligence.strategies import strategy, strategy_title
from apps.experiments.models import ExperimentCrawler


def crawler_labels(crawlers: Sequence[ExperimentCrawler]) -> tuple[str, ...]:
    """The strategy's title, with the settings in which it differs from its other variants."""
    return tuple(_label(crawler, crawlers) for crawler in crawlers)


def _label(crawler: ExperimentCrawler, crawlers: Sequence[ExperimentCrawler]) -> str:
    alike = [each for each in crawlers if each.strategy == crawler.strategy]
    symbols = _symbols(crawler.strategy)
    settings = [
        f"{symbols.get(name, name.replace('_', ' '))} {value}"
        for name, value in crawler.parameters.items()
        if any(each.parameters.get(name) != value for each in alike)
    ]
    if any(each.parent_policy != crawler.parent_policy for each in alike):
        settings.append(f"parents {crawler.parent_policy}")
    return ", ".join((strategy_title(crawler.strategy), *settings))[:200]


def _symbols(id: str) -> dict[str, str]:
    try:
        return {each.name: each.symbol for each in strategy(id).parameters() if each.symbol}
    except UnknownStrategy:
        return {}
