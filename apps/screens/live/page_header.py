"""The settings of a crawl in the words of its page header: strategy, parameters, web."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from apps.crawls.commands.limits.stop_rules import STOP_RULES
from apps.crawls.models import Crawl
from apps.engine.errors import UnknownStrategy
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.strategies.parameters import Parameter


@dataclass(frozen=True, slots=True)
class PageHeader:
    """`section` is the paper's; `parameters` read like `M = 25`; `web` is the web in words;
    `limits` are its stop rules besides the budget.

    It names the parameters with a letter in the paper and those not at their default.
    """

    title: str
    paper: str
    section: str
    parameters: tuple[str, ...]
    web: str
    limits: tuple[str, ...] = ()


def page_header(crawl: Crawl) -> PageHeader:
    """The header of a crawl; a strategy that is no longer in the catalogue is shown by its id."""
    where = crawl.source.words(crawl.web)
    try:
        cls = strategy(crawl.strategy)
    except UnknownStrategy:
        return PageHeader(crawl.strategy, "", "", _plain(crawl.parameters), where, _limits(crawl))
    values = [(p, crawl.parameters.get(p.name, p.default)) for p in cls.parameters()]
    parameters = tuple(_setting(p, value) for p, value in values if p.symbol or value != p.default)
    return PageHeader(cls.title, cls.paper, cls.section, parameters, where, _limits(crawl))


def _limits(crawl: Crawl) -> tuple[str, ...]:
    """`after 3 hours at work`, of each stop rule in force."""
    limits = ((rule, rule.limit(crawl)) for rule in STOP_RULES)
    return tuple(rule.ends(limit) for rule, limit in limits if limit is not None)


def _plain(parameters: dict[str, Any]) -> tuple[str, ...]:
    return tuple(f"{name} = {value}" for name, value in parameters.items())


def _setting(parameter: Parameter, value: Any) -> str:
    name = parameter.symbol or parameter.name.replace("_", " ")
    if isinstance(value, bool):
        return f"{name} {'on' if value else 'off'}"
    if isinstance(value, str):
        return f"{name} {value.replace('_', ' ')}"
    return f"{name} = {value:g}"
