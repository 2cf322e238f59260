"""Filters as SQL over `collection_entry e`, so that list, counts and downloads agree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from apps.collection import search
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
class Tables:
    """The common tables of a search, and their parameters, for `search.fetch`.

    `candidates` are the pages that the index of words, dates and status leave, with what is counted
    of them; `in_hosts` and `in_choice` say whether they pass the hosts and the other filters.
    `matched` are those that have the phrases too, `hits` those that pass every filter.
    """

    sql: str
    params: tuple[Any, ...]
    found: Matching


COLUMNS = (
    "page_id, crawl_id, verdict, label, target, seed, example, tau_bin, http_status, host, fold,"
    " topicality, status"
)


def tables(scope: Scope, filters: Filters, thorough: bool = False) -> Tables:
    """What the list, the counts and the downloads of a search read.

    Phrases are looked for in every candidate if `thorough`, else in `LOOKED_THROUGH`.
    """
    found = matching(read_words(filters.words, scope.languages))
    in_hosts, in_choice = host_condition(filters), _all(facet_conditions(filters))
    where = _all([_among("e.crawl_id", scope.crawl_ids), Condition(found.condition, found.params),
                  *_ranges(filters)])  # fmt: skip
    columns = ", ".join(f"e.{name}" for name in COLUMNS.split(", "))
    # Without words the indexes of the entries count faster than a copy of them.
    how = "MATERIALIZED" if filters.words else "NOT MATERIALIZED"
    candidates = (
        f"candidates AS {how} (SELECT {columns}, {in_hosts.sql or '1 = 1'} AS in_hosts,"
        f" {in_choice.sql or '1 = 1'} AS in_choice FROM {found.tables} WHERE {where.sql})"
    )
    params = (*in_hosts.params, *in_choice.params, *found.table_params, *where.params)
    matched = _matched(found, thorough)
    hits = "hits AS NOT MATERIALIZED (SELECT * FROM matched WHERE in_hosts AND in_choice)"
    return Tables(f"{candidates}, {matched.sql}, {hits}", (*params, *matched.params), found)


def _matched(found: Matching, thorough: bool) -> Condition:
    """The common tables between candidates and hits."""
    if not found.places:
        return Condition("matched AS NOT MATERIALIZED (SELECT * FROM candidates)")
    looked = "candidates" if thorough else (
        "(SELECT * FROM candidates ORDER BY in_hosts AND in_choice DESC,"
        f" topicality DESC NULLS LAST, page_id LIMIT {search.LOOKED_THROUGH})"
    )
    return Condition(
        f"matched AS MATERIALIZED (SELECT * FROM {looked} AS c WHERE {found.places})",
        found.place_params,
    )


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


def host_condition(filters: Filters, column: str = "e.host") -> Condition:
    """The hosts filtered by; empty where none are."""
    return _among(column, filters.hosts) if filters.hosts else Condition("")


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


def _all(conditions: Iterable[Condition]) -> Condition:
    held = [condition for condition in conditions if condition.sql]
    return Condition(
        " AND ".join(f"({condition.sql})" for condition in held),
        tuple(value for condition in held for value in condition.params),
    )


def _any(conditions: Iterable[str]) -> Condition:
    return Condition(" OR ".join(conditions))
