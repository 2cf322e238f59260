"""The index of crawled pages.

The words are in a table specific to the database (`search.py`), by page. Rows have the key of their
page (`page_id`) and are deleted with their crawl: a cascade over pages would load each one, and
SQLite finds a row fastest by its own row number.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

from apps.collection.cluster_models import Cluster as Cluster
from apps.collection.cluster_models import Clustering as Clustering
from apps.crawls.models import Crawl
from apps.engine.kinds import DocumentKind
from apps.engine.parsing.opt_outs.catalogue import FORMS
from apps.engine.parsing.opt_outs.form import OptOutSign
from apps.jobs.models import Job
from apps.main_text.article import Block, text_of, unpack
from apps.topics.models import Topic

LONGEST_NAME = 80
UNDETERMINED = "und"
"""The language of a page that was read and shows none (ISO 639-2)."""
BINS = 20
"""Topicality is filtered in steps of 1/20."""


class Entry(models.Model):
    """A page of a collection as a narrow row, so that a hundred thousand can be counted at once.

    `verdict` is 10 × judges + votes if the page is relevant (33: 3 of 3), 0 if it is not, −1 if
    nobody judged it. `tau_bin` is ⌊20 τ⌋ up to 19, −1 if τ is unknown. `label` is an analyst's
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
            models.Index(fields=["crawl", "host"], name="collected_by_host"),
            models.Index(fields=["crawl", "language"], name="collected_by_language"),
            models.Index(fields=["crawl", "published_month"], name="collected_by_month"),
            models.Index(fields=["crawl", "cluster"], name="collected_by_cluster"),
            # Covers all columns that filters count, so that the rows themselves need not be read.
            models.Index(
                fields=[
                    "crawl",
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
                ],
                name="collected_by_counts",
            ),
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

    @property
    def members(self) -> tuple[int, ...]:
        """The keys of its crawls, oldest first."""
        return tuple(map(int, self.crawls.split(";")))


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


class MainText(models.Model):
    """What a person reads of a page (`apps.main_text`), packed.

    `languages` are pairs of code and share. `published` is the day that `published_source` names,
    of a month its first (`published_precision`). `words` counts those of the text. `signs` are the
    values of each `OptOutSign`, None until they have been looked for.
    """

    page_id = models.BigAutoField(primary_key=True)
    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="+")
    blocks = models.BinaryField()
    title = models.TextField(default="", blank=True)
    author = models.TextField(default="", blank=True)
    languages = models.JSONField(default=list)
    published = models.DateField(null=True)
    published_source = models.CharField(max_length=8, default="", blank=True)
    published_precision = models.CharField(max_length=5, default="", blank=True)
    words = models.PositiveIntegerField(default=0)
    signs = models.JSONField(null=True)

    @property
    def opt_outs(self) -> tuple[OptOutSign, ...]:
        """The signs of opt-outs in the page and its headers."""
        return tuple(OptOutSign(*sign) for sign in self.signs or ())

    @property
    def reserved(self) -> str:
        """The signs that reserve something, as `noai: robots: noai; TDMRep: …`, or empty."""
        return "; ".join(f"{FORMS[s.form].title}: {s.text}" for s in self.opt_outs if s.reserves)

    @property
    def language(self) -> str:
        """The code of the main language, or empty."""
        return str(self.languages[0][0]) if self.languages else ""

    @property
    def published_text(self) -> str:
        """`2026-10-14`, or `2026-10` where no day is named; empty without a date."""
        if self.published is None:
            return ""
        text = self.published.isoformat()
        return text[:7] if self.published_precision == "month" else text

    @property
    def article(self) -> tuple[Block, ...]:
        """The text by paragraphs, headings, items and rows."""
        return unpack(bytes(self.blocks))

    @property
    def text(self) -> str:
        """The text as written, paragraphs with an empty line between them."""
        return text_of(self.article)


