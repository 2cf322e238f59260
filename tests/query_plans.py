"""How SQLite would do what is read."""

from __future__ import annotations

from collections.abc import Callable

from django.db import connection
from django.test.utils import CaptureQueriesContext


def steps_of(read: Callable[[], object]) -> list[list[str]]:
    """The steps of SQLite's plan for each statement."""
    with CaptureQueriesContext(connection) as asked:
        read()
    steps = []
    for query in asked.captured_queries:
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {query['sql'].replace('%', '%%')}", [])
            steps.append([row[-1] for row in cursor.fetchall()])
    return steps
