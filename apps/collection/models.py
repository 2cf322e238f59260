"""What is known of crawled pages for searching them.

The index of words itself stands in a table of the database's own kind (`search.py`), by page.
Rows bear the key of their page (`page_id`) and go with their crawl: a cascade over pages would have
each one loaded, and SQLite finds a row fastest by a key of its own counting.
"""

from __future__ import annotations

from django.db import models

from apps.crawls.models import Crawl
from apps.topics.models import Topic

BINS = 20
"""Topicality is filtered in steps of 1/20."""


class Entry(models.Model):
    """A page of a collection, narrow, so that a hundred thousand of them are counted at once.

    `verdict` is 10 × judges + votes where the page is relevant (33: 3 of 3), 0 where it is not, −1
    where nobody judged. `tau_bin` is ⌊20 τ⌋ up to 19, −1 where τ is unknown. `label` is what an
    analyst said, `http_status` the code of the answer. `address` and `canonical` are digests of the
    final URL and of rel=canonical. `fold` is the first page of a group of near-duplicates, None for
    a page by itself.
    """

    page_id = models.BigAutoField(primary_key=True)
    topic = models.ForeignKey(Topic, models.CASCADE, related_name="+", db_index=False)
    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="+", db_index=False)
    seq = models.PositiveIntegerField()
    verdict = models.SmallIntegerField()
    label = models.BooleanField(null=True)
    target = models.BooleanField()
    seed = models.BooleanField()
    example = models.BooleanField(default=False)
    tau_bin = models.SmallIntegerField()
    topicality = models.FloatField(null=True)
    status = models.FloatField(null=True)
    day = models.DateField()
    host = models.CharField(max_length=255)
    http_status = models.PositiveSmallIntegerField()
    address = models.BigIntegerField()
    canonical = models.BigIntegerField(null=True)
    fold = models.BigIntegerField(null=True)

    class Meta:
        ordering = ["crawl", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["crawl", "seq"], name="collected_once_a_page")
        ]
        indexes = [
            models.Index(fields=["topic", "address"], name="collected_by_address"),
            models.Index(fields=["topic", "canonical"], name="collected_by_canonical"),
            models.Index(fields=["fold"], name="collected_by_fold"),
            models.Index(fields=["crawl", "host"], name="collected_by_host"),
            # All that is counted beside the filters, so that the rows themselves need not be read.
            models.Index(
                fields=["crawl", "verdict", "label", "target", "seed", "example", "tau_bin",
                        "http_status"],
                name="collected_by_counts",
            ),
        ]


class Fingerprint(models.Model):
    """The text of the first page of each group of near-duplicates, as a 64-bit simhash.

    Two texts that differ in up to three bits share at least one of the four bands.
    """

    page_id = models.BigAutoField(primary_key=True)
    topic = models.ForeignKey(Topic, models.CASCADE, related_name="+", db_index=False)
    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="+")
    simhash = models.BigIntegerField()
    words = models.PositiveIntegerField()
    band_0 = models.PositiveIntegerField()
    band_1 = models.PositiveIntegerField()
    band_2 = models.PositiveIntegerField()
    band_3 = models.PositiveIntegerField()

    class Meta:
        indexes = [
            models.Index(fields=["topic", f"band_{band}"], name=f"fingerprint_band_{band}")
            for band in range(4)
        ]


class Progress(models.Model):
    """How far a crawl has been taken into the collection.

    Pages up to `listed` have an Entry, those up to `indexed` their words in the index, stemmed as
    `language` wants it (empty: not stemmed). `marked` is the topic's version that examples and
    labels were last read from. `asked_at` is set while a background task is wanted or works.
    """

    crawl = models.OneToOneField(
        Crawl, models.CASCADE, primary_key=True, related_name="collected"
    )
    listed = models.PositiveIntegerField(default=0)
    indexed = models.PositiveIntegerField(default=0)
    language = models.CharField(max_length=8, null=True)
    marked = models.PositiveIntegerField(default=0)
    asked_at = models.DateTimeField(null=True)
    indexed_at = models.DateTimeField(null=True)
