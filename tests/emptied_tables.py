"""What Django empties after a test whose transactions are real, without what all tests share.

It would make every content type and permission anew, which takes longer than most of these tests;
and on PostgreSQL truncate every table, which makes new files of all of them and waits for the disk.
"""

from __future__ import annotations

from functools import cache

from django.db import connections, transaction
from django.test import TransactionTestCase

# Written by `migrate`, and by no test.
KEPT = {"django_content_type", "auth_permission"}
EMPTY_INDEX = {
    "sqlite": "INSERT INTO collection_words (collection_words) VALUES ('delete-all')",
    "postgresql": "DELETE FROM collection_words",
}
"""The index of words is no model's table, and other tests count its rows."""


def empty_quickly() -> None:
    """Has every `TransactionTestCase` delete rows where there are any, and leave these two tables
    as they are."""
    TransactionTestCase._fixture_teardown = _empty


def _empty(self: TransactionTestCase) -> None:
    for name in self._databases_names(include_mirrors=False):
        connection = connections[name]
        # Keys of other tables are checked when the transaction ends, so that any order will do.
        with transaction.atomic(using=name), connection.cursor() as cursor:
            cursor.execute(_names_of_filled(name))
            for (table,) in cursor.fetchall():
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")
            cursor.execute(EMPTY_INDEX[connection.vendor])


@cache
def _names_of_filled(name: str) -> str:
    """A query whose rows are the names of the tables that have rows."""
    connection = connections[name]
    tables = set(connection.introspection.django_table_names(only_existing=True)) - KEPT
    return " UNION ALL ".join(
        f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {connection.ops.quote_name(table)})"
        for table in sorted(tables)
    )
