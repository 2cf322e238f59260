"""The addresses under watch, what each visit saw of them, and their versions."""

from __future__ import annotations

from django.db import models

from apps.crawls.models import Crawl
from apps.watches.models.visits import WatchVisit
from apps.watches.models.watch import Watch


class PageState(models.TextChoices):
    """The state of a page. One that cannot be reached never becomes gone by time alone."""

    NEW = "new"
    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"
    NOT_REACHED = "not_reached"


class WatchedPage(models.Model):
    """An address under watch: a relevant page (`is_watched`), a source of new links (`is_source`),
    or both. Rows that are neither are addresses that the topic's crawls have had.

    `key` is the digest of `url`; `final_url` is where it answered last. `state` is that of the
    last visit which asked for it (`state_visit`, None before the first); `code` says why it was not
    reached. `relevant` is the verdict on the last copy, `relevant_before` that on the one before
    the last change. The last copy is page `seq` of `crawl`, with `etag`, `last_modified`,
    `body_digest` and, once its main text has been read, `text_digest`.

    `missing_since` is the first of the answers in a row that there is no such page. `changes` of
    `visits` saw a change; `changed_days` and `same_days` are the intervals that ended with one, and
    those without, for the rate of change. A source's `yields` are the new relevant pages that came
    by it over `asked_days`, until `credited_at`. `listed_date` is the day that a sitemap gave the
    page last, `listed_at` the latest moment that it can mean; a page with one after its last visit
    had changed `dates_right` times, and `dates_wrong` times not.
    """

    class AddressKind(models.TextChoices):
        PAGE = "page"
        FRONT = "front"
        LIST = "list"
        FEED = "feed"
        SITEMAP = "sitemap"

    watch = models.ForeignKey(Watch, models.CASCADE, related_name="pages")
    key = models.CharField(max_length=32)
    url = models.TextField()
    final_url = models.TextField(blank=True)
    host = models.CharField(max_length=255)
    title = models.TextField(blank=True)
    kind = models.CharField(max_length=7, choices=AddressKind.choices, default=AddressKind.PAGE)
    is_watched = models.BooleanField(default=False)
    is_source = models.BooleanField(default=False)

    state = models.CharField(max_length=11, choices=PageState.choices, default=PageState.SAME)
    state_visit = models.ForeignKey(WatchVisit, models.SET_NULL, null=True, related_name="+")
    state_at = models.DateTimeField(null=True)
    code = models.CharField(max_length=40, blank=True)
    relevant = models.BooleanField(null=True)
    relevant_before = models.BooleanField(null=True)

    crawl = models.ForeignKey(Crawl, models.SET_NULL, null=True, related_name="+")
    seq = models.PositiveIntegerField(null=True)
    etag = models.CharField(max_length=300, blank=True)
    last_modified = models.CharField(max_length=300, blank=True)
    body_digest = models.CharField(max_length=80, blank=True)
    text_digest = models.CharField(max_length=32, blank=True)

    first_visit = models.ForeignKey(WatchVisit, models.SET_NULL, null=True, related_name="+")
    first_seen_at = models.DateTimeField()
    visited_at = models.DateTimeField(null=True)
    changed_at = models.DateTimeField(null=True)
    missing_since = models.DateTimeField(null=True)
    due_at = models.DateTimeField(null=True)

    visits = models.PositiveIntegerField(default=0)
    changes = models.PositiveIntegerField(default=0)
    changed_days = models.FloatField(default=0)
    same_days = models.FloatField(default=0)
    yields = models.FloatField(default=0)
    asked_days = models.FloatField(default=0)
    credited_at = models.DateTimeField(null=True)
    listed_date = models.CharField(max_length=10, blank=True, db_default="")
    listed_at = models.DateTimeField(null=True)
    dates_right = models.PositiveIntegerField(default=0, db_default=0)
    dates_wrong = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["watch", "key"], name="page_once_a_watch")]
        indexes = [
            models.Index(
                fields=["watch", "state", "state_visit"],
                condition=models.Q(is_watched=True),
                name="watched_by_state",
            ),
            models.Index(
                fields=["watch", "due_at"],
                condition=models.Q(is_watched=True) | models.Q(is_source=True),
                name="watched_by_due",
            ),
        ]

    def __str__(self) -> str:
        return self.url


class PageVersion(models.Model):
    """The main text of a page as it was: `blocks` are `main_text.article.pack`ed. `number` counts
    the versions of a page from 1; a page has another one only where its text has changed.

    `visit` is None of a version from before the watch. The stored copy is page `seq` of `crawl`
    as long as that crawl is not deleted. `share` of the text differs from the version before.
    `relevant` is the verdict on it.
    """

    page = models.ForeignKey(WatchedPage, models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    visit = models.ForeignKey(WatchVisit, models.SET_NULL, null=True, related_name="versions")
    at = models.DateTimeField()
    crawl = models.ForeignKey(Crawl, models.SET_NULL, null=True, related_name="+")
    seq = models.PositiveIntegerField(null=True)
    title = models.TextField(blank=True)
    text_digest = models.CharField(max_length=32)
    blocks = models.BinaryField()
    share = models.FloatField(default=0)
    relevant = models.BooleanField(null=True)
    probability = models.FloatField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["page", "number"], name="version_once_a_number")
        ]

    def __str__(self) -> str:
        return f"version {self.number} of {self.page}"


class Observation(models.Model):
    """One page at one visit: its `state` then, with the `code` of an answer without a page
    (`not_modified`, `http_404`, `timeout` …). `version` is the text it has had since. `new_links`
    are those that have come to a list, of which nothing else has changed."""

    page = models.ForeignKey(WatchedPage, models.CASCADE, related_name="observations")
    visit = models.ForeignKey(WatchVisit, models.CASCADE, related_name="observations")
    at = models.DateTimeField()
    state = models.CharField(max_length=11, choices=PageState.choices)
    code = models.CharField(max_length=40, blank=True)
    version = models.ForeignKey(PageVersion, models.SET_NULL, null=True, related_name="+")
    new_links = models.PositiveIntegerField(default=0, db_default=0)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["visit", "page"], name="observation_once_a_visit")
        ]

    def __str__(self) -> str:
        return f"{self.page} was {self.state}"
