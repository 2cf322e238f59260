"""Crawls and all that they leave behind.

Rows of one crawl are written by one runner at a time, a batch in one transaction fenced by
(`runner`, `epoch`). Numbers named `number` count discovered URLs from 0; `request` counts requests
in the order they were applied, from 1; `seq` counts pages (t of the papers), from 1.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models

from apps.crawls.label_models import Label  # noqa: F401  (Django finds models here)
from apps.crawls.source_models import CrawlSources  # noqa: F401  (Django finds models here)
from apps.crawls.text_models import KeptText  # noqa: F401  (Django finds models here)
from apps.engine.model import State


class Web(models.Model):
    """Where a crawl fetches: the live Web, or a recorded one kept in a folder.

    A recorded web may also be served over HTTP on loopback (`served_port`). One that was uploaded,
    or made of a crawl's pages, belongs to its `owner`, who may share it; webs without an owner are
    everybody's.
    """

    class Source(models.TextChoices):
        LIVE = "live"
        FOLDER = "folder"
        DEMO = "demo"

    name = models.CharField(max_length=100, unique=True)
    source = models.CharField(max_length=8, choices=Source.choices)
    folder = models.CharField(max_length=200, blank=True)
    seed = models.BigIntegerField(default=0)
    pages = models.PositiveIntegerField(null=True)
    hosts = models.PositiveIntegerField(null=True)
    served_port = models.PositiveIntegerField(null=True)
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True,
                              related_name="webs")
    shared = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.name


class Crawl(models.Model):
    """One run of a strategy over a web, for a topic.

    `earlier` is the crawl that it learns from, by its first `earlier_pages` pages. `sources` says
    where what it was given comes from, as `topics.supplies.provenance` lays it out.
    """

    class Over(models.TextChoices):
        HTTP = "http"
        RECORD = "record"

    class Desired(models.TextChoices):
        RUN = "run"
        PAUSE = "pause"
        STOP = "stop"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="crawls")
    topic = models.ForeignKey("topics.Topic", models.CASCADE, related_name="crawls")
    snapshot = models.ForeignKey("topics.TopicSnapshot", models.PROTECT, null=True)
    web = models.ForeignKey(Web, models.PROTECT, related_name="crawls")
    over = models.CharField(max_length=6, choices=Over.choices, default=Over.HTTP)

    strategy = models.CharField(max_length=60)
    parameters = models.JSONField(default=dict)
    random_seed = models.BigIntegerField(default=1)
    parent_policy = models.CharField(max_length=5, default="max")
    judge = models.CharField(max_length=10, default="separate")
    # Who that came to be: the guiding classifier judges where nobody else can be trained.
    judged_by = models.CharField(max_length=20, blank=True)
    budget = models.PositiveIntegerField()
    request_limit = models.PositiveIntegerField()
    scope = models.JSONField(default=dict)
    politeness = models.JSONField(default=dict)
    earlier = models.ForeignKey("self", models.SET_NULL, null=True, related_name="learners")
    earlier_pages = models.PositiveIntegerField(null=True)
    sources = models.JSONField(default=dict)

    state = models.CharField(max_length=10, default=State.DRAFT,
                             choices=[(s.value, s.value) for s in State])
    reason = models.CharField(max_length=40, blank=True)  # a StopReason
    reason_details = models.JSONField(default=dict)
    desired = models.CharField(max_length=5, choices=Desired.choices, default=Desired.RUN)

    epoch = models.PositiveIntegerField(default=0)
    runner = models.CharField(max_length=120, blank=True)
    lease_until = models.DateTimeField(null=True)
    enqueued_at = models.DateTimeField(null=True)
    checkpoint = models.CharField(max_length=200, blank=True)
    commits = models.PositiveBigIntegerField(default=0)

    pages = models.PositiveIntegerField(default=0)
    requests = models.PositiveIntegerField(default=0)
    discovered = models.PositiveIntegerField(default=0)
    waiting = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)
    excluded = models.PositiveIntegerField(default=0)
    errors = models.JSONField(default=dict)
    excluded_reasons = models.JSONField(default=dict)
    metrics = models.JSONField(default=dict)
    queue_head = models.JSONField(default=list)
    warnings = models.JSONField(default=list)

    seconds = models.FloatField(default=0)
    cpu_seconds = models.FloatField(default=0)
    reorder_seconds = models.FloatField(default=0)

    shared = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["state"], name="crawl_by_state")]

    def __str__(self) -> str:
        return f"{self.topic} #{self.pk}"


class Page(models.Model):
    """A page in a crawl's collection; its body is in the page store."""

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
    truncated = models.BooleanField(default=False)
    canonical = models.TextField(blank=True)
    fetched_at = models.DateTimeField()
    seconds = models.FloatField()
    digest = models.CharField(max_length=80)
    file = models.CharField(max_length=200)
    offset = models.BigIntegerField()
    length = models.BigIntegerField()
    readings = models.JSONField(default=dict)

    class Meta:
        ordering = ["seq"]
        constraints = [
            models.UniqueConstraint(fields=["crawl", "seq"], name="page_once_a_crawl"),
            models.UniqueConstraint(fields=["crawl", "number"], name="page_once_a_url"),
        ]
        indexes = [models.Index(fields=["crawl", "host"], name="page_by_host")]


