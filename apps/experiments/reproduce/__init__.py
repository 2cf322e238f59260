"""THE TABLES that can be run again: one file and one line here for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from apps.experiments.reproduce import afc_figures, hcla_cost, hcla_table_3, hcla_table_5
from apps.experiments.reproduce.options import Options, Say
from apps.experiments.reproduce.parted_web import PartedWeb


class Reproduced(Protocol):
    """A table that was run: its figures for a program, and as lines for a person."""

    def as_dict(self) -> dict[str, Any]: ...
    def text(self) -> str: ...


TABLES: Mapping[str, Callable[[PartedWeb, Options, Say], Reproduced]] = {
    "hcla-table-3": hcla_table_3.reproduce,
    "hcla-table-5": hcla_table_5.reproduce,
    "hcla-cost": hcla_cost.reproduce,
    "afc-figures": afc_figures.reproduce,
}
# These crawl parts of a web, each from a page of its own.
IN_PARTS = frozenset({"hcla-table-3", "hcla-cost", "afc-figures"})
