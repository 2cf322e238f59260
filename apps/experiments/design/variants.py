"""The crawlers of a design: one for each combination of the values given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from apps.engine.errors import BadParameter, UnknownStrategy
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.strategies.base import Strategy
from apps.experiments.design.schema import MOST_CRAWLERS, CrawlerDesign, Design
from apps.schemas.input import Refused


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
    found = [each for place, wanted in enumerate(design.crawlers, 1)
             for each in _variants(wanted, place)]
    _check_distinct(found)
    if len(found) > MOST_CRAWLERS:
        raise Refused("crawlers", f"These are {len(found):,} crawlers with their variants; give"
                      f" {MOST_CRAWLERS} at most.")
    if found and design.baseline > len(found):
        raise Refused("baseline", f"Give the place of a crawler, from 1 to {len(found)}.")
    return tuple(found)


def _variants(wanted: CrawlerDesign, place: int) -> Iterator[Variant]:
    names = list(wanted.parameters)
    values = [value if isinstance(value, list | tuple) else [value]
              for value in wanted.parameters.values()]
    if any(not options for options in values):
        raise Refused("crawlers", f"Entry {place}: a list of values is empty.")
    for combination in product(*values):
        given = dict(zip(names, combination, strict=True))
        try:
            built = strategy(wanted.strategy).build(given)
        except (UnknownStrategy, BadParameter) as error:
            raise Refused("crawlers", f"Entry {place}: {error}.") from None
        yield Variant(wanted.strategy, built.values(), wanted.parent_policy)


def _check_distinct(found: Sequence[Variant]) -> None:
    for place, each in enumerate(found):
        if each in found[:place]:
            raise Refused(
                "crawlers", f"{each.build().title} is there twice with the same parameters."
            )
