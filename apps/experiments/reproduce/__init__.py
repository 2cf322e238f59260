"""The tables that can be reproduced, each with the options it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from apps.experiments.reproduce import (
    afc_figures,
    hcla_cost,
    hcla_table_3,
    hcla_table_5,
    hcla_variants,
    sl_locality,
)
from apps.experiments.reproduce.hcla_levels import HARVEST, LEVEL_QUANTITIES
from apps.experiments.reproduce.hcla_protocol import CRAWLERS, QUERIES, Crawler
from apps.experiments.reproduce.hcla_variants import PARAMETERS, READINGS, ids
from apps.experiments.reproduce.observed import Observed, Quantity
from apps.experiments.reproduce.options import Options, Say
from apps.experiments.reproduce.parted_web import PartedWeb


class Reproduced(Protocol):
    """The result of a table: its figures for a program, as lines for a person, and what claims are
    tested on."""

    def as_dict(self) -> dict[str, Any]: ...
    def text(self) -> str: ...
    def observed(self) -> Observed: ...


@dataclass(frozen=True, slots=True)
class Table:
    """A table and its options; others are refused.

    `observes` are the quantities and `lines` the crawlers that claims can be about. `in_parts`: it
    crawls parts of a web, each from its own root page, and parts may be selected.
    """

    reproduce: Callable[[PartedWeb, Options, Say], Reproduced]
    observes: tuple[Quantity, ...]
    lines: tuple[str, ...]
    crawlers: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    in_parts: bool = False


_CATEGORIES = tuple(QUERIES)


def _of_crawlers(
    reproduce: Callable[[PartedWeb, Options, Say], Reproduced], crawlers: Sequence[Crawler],
    observes: tuple[Quantity, ...] = LEVEL_QUANTITIES,
) -> Table:
    """A table of HCLA's protocol over WebKB."""
    return Table(reproduce, observes, tuple(crawler.title for crawler in crawlers), ids(crawlers),
                 _CATEGORIES, in_parts=True)


TABLES: Mapping[str, Table] = {
    "hcla-table-3": _of_crawlers(hcla_table_3.reproduce, CRAWLERS),
    "hcla-parameters": _of_crawlers(hcla_variants.parameters, PARAMETERS, (HARVEST,)),
    "hcla-ss1": _of_crawlers(hcla_variants.interpretations, READINGS),
    "hcla-table-5": Table(
        hcla_table_5.reproduce, LEVEL_QUANTITIES,
        tuple(title for title, _ in hcla_table_5.CRAWLERS.values()), tuple(hcla_table_5.CRAWLERS)),
    "hcla-cost": Table(hcla_cost.reproduce, hcla_cost.QUANTITIES, hcla_cost.LINES, in_parts=True),
    "afc-figures": Table(afc_figures.reproduce, afc_figures.QUANTITIES, afc_figures.LINES,
                         categories=_CATEGORIES, in_parts=True),
    "sl-locality": Table(sl_locality.reproduce, sl_locality.QUANTITIES, sl_locality.LINES),
}
