"""The index of crawled pages: a row for each page, and its near-duplicates."""

from __future__ import annotations

from django.db import models

from apps.crawls.models import Crawl
from apps.engine.kinds import DocumentKind
from apps.topics.models import Topic

BINS = 20
"""Topicality is filtered in steps of 1/20."""
COUNTED_COLUMNS = (
    "verdict",
    "label",
    "target",
    "seed",
    "example",
    "tau_bin",
    "http_status",
    "needs_javascript",
    "rendered",
    "reserved",
    "kind",
    "crawl_set",
)
"""All columns that filters count. An index has them, so that the rows themselves need not be
read."""
GROUPED_COLUMNS = {
    "host": "host",
    "language": "language",
    "published_month": "month",
    "cluster": "cluster",
}
"""The columns whose most frequent values filters offer, with the name of their index, which has the
set of crawls too: by it only one entry of a page counts."""


class Entry(models.Model):
    """A page of a collection as a narrow row, so that a hundred thousand can be counted at once.

    `verdict` is 10 × judges + votes if the page is relevant (33: 3 of 3), 0 if it is not, −1 if
    nobody judged it. `topicality` is τ as the crawl knew it last, `tau_bin` ⌊20 τ⌋ up to 19, −1 if
    τ is unknown. `label` is an analyst's
    label, `http_status` the status code of the answer. `address` and `canonical` are digests of the
    final URL and of rel=canonical. `fold` is the first page of a group of near-duplicates, None for
    a page without any. `crawl_set` is the key of the CrawlSet that has fetched the address.
    `rendered`: its text was made by running its scripts.
    `language` is the main one of its text or `UNDETERMINED`, `published` the day or month of
    publication, `published_month` 12 × year + month − 1 or `UNDATED`; `reserved` is whether a sign
    of an opt-out reserves something. All four are empty until the page has been read. `cluster` is
    the key of its Cluster, None while it is in none.
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
    needs_javascript = models.BooleanField(default=False)
    rendered = models.BooleanField(default=False)
    kind = models.CharField(max_length=12, default=DocumentKind.PAGE)
    address = models.BigIntegerField()
    canonical = models.BigIntegerField(null=True)
    fold = models.BigIntegerField(null=True)
    crawl_set = models.BigIntegerField()
    language = models.CharField(max_length=8, default="", blank=True)
    published = models.DateField(null=True)
    published_month = models.PositiveSmallIntegerField(null=True)
    reserved = models.BooleanField(default=False)
    cluster = models.BigIntegerField(null=True)

    class Meta:
        ordering = ["crawl", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["crawl", "seq"], name="collected_once_a_page")
        ]
        indexes = [
            models.Index(fields=["topic", "address"], name="collected_by_address"),
            models.Index(fields=["topic", "canonical"], name="collected_by_canonical"),
            models.Index(fields=["fold"], name="collected_by_fold"),
            *(
                models.Index(fields=["crawl", column, "crawl_set"], name=f"collected_by_{name}")
                for column, name in GROUPED_COLUMNS.items()
            ),
            models.Index(fields=["crawl", *COUNTED_COLUMNS], name="collected_by_counts"),
        ]


class CrawlSet(models.Model):
    """Crawls of a topic that have fetched the same pages; `crawls` are their keys, as in `3;4;5`.

    A set outlives its crawls: readers ignore the deleted ones.
    """

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="+", db_index=False)
    crawls = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["topic", "crawls"], name="one_set_of_the_same_crawls")
        ]


class Fingerprint(models.Model):
    """A sketch of the text of the first page of each group of near-duplicates.

    `sketch` are 128 numbers of 32 bits (`resemblance.sketch`); texts that share a band are
    compared.
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
