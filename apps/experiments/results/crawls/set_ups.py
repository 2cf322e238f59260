"""The set-ups of crawls: their differences, and short names for them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.crawls.commands.limits.stop_rules import STOP_RULES
from apps.crawls.models import Crawl
from apps.engine.errors import UnknownStrategy
from apps.engine.intelligence.strategies import strategy, strategy_title
from apps.engine.intelligence.strategies.parameters import Parameter

ABSENT = object()


@dataclass(frozen=True, slots=True)
class SettingDifference:
    """A setting that differs: `values` has one for each crawl, None if it has no such setting.

    `strategy` is the first strategy that has the parameter, empty for a setting of every crawl.
    """

    name: str
    strategy: str
    values: tuple[Any, ...]


def differences(crawls: Sequence[Crawl]) -> tuple[SettingDifference, ...]:
    """All settings of the crawls that are not the same for each of them."""
    set_ups = [{**_of_crawl(crawl), **_of_strategy(crawl)} for crawl in crawls]
    names = dict.fromkeys(name for each in set_ups for name in each)
    settings = (
        SettingDifference(name, _owner(name, crawls), tuple(each.get(name) for each in set_ups))
        for name in names
        if _differs([each.get(name, ABSENT) for each in set_ups])
    )
    return tuple(settings)


def _differs(values: Sequence[Any]) -> bool:
    return any(value != values[0] for value in values[1:])


def _of_crawl(crawl: Crawl) -> Mapping[str, Any]:
    """The settings that every crawl has; an unset rule of scope or politeness is None."""
    return {
        "topic": crawl.topic.name,
        "topic version": crawl.snapshot.version if crawl.snapshot else None,
        "web": crawl.web.name,
        "over": crawl.over,
        "strategy": crawl.strategy,
        "parent_policy": crawl.parent_policy,
        "pick_order": crawl.pick_order,
        "judge": crawl.judge,
        "learns from crawl": crawl.earlier_id,
        "random_seed": crawl.random_seed,
        "budget": crawl.budget,
        **{rule.name: rule.limit(crawl) for rule in STOP_RULES},
        "request_limit": crawl.request_limit,
        **{f"scope {name}": value for name, value in crawl.scope.items()},
        **{f"politeness {name}": value for name, value in crawl.politeness.items()},
    }


def _of_strategy(crawl: Crawl) -> Mapping[str, Any]:
    """The strategy's parameters, including those at their defaults."""
    return {**{p.name: p.default for p in _parameters(crawl)}, **crawl.parameters}


def _parameters(crawl: Crawl) -> Sequence[Parameter]:
    """The strategy's parameters; empty if it is no longer in the catalogue."""
    try:
        return strategy(crawl.strategy).parameters()
    except UnknownStrategy:
        return ()


def _owner(name: str, crawls: Sequence[Crawl]) -> str:
    having = (crawl.strategy for crawl in crawls if name in _of_strategy(crawl))
    return next(having, "")


def key(crawl: Crawl) -> tuple[Any, ...]:
    """The key of a crawler: two crawls of different topics that share it count as the same
    crawler."""
    parameters = tuple(sorted((n, repr(v)) for n, v in _of_strategy(crawl).items()))
    return (crawl.strategy, parameters, crawl.parent_policy, crawl.pick_order, crawl.judge)


def labels(crawls: Sequence[Crawl]) -> tuple[str, ...]:
    """Unique short names: the crawl's own name or its strategy's, then settings that differ from
    others of that name, then its topic, then its number."""
    names = [crawl.name or strategy_title(crawl.strategy) for crawl in crawls]
    for difference in (_different_settings, _topic):
        names = _distinguish(crawls, names, difference)
    times = Counter(names)
    return tuple(
        name if times[name] == 1 else f"{name} #{crawl.pk}"
        for name, crawl in zip(names, crawls, strict=True)
    )


def crawler_labels(crawls: Sequence[Crawl]) -> tuple[str, ...]:
    """Short names for each crawl's crawler, whatever its topic and number."""
    names = [strategy_title(crawl.strategy) for crawl in crawls]
    return tuple(_distinguish(crawls, names, _different_settings))


Difference = Callable[[Crawl, Sequence[Crawl]], str]


def _distinguish(
    crawls: Sequence[Crawl], names: Sequence[str], difference: Difference
) -> list[str]:
    """The names, each with the settings that distinguish its crawl from others of that name."""
    distinct = []
    for crawl, name in zip(crawls, names, strict=True):
        alike = [other for other, same in zip(crawls, names, strict=True) if same == name]
        words = difference(crawl, alike)
        distinct.append(f"{name}, {words}" if words else name)
    return distinct


def _topic(crawl: Crawl, alike: Sequence[Crawl]) -> str:
    return crawl.topic.name if _differs([other.topic_id for other in alike]) else ""


def _different_settings(crawl: Crawl, alike: Sequence[Crawl]) -> str:
    """`β 0.25, parents first`: the settings that differ from crawls of the same strategy."""
    alike = [other for other in alike if other.strategy == crawl.strategy]
    mine, others = _of_strategy(crawl), [_of_strategy(other) for other in alike]
    words = [
        f"{p.symbol or p.name.replace('_', ' ')} {mine[p.name]}"
        for p in _parameters(crawl)
        if _differs([other.get(p.name) for other in others])
    ]
    if _differs([other.parent_policy for other in alike]):
        words.append(f"parents {crawl.parent_policy}")
    if _differs([other.pick_order for other in alike]):
        words.append(crawl.pick_order.replace("_", " "))
    if _differs([other.judge for other in alike]):
        words.append(f"judge {crawl.judge}")
    return ", ".join(words)
