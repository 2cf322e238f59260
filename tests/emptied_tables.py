"""What Django empties after a test whose transactions are real, without what all tests share.

It would make every content type and permission anew, which takes longer than most of these tests.
"""

from __future__ import annotations

from functools import cache

from django.core.management.color import no_style
from django.db import connections
from django.test import TransactionTestCase

# Written by `migrate`, and by no test.
KEPT = {"django_content_type", "auth_permission"}


def empty_quickly() -> None:
    """Has every `TransactionTestCase` leave these two tables as they are."""
    TransactionTestCase._fixture_teardown = _empty


EMPTY_INDEX = {
    "sqlite": "INSERT INTO collection_words (collection_words) VALUES ('delete-all')",
    "postgresql": "DELETE FROM collection_words",
}
"""The index of words is no model's table, and other tests count its rows."""


def _empty(self: TransactionTestCase) -> None:
    for name in self._databases_names(include_mirrors=False):
        connection = connections[name]
        index = EMPTY_INDEX[connection.vendor]
        connection.ops.execute_sql_flush([*_statements(name), index])


@cache
def _statements(name: str) -> list[str]:
    connection = connections[name]
    tables = set(connection.introspection.django_table_names(only_existing=True)) - KEPT
    return connection.ops.sql_flush(no_style(), sorted(tables), allow_cascade=False)
