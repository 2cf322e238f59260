"""What is known of crawled pages for searching them.

The index of words itself stands in a table of the database's own kind (`search.py`), by page.
Rows bear the key of their page (`page_id`) and go with their crawl: a cascade over pages would have
each one loaded, and SQLite finds a row fastest by a key of its own counting.
"""

from __future__ import annotations

from django.db import models

from apps.crawls.models import Crawl
from apps.jobs.models import Job
from apps.topics.models import Topic

BINS = 20
"""Topicality is filtered in steps of 1/20."""


class Entry(models.Model):
    """A page of a collection, narrow, so that a hundred thousand of them are counted at once.

    `verdict` is 10 × judges + votes where the page is relevant (33: 3 of 3), 0 where it is not, −1
    where nobody judged. `tau_bin` is ⌊20 τ⌋ up to 19, −1 where τ is unknown. `label` is what an
    analyst said, `http_status` the code of the answer. `address` and `canonical` are digests of the
    final URL and of rel=canonical. `fold` is the first page of a group of near-duplicates, None for
    a page by itself. `crawl_set` is the key of the CrawlSet that has fetched the address.
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
    crawl_set = models.BigIntegerField()

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
                        "http_status", "crawl_set"],
                name="collected_by_counts",
            ),
        ]


class CrawlSet(models.Model):
    """Crawls of a topic that have fetched the same pages; `crawls` are their keys, as in `3;4;5`.

    A set outlives its crawls: what reads it looks at those that are still there.
    """

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="+", db_index=False)
    crawls = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["topic", "crawls"], name="one_set_of_the_same_crawls")
        ]

    @property
    def members(self) -> tuple[int, ...]:
        """The keys of its crawls, oldest first."""
        return tuple(map(int, self.crawls.split(";")))


class Fingerprint(models.Model):
    """The text of the first page of each group of near-duplicates, as a sketch.

    `sketch` are 128 numbers of 32 bits (`resemblance.sketch`); the bands find texts to compare.
    """

    page_id = models.BigAutoField(primary_key=True)
    topic = models.ForeignKey(Topic, models.CASCADE, related_name="+", db_index=False)
    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="+")
    sketch = models.BinaryField()
    words = models.PositiveIntegerField()
    band_0 = models.PositiveIntegerField()
    band_1 = models.PositiveIntegerField()
    band_2 = models.PositiveIntegerField()
    band_3 = models.PositiveIntegerField()
    band_4 = models.PositiveIntegerField()
    band_5 = models.PositiveIntegerField()
    band_6 = models.PositiveIntegerField()
    band_7 = models.PositiveIntegerField()
    band_8 = models.PositiveIntegerField()
    band_9 = models.PositiveIntegerField()

    class Meta:
        indexes = [
            models.Index(fields=["topic", f"band_{band}"], name=f"fingerprint_band_{band}")
            for band in range(10)
        ]


class Progress(Job):
    """How far a crawl has been taken into the collection.

    Pages up to `listed` have an Entry, those up to `indexed` their words in the index, stemmed as
    `language` wants it (empty: not stemmed). `marked` is the topic's version that examples and
    labels were last read from.
    """

    job_task = "apps.collection.tasks.index"

    crawl = models.OneToOneField(
        Crawl, models.CASCADE, primary_key=True, related_name="collected"
    )
    listed = models.PositiveIntegerField(default=0)
    indexed = models.PositiveIntegerField(default=0)
    language = models.CharField(max_length=8, null=True)
    marked = models.PositiveIntegerField(default=0)
    indexed_at = models.DateTimeField(null=True)
