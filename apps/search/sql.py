"""Conditions of filters as SQL, for tables that are read without Django's models."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.db.models.expressions import RawSQL

OPERATORS = {"exact": "=", "gt": ">", "gte": ">=", "lt": "<", "lte": "<="}


@dataclass(frozen=True, slots=True)
class Condition:
    """A part of a WHERE; an empty one is always true."""

    sql: str
    params: tuple[Any, ...] = ()


def raw(sql: str, params: Sequence[Any] = ()) -> Q:
    """A condition that is SQL already, over the columns of the table that is read."""
    return Q(RawSQL(sql, tuple(params)))


def where(condition: Q, alias: str = "") -> Condition:
    """A condition over the columns of the table `alias`."""
    parts = [_part(child, alias) for child in condition.children]
    held = _joined(parts, condition.connector)
    return Condition(f"NOT ({held.sql})", held.params) if condition.negated else held


def among(column: str, values: Sequence[Any]) -> Condition:
    """The column has one of the values; false if there are none."""
    if not values:
        return Condition("1 = 0")
    return Condition(f"{column} IN ({', '.join(['%s'] * len(values))})", tuple(values))


def all_of(conditions: Iterable[Condition]) -> Condition:
    """The conjunction of the conditions."""
    return _joined([condition for condition in conditions if condition.sql], "AND")


def any_of(conditions: Sequence[Condition]) -> Condition:
    """The disjunction of the conditions."""
    return _joined(conditions, "OR")


def _joined(parts: Sequence[Condition], connector: str) -> Condition:
    return Condition(
        f" {connector} ".join(f"({part.sql})" for part in parts),
        tuple(value for part in parts for value in part.params),
    )


def _part(child: Any, alias: str) -> Condition:
    if isinstance(child, Q):
        return where(child, alias)
    if isinstance(child, RawSQL):
        return Condition(child.sql, tuple(child.params))
    key, value = child
    name, _, lookup = key.partition("__")
    column = f"{alias}.{name}" if alias else name
    if lookup == "in":
        return among(column, [*value])
    if value is None:
        return Condition(f"{column} IS NULL")
    return Condition(f"{column} {OPERATORS[lookup or 'exact']} %s", (value,))