class FailedRequest(models.Model):
    """A request that gave no page, with its kind (`engine.model.Failure`, `http_404` …)."""

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="failed_requests")
    request = models.PositiveIntegerField()
    number = models.PositiveIntegerField()
    url = models.TextField()
    final_url = models.TextField()
    host = models.CharField(max_length=255)
    kind = models.CharField(max_length=40)
    detail = models.TextField(blank=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["request"]
        constraints = [
            models.UniqueConstraint(fields=["crawl", "request"], name="failure_once_a_request")
        ]
        indexes = [models.Index(fields=["crawl", "kind"], name="failure_by_kind")]


class FrontierEntry(models.Model):
    """A discovered URL. Inserted once; only `state` and `reason` change.

    `priority` is the one at insertion: the present one is in the checkpoint and, for the first of
    the queue, in `Crawl.queue_head`.
    """

    class State(models.TextChoices):
        WAITING = "w"
        FETCHED = "f"
        FAILED = "e"
        EXCLUDED = "x"

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="frontier")
    number = models.PositiveIntegerField()
    url = models.TextField()
    parent = models.BigIntegerField()
    depth = models.PositiveIntegerField()
    priority = models.FloatField()
    state = models.CharField(max_length=1, choices=State.choices)
    reason = models.CharField(max_length=24, blank=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["crawl", "number"], name="entry_once_a_crawl")
        ]


class Outlinks(models.Model):
    """The links of one page: `targets` are URL numbers (int32), zlib-compressed."""

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="outlinks")
    seq = models.PositiveIntegerField()
    format = models.PositiveSmallIntegerField(default=1)
    targets = models.BinaryField()

    class Meta:
        ordering = ["seq"]
        constraints = [
            models.UniqueConstraint(fields=["crawl", "seq"], name="outlinks_once_a_page")
        ]


class Sample(models.Model):
    """The measures after `pages` pages. `seq` counts the samples of a crawl without gaps."""

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="samples")
    seq = models.PositiveIntegerField()
    pages = models.PositiveIntegerField()
    at = models.DateTimeField()
    metrics = models.JSONField()

    class Meta:
        ordering = ["seq"]
        constraints = [
            models.UniqueConstraint(fields=["crawl", "seq"], name="sample_once_a_crawl")
        ]


class Event(models.Model):
    """Something that happened to a crawl after request `request`; replayed at that number."""

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="events")
    seq = models.PositiveIntegerField()
    request = models.PositiveIntegerField()
    pages = models.PositiveIntegerField()
    kind = models.CharField(max_length=30)
    payload = models.JSONField(default=dict)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    at = models.DateTimeField()

    class Meta:
        ordering = ["seq"]
        constraints = [models.UniqueConstraint(fields=["crawl", "seq"], name="event_once_a_crawl")]


class Change(models.Model):
    """What a person asks of a crawl that runs; its runner applies it at the next commit."""

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="changes")
    kind = models.CharField(max_length=30)
    payload = models.JSONField(default=dict)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    asked_at = models.DateTimeField(auto_now_add=True)
    applied = models.BooleanField(default=False)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["crawl", "applied"], name="change_by_crawl")]


class HostRecord(models.Model):
    """What a crawl knows of a host. `next_allowed` is wall-clock time."""

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="hosts")
    host = models.CharField(max_length=255)
    pages = models.PositiveIntegerField(default=0)
    relevant = models.PositiveIntegerField(default=0)
    waiting = models.PositiveIntegerField(default=0)
    failures = models.PositiveIntegerField(default=0)
    errors = models.JSONField(default=dict)
    delay = models.FloatField(default=0)
    next_allowed = models.DateTimeField(null=True)
    blocked = models.CharField(max_length=40, blank=True)
    left_out = models.BooleanField(default=False)

    class Meta:
        ordering = ["-pages"]
        constraints = [models.UniqueConstraint(fields=["crawl", "host"], name="host_once_a_crawl")]
