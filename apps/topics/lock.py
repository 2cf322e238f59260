"""A lock on one topic, for changes of its lists, of its labels or of the pages of its crawls."""

from __future__ import annotations

from django.db import connection

_KIND = 0x746F7069
"""Distinguishes these locks from others of the same database."""


def lock_topic(topic_id: int) -> None:
    """Waits for the topic's lock and holds it until the transaction ends.

    Call it before anything else in the transaction: two transactions that lock the same rows in
    different orders would deadlock. Its holder sees all changes of the holder before. On SQLite the
    transaction itself is the lock, as only one can write.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [_KIND, topic_id & 0x7FFFFFFF])
