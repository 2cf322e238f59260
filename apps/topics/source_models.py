"""What an analyst adds where the web no longer says it: pages nobody labels, and tables."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class StoredPage(models.Model):
    """A page fetched once and kept in its topic's page store.

    `failure` says why a page cannot be used: the engine's kinds of failed requests,
    `needs_javascript`, `no_words`, or `same_page` where another one of its kind leads there too.
    """

    class Fetch(models.TextChoices):
        WAITING = "waiting"
        FETCHED = "fetched"
        FAILED = "failed"

    url = models.TextField()
    fetch = models.CharField(max_length=8, choices=Fetch.choices, default=Fetch.WAITING)
    failure = models.CharField(max_length=40, blank=True)
    final_url = models.TextField(blank=True)
    title = models.TextField(blank=True)
    words = models.PositiveIntegerField(null=True)
    file = models.CharField(max_length=200, blank=True)
    offset = models.BigIntegerField(null=True)
    length = models.BigIntegerField(null=True)
    digest = models.CharField(max_length=80, blank=True)
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return self.url


class SourcePage(StoredPage):
    """A page without a label: of the topic's corpus, or one that links to its examples.

    `origin` says whether the analyst named it or a scan of the topic's recorded web found it.
    """

    class Kind(models.TextChoices):
        CORPUS = "corpus"
        BACKLINK = "backlinks"

    class Origin(models.TextChoices):
        NAMED = "named"
        FOUND = "found"

    topic = models.ForeignKey("topics.Topic", models.CASCADE, related_name="source_pages")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    origin = models.CharField(max_length=5, choices=Origin.choices, default=Origin.NAMED)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["topic", "kind", "url"], name="source_page_once_a_kind"
            )
        ]


class SourceTable(models.Model):
    """A list from outside, read into a table on the disk.

    Without a topic it serves all topics of its owner. `name` is what the list was called, `file`
    the table in the tables' folder, `rows` what it holds. Of the lines not taken `skipped` counts
    all and `errors` keeps the first, as `[line, text, reason]`. `problem` says why a list could not
    be read at all; what was there before then stays in use.
    """

    class Kind(models.TextChoices):
        INLINKS = "inlinks"
        RANKS = "ranks"
        TRAFFIC = "traffic"
        SITES = "sites"

    class State(models.TextChoices):
        READING = "reading"
        READY = "ready"
        BAD = "bad"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tables")
    topic = models.ForeignKey("topics.Topic", models.CASCADE, null=True, related_name="tables")
    kind = models.CharField(max_length=8, choices=Kind.choices)
    name = models.CharField(max_length=200)
    state = models.CharField(max_length=8, choices=State.choices, default=State.READING)
    problem = models.TextField(blank=True)
    file = models.CharField(max_length=200)
    rows = models.PositiveIntegerField(default=0)
    skipped = models.PositiveIntegerField(default=0)
    errors = models.JSONField(default=list, blank=True)
    added_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["owner", "kind"], name="table_by_owner")]

    def __str__(self) -> str:
        return self.name
