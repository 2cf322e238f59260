"""Pages, failed requests, and the stored words of pages."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Self

from django.db import models

from apps.crawls.models.crawl import Crawl
from apps.engine.kinds import DocumentKind
from apps.engine.model import Verdict


class PageQuerySet(models.QuerySet["Page"]):
    """Pages, in the order in which they were fetched by default."""

    def numbered(self, numbers: Collection[int]) -> Self:
        """The pages of URLs with these numbers, unordered: to order them, or to read `seq` too,
        SQLite would scan every page of the crawl."""
        return self.filter(number__in=numbers).order_by()


class ShownPages(models.Manager["Page"]):
    """The pages that are not hidden."""

    def get_queryset(self) -> PageQuerySet:
        return PageQuerySet(self.model, using=self._db).filter(hidden=False)

    def filter(self, *conditions: Any, **values: Any) -> PageQuerySet:
        """See `QuerySet.filter`."""
        return self.get_queryset().filter(*conditions, **values)

    def numbered(self, numbers: Collection[int]) -> PageQuerySet:
        """See `PageQuerySet.numbered`."""
        return self.get_queryset().numbered(numbers)


class Page(models.Model):
    """A page in a crawl's collection; its body is in the page store. `site_lists` are the addresses
    of the sitemaps and feeds that were queued with it. `rendered`: its text was made by running
    its scripts; beside it the page as it was fetched is stored.

    It took one request, sent at `fetched_at`, unless `in_hops`: then each has a `HostRequest`.
    `size` is that of the body in bytes, as it was sent.

    `topicality` is τ when it was fetched, `topicality_at_end` by all that the crawl knew at its
    end; None where that is the same.

    A `hidden` page is one of a host that was taken down: only `every` has it, and once it is erased
    it has no title, no body and no `digest`.

    `kind` is what it was before it was converted; such a document may have `document_pages`, or no
    text (`has_no_text`), so that it is not judged.
    """

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="pages_fetched")
    seq = models.PositiveIntegerField()
    request = models.PositiveIntegerField()
    number = models.PositiveIntegerField()
    url = models.TextField()
    final_url = models.TextField()
    host = models.CharField(max_length=255)
    http_status = models.PositiveSmallIntegerField()
    title = models.TextField(blank=True)
    words = models.PositiveIntegerField()
    topicality = models.FloatField(null=True)
    topicality_at_end = models.FloatField(null=True)
    status = models.FloatField(null=True)
    status_log = models.FloatField(null=True)
    votes = models.PositiveSmallIntegerField(null=True)
    votes_of = models.PositiveSmallIntegerField(null=True)
    probability = models.FloatField(null=True)
    relevant = models.BooleanField(null=True)
    target = models.BooleanField(default=False)
    seed = models.BooleanField(default=False)
    priority = models.FloatField()
    parent = models.BigIntegerField()
    depth = models.PositiveIntegerField()
    needs_javascript = models.BooleanField(default=False)
    rendered = models.BooleanField(default=False, db_default=False)
    kind = models.CharField(max_length=12, default=DocumentKind.PAGE)
    document_pages = models.PositiveIntegerField(default=0)
    has_no_text = models.BooleanField(default=False)
    truncated = models.BooleanField(default=False)
    canonical = models.TextField(blank=True)
    fetched_at = models.DateTimeField()
    seconds = models.FloatField()
    in_hops = models.BooleanField(default=False, db_default=False)
    size = models.PositiveBigIntegerField(default=0, db_default=0)
    hidden = models.BooleanField(default=False, db_default=False)
    digest = models.CharField(max_length=80)
    file = models.CharField(max_length=200)
    offset = models.BigIntegerField()
    length = models.BigIntegerField()
    telemetry = models.JSONField(default=dict)
    site_lists = models.JSONField(default=list)

    objects = ShownPages()
    every = PageQuerySet.as_manager()

    @property
    def latest_topicality(self) -> float | None:
        """τ as the crawl knew it last, by which lists of pages are ordered."""
        return self.topicality if self.topicality_at_end is None else self.topicality_at_end

    @property
    def verdict(self) -> Verdict | None:
        """The judge's verdict; None where the page has not been judged."""
        return Verdict.of_columns(self.votes, self.votes_of, self.probability)

    class Meta:
        ordering = ["seq"]
        constraints = [
            models.UniqueConstraint(fields=["crawl", "seq"], name="page_once_a_crawl"),
            models.UniqueConstraint(fields=["crawl", "number"], name="page_once_a_url"),
        ]
        indexes = [
            models.Index(fields=["crawl", "host"], name="page_by_host"),
            models.Index(fields=["crawl"], condition=models.Q(target=True), name="target_page"),
            models.Index(
                fields=["crawl", "number"],
                condition=models.Q(needs_javascript=True),
                name="page_of_scripts",
            ),
        ]


class FailedRequest(models.Model):
    """A request that yielded no page, with its kind (`engine.codes.Failure`, `http_404` …); `links`
    are the followed links of a page that asks not to be indexed, `site_list` is what was taken of a
    sitemap or a feed (`engine.parsing.site_lists`), `validators` the ETag and the Last-Modified of
    its answer.

    `in_hops`: no request was sent, or several, which have a `HostRequest` each; None in rows from
    before that was recorded. `size` is that of the body in bytes, as it was sent, `retry_after` in
    seconds.
    """

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="failed_requests")
    request = models.PositiveIntegerField()
    number = models.PositiveIntegerField()
    url = models.TextField()
    final_url = models.TextField()
    host = models.CharField(max_length=255)
    kind = models.CharField(max_length=40)
    detail = models.TextField(blank=True)
    at = models.DateTimeField()
    links = models.JSONField(default=list)
    site_list = models.JSONField(null=True)
    in_hops = models.BooleanField(null=True)
    status = models.PositiveSmallIntegerField(null=True)
    size = models.PositiveBigIntegerField(default=0, db_default=0)
    retry_after = models.FloatField(null=True)
    validators = models.JSONField(default=list)

    class Meta:
        ordering = ["request"]
        constraints = [
            models.UniqueConstraint(fields=["crawl", "request"], name="failure_once_a_request")
        ]
        indexes = [
            models.Index(fields=["crawl", "kind"], name="failure_by_kind"),
            models.Index(fields=["crawl", "host"], name="failure_by_host"),
            models.Index(fields=["crawl", "number"], name="failure_by_number"),
        ]


class UnsealedPages(models.Model):
    """The bytes that one commit has appended to a file of the page store before the file is
    uploaded to the object store; without an object store there are no rows."""

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="unsealed")
    file = models.CharField(max_length=200)
    offset = models.BigIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["crawl", "file", "offset"], name="unsealed_once_a_place"
            )
        ]

    def __str__(self) -> str:
        return f"{self.file} from {self.offset}"


class WordsToErase(models.Model):
    """Words that only erased pages had, which a run of the crawl is to forget before its next
    checkpoint: keyed digests (`crawls.words_to_erase`), one after the other."""

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="+")
    digests = models.BinaryField()


class KeptText(models.Model):
    """The words of one page as token ids and the positions of its links, zlib-compressed.

    Written in the page's transaction, only for strategies that labels change. The token ids are
    those of the crawl's vocabulary, which only grows (`engine.crawl.link_contexts`).
    """

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="texts")
    seq = models.PositiveIntegerField()
    text = models.BinaryField()

    class Meta:
        ordering = ["seq"]
        constraints = [models.UniqueConstraint(fields=["crawl", "seq"], name="text_once_a_page")]

    def __str__(self) -> str:
        return f"text of page {self.seq}"
