"""Filters as SQL over `collection_entry e`, so that list, counts and downloads agree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from apps.collection.filters import NOT, UNJUDGED, Filters, Role
from apps.collection.models import BINS
from apps.collection.query_words import read_words
from apps.collection.scope import Scope
from apps.collection.search import Matching, matching


@dataclass(frozen=True, slots=True)
class Condition:
    """A piece of a WHERE with its parameters; an empty one holds for every page."""

    sql: str
    params: tuple[Any, ...] = ()


def verdict_code(name: str) -> int:
    """`3of3` → 33, as `Entry.verdict` has it."""
    if name in (NOT, UNJUDGED):
        return 0 if name == NOT else -1
    votes, _, of = name.partition("of")
    return 10 * int(of) + int(votes)


def verdict_name(code: int) -> str:
    """33 → `3of3`."""
    return {0: NOT, -1: UNJUDGED}.get(code, f"{code % 10}of{code // 10}")


@dataclass(frozen=True, slots=True)
class Source:
    """The pages of a scope with the words of a search: FROM and WHERE of every query.

    `params` belong to `sql`, which ends within its WHERE.
    """

    sql: str
    params: tuple[Any, ...]
    found: Matching


def source(scope: Scope, filters: Filters, *further: Condition) -> Source:
    """What matches words, dates and status, and `further` conditions besides."""
    found = matching(read_words(filters.words, scope.languages))
    conditions = [
        _among("e.crawl_id", scope.crawl_ids),
        Condition(found.condition, found.params),
        *_ranges(filters),
        *further,
    ]
    held = [condition for condition in conditions if condition.sql]
    where = " AND ".join(f"({condition.sql})" for condition in held)
    params = (value for condition in held for value in condition.params)
    return Source(f"FROM {found.tables} WHERE {where}", (*found.table_params, *params), found)


def facet_conditions(filters: Filters) -> list[Condition]:
    """Every filter that has counts beside it, hosts apart."""
    return [
        _verdict(filters),
        _label(filters),
        _among("e.crawl_id", filters.crawls) if filters.crawls else Condition(""),
        _among("e.http_status", filters.answers) if filters.answers else Condition(""),
        _any(f"e.{role}" for role in filters.roles),
        *(Condition(f"NOT e.{Role(role)}") for role in filters.without),
        _tau(filters),
    ]


def host_condition(filters: Filters) -> Condition:
    return _among("e.host", filters.hosts) if filters.hosts else Condition("")


def _verdict(filters: Filters) -> Condition:
    wanted = [f"e.verdict = {verdict_code(name)}" for name in filters.verdicts]
    return _any([*wanted, *(["e.verdict > 0"] if filters.relevant else [])])


def _label(filters: Filters) -> Condition:
    wanted = {"y": "e.label", "n": "NOT e.label", "none": "e.label IS NULL"}
    return _any(wanted[name] for name in filters.labels)


def _tau(filters: Filters) -> Condition:
    if filters.tau_from == 0 and filters.tau_to == BINS:
        return Condition("")
    # The last step holds τ = 1 too.
    return Condition("e.tau_bin >= %s AND e.tau_bin < %s", (filters.tau_from, filters.tau_to))


def _ranges(filters: Filters) -> list[Condition]:
    bounds = (
        ("e.status >= %s", filters.status_from),
        ("e.status <= %s", filters.status_to),
        ("e.day >= %s", filters.since),
        ("e.day <= %s", filters.until),
    )
    return [Condition(sql, (value,)) for sql, value in bounds if value is not None]


def _among(column: str, values: Sequence[Any]) -> Condition:
    if not values:
        return Condition("1 = 0")
    return Condition(f"{column} IN ({', '.join(['%s'] * len(values))})", tuple(values))


def _any(conditions: Iterable[str]) -> Condition:
    return Condition(" OR ".join(conditions))
