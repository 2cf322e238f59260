"""The rows of strategies: parameters as texts, several values with commas between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

from django.http import QueryDict
from django.utils.text import capfirst

from apps.engine.errors import BadParameter, UnknownStrategy
from apps.engine.frontier.parents import POLICIES
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.strategies.parameters import Parameter
from apps.experiments.design.schema import MOST_CRAWLERS, CrawlerDesign
from apps.screens.new_crawl.parameter_fields import label_of

PARENTS = "max"


@dataclass(frozen=True, slots=True)
class ParameterInput:
    """A parameter of a row with the text typed; an empty one means the default."""

    parameter: Parameter
    name: str
    label: str
    text: str
    values: tuple[Any, ...]
    error: str

    @property
    def letter(self) -> str:
        """Its symbol, or its name in words."""
        return self.parameter.symbol or self.parameter.name.replace("_", " ")

    @property
    def default(self) -> str:
        return _typed(self.parameter.default)

    @property
    def hint(self) -> str:
        """The accepted values, in words."""
        parameter = self.parameter
        if parameter.kind == "bool":
            return "true or false"
        if parameter.kind == "names":
            return f"several of {', '.join(parameter.choices)}, with spaces between them"
        if parameter.choices:
            return ", ".join(parameter.choices)
        if parameter.low is None:
            return ""
        return f"from {parameter.low:g} to {parameter.high:g}"


@dataclass(frozen=True, slots=True)
class StrategyRow:
    """A strategy of the form with its parameters; `key` differs from row to row."""

    key: str
    cls: type[Strategy]
    inputs: tuple[ParameterInput, ...]
    parents: str

    @property
    def varied(self) -> tuple[ParameterInput, ...]:
        """The parameters that are given."""
        return tuple(each for each in self.inputs if each.text)

    @property
    def others(self) -> tuple[ParameterInput, ...]:
        return tuple(each for each in self.inputs if not each.text)

    @property
    def is_bad(self) -> bool:
        return any(each.error for each in self.inputs)

    @property
    def variants(self) -> int:
        """How many crawlers the row makes."""
        return prod(max(1, len(each.values)) for each in self.inputs)

    def design(self) -> CrawlerDesign:
        """The row as an entry of a design; only for one without errors."""
        return CrawlerDesign(
            strategy=self.cls.id,
            parent_policy=self.parents,
            parameters={each.parameter.name: _one_or_all(each.values) for each in self.varied},
        )


def read_rows(sent: QueryDict) -> list[StrategyRow]:
    """The rows that a form holds; unknown strategies are left out, as are rows beyond the most."""
    keys = list(dict.fromkeys(sent.getlist("row")))[:MOST_CRAWLERS]
    return [row for key in keys if (row := _row(sent, key)) is not None]


def _row(sent: QueryDict, key: str) -> StrategyRow | None:
    try:
        cls = strategy(sent.get(f"strategy-{key}", ""))
    except UnknownStrategy:
        return None
    parents = sent.get(f"parents-{key}", PARENTS)
    inputs = tuple(
        _input(cls, p, key, sent.get(f"value-{key}-{p.name}", "").strip()) for p in cls.parameters()
    )
    return StrategyRow(key, cls, inputs, parents if parents in POLICIES else PARENTS)


def _input(cls: type[Strategy], parameter: Parameter, key: str, text: str) -> ParameterInput:
    parts = [text] if parameter.kind == "str" else [part.strip() for part in text.split(",")]
    values, error = [], ""
    for part in parts if text else ():
        try:
            values.append(parameter.read(part))
        except BadParameter as bad:
            error = f"{capfirst(bad.detail)}."
    if len(set(map(str, values))) < len(values):
        error = error or "Give each value once."
    return ParameterInput(
        parameter,
        f"value-{key}-{parameter.name}",
        label_of(cls.id, parameter),
        text,
        tuple(values),
        error,
    )


def sent_rows(crawlers: Iterable[CrawlerDesign]) -> Iterator[tuple[str, str]]:
    """Rows as a form would send them: pairs of names and values."""
    for key, crawler in enumerate(crawlers):
        yield "row", str(key)
        yield f"strategy-{key}", crawler.strategy
        yield f"parents-{key}", crawler.parent_policy
        for name, value in crawler.parameters.items():
            yield f"value-{key}-{name}", _typed(value)


def number_of_crawler(rows: Sequence[StrategyRow], key: str) -> int:
    """The number of a row's first crawler among all, from 1; 1 if there is no such row."""
    before = 0
    for row in rows:
        if row.key == key:
            return before + 1
        before += row.variants
    return 1


def key_at(crawlers: Sequence[CrawlerDesign], number: int) -> str:
    """The key of the row that makes the crawler of this number, from 1."""
    before = 0
    for key, crawler in enumerate(crawlers):
        lists = (value for value in crawler.parameters.values() if isinstance(value, list | tuple))
        before += prod(max(1, len(each)) for each in lists)
        if number <= before:
            return str(key)
    return "0"


def next_key(rows: Sequence[StrategyRow]) -> str:
    """A key that no row has."""
    numbers = [int(row.key) for row in rows if row.key.isdecimal()]
    return str(max(numbers, default=-1) + 1)


def _one_or_all(values: tuple[Any, ...]) -> Any:
    return values[0] if len(values) == 1 else list(values)


def _typed(value: Any) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(map(_typed, value))
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
