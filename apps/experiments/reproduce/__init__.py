"""The tables that can be reproduced, each with the options it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from apps.experiments.reproduce import (
    afc_figures,
    hcla_cost,
    hcla_table_3,
    hcla_table_5,
    hcla_variants,
    lc_crawlers,
    sl_crawlers,
)
from apps.experiments.reproduce.hcla_protocol import CRAWLERS, QUERIES
from apps.experiments.reproduce.hcla_variants import PARAMETERS, READINGS, ids
from apps.experiments.reproduce.options import Options, Say
from apps.experiments.reproduce.parted_web import PartedWeb


class Reproduced(Protocol):
    """The result of a table: its figures for a program, and as lines for a person."""

    def as_dict(self) -> dict[str, Any]: ...
    def text(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Table:
    """A table and its options; others are refused.

    `in_parts`: it crawls parts of a web, each from its own root page, and parts may be selected.
    `by_label`: it makes its categories from the web's labels, and lists them itself.
    """

    reproduce: Callable[[PartedWeb, Options, Say], Reproduced]
    crawlers: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    in_parts: bool = False
    by_label: bool = False


_CATEGORIES = tuple(QUERIES)

TABLES: Mapping[str, Table] = {
    "hcla-table-3": Table(hcla_table_3.reproduce, ids(CRAWLERS), _CATEGORIES, in_parts=True),
    "hcla-parameters": Table(
        hcla_variants.parameters, ids(PARAMETERS), _CATEGORIES, in_parts=True),
    "hcla-ss1": Table(hcla_variants.interpretations, ids(READINGS), _CATEGORIES, in_parts=True),
    "hcla-table-5": Table(hcla_table_5.reproduce, tuple(hcla_table_5.CRAWLERS)),
    "hcla-cost": Table(hcla_cost.reproduce, in_parts=True),
    "lc-crawlers": Table(lc_crawlers.reproduce, tuple(lc_crawlers.CRAWLERS), by_label=True),
    "sl-crawlers": Table(sl_crawlers.reproduce, tuple(sl_crawlers.CRAWLERS), by_label=True),
    "afc-figures": Table(afc_figures.reproduce, categories=_CATEGORIES, in_parts=True),
}
