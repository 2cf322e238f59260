"""HCLA's parameters (its Fig. 7 and 8), and interpretations of SS1, as tables like Table 3."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from apps.engine.intelligence.strategies.hcla import Hcla
from apps.engine.intelligence.strategies.ss1 import Ss1
from apps.papers.tables.hcla_protocol import CRAWLERS, ProtocolCrawler
from apps.papers.tables.hcla_table_3 import Table3, tabulate
from apps.papers.tables.options import Options, Report
from apps.papers.tables.parted_web import PartedWeb

BREADTH_FIRST = CRAWLERS[0]


def _hcla(k: int, n: int, raw: bool = False) -> ProtocolCrawler:
    """HCLA50r10 is k = 50 and N = 10, as in the paper's figures."""
    columns = ", raw columns, link weight .3" if raw else ""
    make = partial(Hcla, k=k, reorders_every=n)
    if raw:
        make = partial(make, columns="raw", link_weight=0.3)
    name = f"hcla{k}r{n}" + "_raw" * raw
    return ProtocolCrawler(name, f"HCLA{k}r{n}{columns}", make, corpus=True, misc=True)


PARAMETERS: tuple[ProtocolCrawler, ...] = (
    BREADTH_FIRST,
    *(_hcla(k, n) for k, n in ((50, 10), (50, 25), (50, 50), (30, 50), (80, 50))),
    *(_hcla(k, n, raw=True) for k, n in ((50, 10), (50, 25), (50, 50), (30, 50), (80, 50))),
)


def _ss1(id: str, title: str, background: bool = True, **parameters: Any) -> ProtocolCrawler:
    return ProtocolCrawler(id, f"SS1, {title}", partial(Ss1, **parameters), background=background)


READINGS: tuple[ProtocolCrawler, ...] = (
    BREADTH_FIRST,
    _ss1("sum", "all ancestors"),
    _ss1("sum_1000", "all ancestors, 1,000 terms", terms=1000),
    _ss1("best", "best of each generation", parents="max"),
    _ss1("best_1000", "best of each, 1,000 terms", parents="max", terms=1000),
    _ss1("best_decay", "best of each, d = .8", parents="max", decay=0.8),
    _ss1("best_parent", "best of the parents alone", parents="max", generations=1),
    _ss1("best_plain", "best of each, no rarity", background=False, parents="max"),
    _ss1("best_10", "best of each, N = 10", parents="max", reorders_every=10),
)


def parameters(web: PartedWeb, options: Options, report: Report) -> Table3:
    """HCLA with k of 30, 50 and 80 and N of 10, 25 and 50, for *project* (Fig. 7, 8)."""
    return tabulate("hcla-parameters", web, options, report, PARAMETERS, ("project",))


def interpretations(web: PartedWeb, options: Options, report: Report) -> Table3:
    """SS1 under what the paper leaves open: how ancestors are combined, and how words are
    weighted."""
    return tabulate("hcla-ss1", web, options, report, READINGS, ("student",))


def ids(crawlers: Iterable[ProtocolCrawler]) -> tuple[str, ...]:
    """The crawlers' names on the command line."""
    return tuple(crawler.id for crawler in crawlers)
