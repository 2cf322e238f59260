"""What could be filtered, with counts: each filter's with all the others applied, not itself.

The database counts the pages of every combination of the few-valued columns; the rest is addition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from apps.collection.conditions import host_condition, tables, verdict_name
from apps.collection.filters import Filters, Role
from apps.collection.models import BINS
from apps.collection.scope import Scope
from apps.collection.search import Part, fetch

HOSTS = 8


class Cell(NamedTuple):
    """The pages that agree in all of these; columns as in Entry."""

    crawl: int
    verdict: int
    label: bool | None
    target: bool
    seed: bool
    example: bool
    tau_bin: int
    http_status: int
    pages: int

    @property
    def label_name(self) -> str:
        return "none" if self.label is None else "y" if self.label else "n"


@dataclass(frozen=True, slots=True)
class Facets:
    """Pages by value of each filter; `histogram` has twenty steps of topicality.

    `found` counts the pages of the search, near-duplicates each; `all` those of the scope that
    have the words, whatever is filtered beside them.
    """

    found: int
    all: int
    verdicts: Mapping[str, int]
    labels: Mapping[str, int]
    crawls: Mapping[int, int]
    hosts: Mapping[str, int]
    answers: Mapping[int, int]
    roles: Mapping[Role, int]
    histogram: tuple[int, ...]


Test = Callable[[Cell], bool]


CELLS = Part(
    ("crawl_id", "verdict", "label", "target", "seed", "example", "tau_bin", "http_status",
     "pages"),
    "SELECT crawl_id, verdict, label, target, seed, example, tau_bin, http_status,"
    " COUNT(*) AS pages FROM matched WHERE in_hosts GROUP BY 1, 2, 3, 4, 5, 6, 7, 8",
)  # fmt: skip


def facets(scope: Scope, filters: Filters) -> Facets:
    """The counts beside the filters of a search."""
    chosen = tables(scope, filters)
    return counted(filters, *fetch(chosen.sql, chosen.params, facet_parts(filters)))


def facet_parts(filters: Filters) -> tuple[Part, Part]:
    """What `counted` is given of a search: cells, and the hosts with most pages.

    The hosts filtered by come first, so that none of them is cut off.
    """
    chosen = host_condition(filters, "host")
    first = f"CASE WHEN {chosen.sql} THEN 0 ELSE 1 END, " if chosen.sql else ""
    hosts = Part(
        ("host", "pages"),
        "SELECT host, COUNT(*) AS pages FROM matched WHERE in_choice GROUP BY host"
        f" ORDER BY {first}COUNT(*) DESC, host LIMIT %s",
        (*chosen.params, HOSTS + len(filters.hosts)),
    )
    return CELLS, hosts


def counted(filters: Filters, cell_rows: Any, host_rows: Any) -> Facets:
    """The counts, of the rows of `facet_parts`."""
    cells = [Cell(*row) for row in cell_rows]
    tests = _tests(filters)
    verdicts, labels = Counter[str](), Counter[str]()
    crawls, answers, roles = Counter[int](), Counter[int](), Counter[Role]()
    histogram = [0] * BINS
    for cell in cells:
        failed = [name for name, test in tests.items() if not test(cell)]
        if len(failed) > 1:
            continue
        here = failed[0] if failed else None
        if here in (None, "verdict"):
            verdicts[verdict_name(cell.verdict)] += cell.pages
        if here in (None, "label"):
            labels[cell.label_name] += cell.pages
        if here in (None, "crawl"):
            crawls[cell.crawl] += cell.pages
        if here in (None, "answer"):
            answers[cell.http_status] += cell.pages
        if here in (None, "role"):
            roles.update({role: cell.pages for role in Role if getattr(cell, role)})
        if here in (None, "tau") and cell.tau_bin >= 0:
            histogram[cell.tau_bin] += cell.pages
    return Facets(
        found=sum(c.pages for c in cells if all(test(c) for test in tests.values())),
        all=sum(cell.pages for cell in cells),
        verdicts=verdicts, labels=labels, crawls=crawls, hosts=_hosts(filters, host_rows),
        answers=answers, roles=roles, histogram=tuple(histogram),
    )


def _tests(filters: Filters) -> dict[str, Test]:
    """What a cell must pass, by facet: the same as `facet_conditions` in SQL."""
    return {
        "verdict": lambda c: (not filters.verdicts and not filters.relevant)
        or verdict_name(c.verdict) in filters.verdicts or (filters.relevant and c.verdict > 0),
        "label": lambda c: not filters.labels or c.label_name in filters.labels,
        "crawl": lambda c: not filters.crawls or c.crawl in filters.crawls,
        "answer": lambda c: not filters.answers or c.http_status in filters.answers,
        "role": lambda c: (not filters.roles or any(getattr(c, role) for role in filters.roles))
        and not any(getattr(c, role) for role in filters.without),
        "tau": lambda c: (filters.tau_from, filters.tau_to) == (0, BINS)
        or filters.tau_from <= c.tau_bin < filters.tau_to,
    }


def _hosts(filters: Filters, rows: Any) -> dict[str, int]:
    counts = dict.fromkeys(filters.hosts, 0) | dict(rows)
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
