"""The entries of crawls, counted by what overviews ask of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from django.db import connection

from apps.collection.models import COUNTED_COLUMNS, Entry
from apps.collection.stored_counts import stored_counts
from apps.search.sql import among

COLUMNS = ("crawl_id", "crawl_set", "verdict", "label", "target")


class EntryCount(NamedTuple):
    """The number of a crawl's `entries` with these values; columns as in Entry."""

    crawl: int
    crawl_set: int
    verdict: int
    label: bool | None
    target: bool
    entries: int


def count_entries(crawls: Mapping[int, Sequence[int]]) -> dict[int, list[EntryCount]]:
    """The counts of crawls of some topics, by topic, those of the same values once.

    They are stored until the entries of the topic change."""

    def count(topics: Sequence[int]) -> dict[int, list[EntryCount]]:
        counts: dict[int, list[EntryCount]] = {topic: [] for topic in topics}
        topic_of = {crawl: topic for topic in topics for crawl in crawls[topic]}
        for row in _count(list(topic_of)):
            counts[topic_of[row.crawl]].append(row)
        return counts

    questions = {topic: ("entries", *of_topic) for topic, of_topic in crawls.items()}
    return stored_counts(questions, count)


def _count(crawls: Sequence[int]) -> Iterator[EntryCount]:
    """The counts of the crawls.

    SQLite, which sorts what it groups, counts by all columns of an index in its order first.
    """
    sorts = connection.vendor == "sqlite"
    indexed = ", ".join(("crawl_id", *COUNTED_COLUMNS) if sorts else COLUMNS)
    names, chosen = ", ".join(COLUMNS), among("crawl_id", crawls)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {names}, CAST(SUM(entries) AS INTEGER) FROM (SELECT {indexed},"
            f" COUNT(*) AS entries FROM {Entry._meta.db_table} WHERE {chosen.sql}"
            f" GROUP BY {indexed}) AS counted GROUP BY {names}",
            chosen.params,
        )
        rows = cursor.fetchall()
    for crawl, crawl_set, verdict, label, target, entries in rows:
        yield EntryCount(
            crawl,
            crawl_set,
            verdict,
            None if label is None else bool(label),
            bool(target),
            entries,
        )
