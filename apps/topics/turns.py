"""One after the other: who changes a topic's lists, its labels or what its crawls gathered."""

from __future__ import annotations

from django.db import connection

_KIND = 0x746F7069
"""Distinguishes these locks from others of the same database."""


def take_turn(topic_id: int) -> None:
    """Waits until nobody else has the topic's turn; others then wait until the transaction has
    ended. On SQLite the transaction itself is the turn.

    Call it before anything else in the transaction: two that lock the same rows in different orders
    would wait for each other. With its turn each also sees what the one before has written.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_KIND, topic_id & 0x7FFFFFFF])
