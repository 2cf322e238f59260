"""Topicality of a crawl's pages by all that it knows at its end, by which its list is ordered."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import connection, transaction

from apps.crawls.lifecycle.lease import write_fenced
from apps.crawls.models import Crawl
from apps.crawls.signals import topicality_changed
from apps.topics.lock import lock_topic


def write_end_topicality(crawl: Crawl, topicality: Mapping[int, float]) -> None:
    """Writes τ of pages, by URL number. What it was when they were fetched stays beside it."""
    if not topicality:
        return
    with transaction.atomic():
        lock_topic(crawl.topic_id)
        write_fenced(crawl)
        with connection.cursor() as cursor:
            cursor.executemany(
                "UPDATE crawls_page SET topicality_at_end = %s WHERE crawl_id = %s AND number = %s",
                [(tau, crawl.pk, number) for number, tau in topicality.items()],
            )
        topicality_changed.send(sender=Crawl, crawl=crawl)
