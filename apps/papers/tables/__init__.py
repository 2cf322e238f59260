"""The tables that can be reproduced, each with the options it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from apps.papers.tables import (
    afc_figures,
    hcla_cost,
    hcla_table_3,
    hcla_table_5,
    hcla_variants,
    sl_locality,
)
from apps.papers.tables.hcla_levels import HARVEST, LEVEL_QUANTITIES
from apps.papers.tables.hcla_protocol import CRAWLERS, QUERIES, ProtocolCrawler
from apps.papers.tables.hcla_variants import PARAMETERS, READINGS, ids
from apps.papers.tables.observed import Observed, Quantity
from apps.papers.tables.options import Options, Report
from apps.papers.tables.parted_web import ROOT_LABEL, PartedWeb


class Reproduced(Protocol):
    """The result of a table: its figures for a program, as lines for a person, and what claims are
    tested on."""

    def as_dict(self) -> dict[str, Any]: ...
    def text(self) -> str: ...
    def observed(self) -> Observed: ...


@dataclass(frozen=True, slots=True)
class PaperTable:
    """A table and its options; others are refused.

    `observes` are the quantities and `lines` the crawlers that claims can be about. `in_parts`: it
    crawls parts of a web, each from its own root page, and parts may be selected. `label` is one
    that the web must have, itself or below it. Without `crawls` there is no number of pages.
    """

    reproduce: Callable[[PartedWeb, Options, Report], Reproduced]
    observes: tuple[Quantity, ...]
    lines: tuple[str, ...]
    crawlers: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    in_parts: bool = False
    label: str = ""
    crawls: bool = True


_CATEGORIES = tuple(QUERIES)


def _of_crawlers(
    reproduce: Callable[[PartedWeb, Options, Report], Reproduced],
    crawlers: Sequence[ProtocolCrawler],
    observes: tuple[Quantity, ...] = LEVEL_QUANTITIES,
) -> PaperTable:
    """A table of HCLA's protocol over WebKB."""
    return PaperTable(
        reproduce,
        observes,
        tuple(crawler.title for crawler in crawlers),
        ids(crawlers),
        _CATEGORIES,
        in_parts=True,
        label=ROOT_LABEL,
    )


TABLES: Mapping[str, PaperTable] = {
    "hcla-table-3": _of_crawlers(hcla_table_3.reproduce, CRAWLERS),
    "hcla-parameters": _of_crawlers(hcla_variants.parameters, PARAMETERS, (HARVEST,)),
    "hcla-ss1": _of_crawlers(hcla_variants.interpretations, READINGS),
    "hcla-table-5": PaperTable(
        hcla_table_5.reproduce,
        LEVEL_QUANTITIES,
        tuple(title for title, _ in hcla_table_5.CRAWLERS.values()),
        tuple(hcla_table_5.CRAWLERS),
        label=hcla_table_5.CATEGORY,
    ),
    "hcla-cost": PaperTable(
        hcla_cost.reproduce,
        hcla_cost.QUANTITIES,
        hcla_cost.LINES,
        in_parts=True,
        label=ROOT_LABEL,
    ),
    "afc-figures": PaperTable(
        afc_figures.reproduce,
        afc_figures.QUANTITIES,
        afc_figures.LINES,
        categories=_CATEGORIES,
        in_parts=True,
        label=ROOT_LABEL,
    ),
    "sl-locality": PaperTable(
        sl_locality.reproduce, sl_locality.QUANTITIES, sl_locality.LINES, crawls=False
    ),
}
