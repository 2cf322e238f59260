"""What every connection to PostgreSQL is told before its first query, and a shared one whenever it
is taken."""

from __future__ import annotations

from typing import Any

from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

SETTINGS = "CLOSE ALL; SET random_page_cost = 1.1; SET jit = off"
"""A cursor that a broken answer has left on a shared connection could have the name of a new one.
An index's pages are in memory or on a solid-state disk: by the usual 4.0 the planner reads all
of a table for five hundred of its rows. No query runs long enough to be worth compiling."""


def set_up(connection: BaseDatabaseWrapper, **_: Any) -> None:
    """Sends the settings, if the connection is one to PostgreSQL."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(SETTINGS)


def listen() -> None:
    connection_created.connect(set_up)
