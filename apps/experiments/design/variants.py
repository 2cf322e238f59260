"""The crawlers of a design: one for each combination of the values given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import Any

from apps.engine.errors import BadParameter, UnknownStrategy
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.strategies.base import Strategy
from apps.experiments.design.schema import MOST_CRAWLERS, CrawlerDesign, Design
from apps.schemas.refused import Refused


@dataclass(frozen=True, slots=True)
class Variant:
    """One crawler: a strategy with all its parameters and how it weighs several parents."""

    strategy: str
    parameters: Mapping[str, Any]
    parent_policy: str

    def build(self) -> Strategy:
        """A new strategy of this crawler."""
        return strategy(self.strategy).build(self.parameters)


def variants(design: Design) -> tuple[Variant, ...]:
    """The crawlers in their order, each once.

    Raises Refused at `crawlers` for an unknown strategy, a wrong parameter, two equal crawlers or
    too many of them, and at `baseline` if it names none of them.
    """
    _check_number(sum(map(_number_of_variants, design.crawlers)))
    all_variants = [
        each
        for number, wanted in enumerate(design.crawlers, 1)
        for each in _variants(wanted, number)
    ]
    _check_distinct(all_variants)
    if all_variants and design.baseline > len(all_variants):
        raise Refused("baseline", f"Give the number of a crawler, from 1 to {len(all_variants)}.")
    return tuple(all_variants)


def _check_number(number: int) -> None:
    if number > MOST_CRAWLERS:
        raise Refused(
            "crawlers",
            f"These are {number:,} crawlers with their variants; give {MOST_CRAWLERS} at most.",
        )


def _number_of_variants(wanted: CrawlerDesign) -> int:
    return prod(len(values) for values in _values(wanted))


def _values(wanted: CrawlerDesign) -> list[Sequence[Any]]:
    """The values of each parameter."""
    return [
        value if isinstance(value, list | tuple) else [value]
        for value in wanted.parameters.values()
    ]


def _variants(wanted: CrawlerDesign, number: int) -> Iterator[Variant]:
    names = list(wanted.parameters)
    values = _values(wanted)
    if any(not options for options in values):
        raise Refused("crawlers", f"Entry {number}: a list of values is empty.")
    for combination in product(*values):
        given = dict(zip(names, combination, strict=True))
        try:
            built = strategy(wanted.strategy).build(given)
        except (UnknownStrategy, BadParameter) as error:
            raise Refused("crawlers", f"Entry {number}: {error}.") from None
        yield Variant(wanted.strategy, built.values(), wanted.parent_policy)


def _check_distinct(all_variants: Sequence[Variant]) -> None:
    for index, each in enumerate(all_variants):
        if each in all_variants[:index]:
            raise Refused(
                "crawlers", f"{each.build().title} is there twice with the same parameters."
            )