class Progress(Job):
    """How far the collection has come with a crawl: a page is listed, indexed, then read."""

    job_task = "apps.collection.tasks.index"

    crawl = models.OneToOneField(Crawl, models.CASCADE, primary_key=True, related_name="collected")

    listed = models.PositiveIntegerField(default=0)
    """The number of the last page that has an Entry."""
    indexed = models.PositiveIntegerField(default=0)
    """The number of the last page whose words are in the index."""
    indexed_at = models.DateTimeField(null=True)
    language = models.CharField(max_length=8, null=True)
    """The languages by whose rules words are stemmed, each page by its own; empty if by none, null
    before a page is indexed."""
    read = models.PositiveIntegerField(default=0)
    """The number of the last page that has a MainText."""
    reader = models.PositiveSmallIntegerField(default=0)
    """The version of the extraction that wrote these texts."""
    read_at = models.DateTimeField(null=True)
    marked = models.PositiveIntegerField(default=0)
    """The topic's version whose examples and labels the entries show."""
    vectored = models.PositiveIntegerField(default=0)
    """The number of the last page that has a PageVector, or no text for one."""
    vectors_version = models.PositiveIntegerField(default=0)
    """The version of the topic's vectors that these are of."""


class TopicVectors(models.Model):
    """How the pages of a topic become vectors, so that near ones can be looked for.

    `space` is a packed `TextSpace` made of `pages` pages; with each new one `version` rises and all
    vectors are made anew. `source` identifies the word vectors used, `label` names them with their
    licence; both are empty if pages are compared by their own words. `problem` is why the word
    vectors that are named are not used.
    """

    topic = models.OneToOneField(
        Topic, models.CASCADE, primary_key=True, related_name="text_vectors"
    )
    version = models.PositiveIntegerField(default=1)
    source = models.TextField(blank=True)
    label = models.TextField(blank=True)
    problem = models.TextField(blank=True)
    pages = models.PositiveIntegerField()
    space = models.BinaryField()
    made_at = models.DateTimeField()

    @property
    def by_words(self) -> bool:
        """Whether pages are compared by their own words, without word vectors."""
        return not self.label


class PageVector(models.Model):
    """The vector of a page's main text: numbers of two bytes, of length 1 together."""

    page_id = models.BigAutoField(primary_key=True)
    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="+")
    version = models.PositiveIntegerField()
    vector = models.BinaryField()


class SavedSearch(models.Model):
    """A search of a collection that a person keeps by name.

    The collection is that of a topic, or of its crawl `crawl_number` alone; `query` is the search
    as in its address, `topic_name` the topic's name when it was saved. At `looked_at` its owner saw
    it last, with `looked_pages` pages. With `is_watched` the digests of the topic's watch say to
    its owner which pages of a visit it matches. It outlives its topic and crawls.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="saved_searches"
    )
    name = models.CharField(max_length=LONGEST_NAME)
    topic = models.ForeignKey(Topic, models.SET_NULL, null=True, related_name="+")
    topic_name = models.CharField(max_length=200)
    crawl_number = models.PositiveBigIntegerField(null=True)
    query = models.TextField()
    looked_at = models.DateTimeField()
    looked_pages = models.PositiveIntegerField()
    is_watched = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="search_name_once_an_owner")
        ]

    def __str__(self) -> str:
        return self.name


class BulkLabelling(Job):
    """One label for many pages of a topic's crawls, given in the background.

    `pages` are [crawl, page number] each, of which `done` are labelled and `refused` could not be;
    `relevant` None removes labels. `before` are the labels that the first of them had. With
    `undone` the job restores those.
    """

    job_task = "apps.collection.labelling.label_pages"

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="bulk_labellings")
    relevant = models.BooleanField(null=True)
    pages = models.JSONField(default=list)
    before = models.JSONField(default=list)
    done = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)
    undone = models.BooleanField(default=False)

    @property
    def page_count(self) -> int:
        """How many pages are labelled, or get their labels of before, when the job is done."""
        return len(self.before) if self.undone else len(self.pages)
