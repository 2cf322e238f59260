"""Columns that hold a list of words as JSON, in both databases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import connection
from django.db.models import BooleanField, FloatField, Func, Q, QuerySet, TextField, Value
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce, NullIf


class _JoinedItems(Func):
    output_field = TextField()

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        template = "(SELECT group_concat(value, char(10)) FROM json_each(%(expressions)s))"
        return super().as_sql(compiler, connection, template=template, **extra)

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        template = (
            "(SELECT string_agg(value, chr(10))"
            " FROM jsonb_array_elements_text(%(expressions)s) AS item(value))"
        )
        return super().as_sql(compiler, connection, template=template, **extra)


class _Has(Func):
    output_field = BooleanField()

    def as_sqlite(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        template = "EXISTS (SELECT 1 FROM json_each(%(expressions)s)"
        joiner = ") WHERE value = "
        return super().as_sql(compiler, connection, template=template, arg_joiner=joiner, **extra)

    def as_postgresql(self, compiler: Any, connection: Any, **extra: Any) -> Any:
        template = "jsonb_exists(%(expressions)s)"
        return super().as_sql(compiler, connection, template=template, **extra)


def joined(column: str) -> Coalesce:
    """The words of the column, one a line; empty without any."""
    return Coalesce(_JoinedItems(column), Value(""), output_field=TextField())


def has(column: str, word: str) -> Q:
    """The rows whose column has the word."""
    return Q(_Has(column, Value(word)))


def item_counts(rows: QuerySet[Any], column: str, most: int) -> Sequence[tuple[str, int]]:
    """The most frequent words of the column, each with the number of rows."""
    sql, params = rows.order_by().values(column).query.sql_with_params()
    items = (
        f"jsonb_array_elements_text(listed.{column}) AS item(value)"
        if connection.vendor == "postgresql"
        else f"json_each(listed.{column}) AS item"
    )
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT item.value, COUNT(*) FROM ({sql}) AS listed, {items}"
            " GROUP BY item.value ORDER BY COUNT(*) DESC, item.value LIMIT %s",
            (*params, most),
        )
        counts: list[tuple[str, int]] = cursor.fetchall()
        return counts


def number_in(path: str) -> Cast:
    """The number at a path in JSON, such as `metrics__harvest_rate`; NULL if there is none."""
    # SQLite reads the null of JSON as a text.
    return Cast(NullIf(KT(path), Value("null")), FloatField())
