"""A crawl: its settings, its progress, and its runner."""

from __future__ import annotations

from django.conf import settings
from django.contrib.contenttypes.fields import GenericRelation
from django.db import models

from apps.accounts.models import Share
from apps.crawls.sources.catalogue import source_of
from apps.crawls.sources.live_web import LIVE_WEB
from apps.crawls.sources.source import Source
from apps.engine.codes import State
from apps.jobs.models import Deletable
from apps.webs.models import Web


class Crawl(Deletable):
    """One run of a strategy over a web, for a topic.

    `over` names its source of pages. `earlier` is the crawl that it learns from, by its first
    `earlier_pages` pages. `inputs` are the origins of what it was given, by the input's id, in the
    form of `topics.inputs.freezing.origins`. `form_token` is that of the form it was made with, so
    that a form sent twice makes one crawl; empty without one.
    """

    forget_task = "apps.crawls.deletion.forget_crawl"

    class Desired(models.TextChoices):
        RUN = "run"
        PAUSE = "pause"
        STOP = "stop"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="crawls")
    topic = models.ForeignKey("topics.Topic", models.CASCADE, related_name="crawls")
    snapshot = models.ForeignKey("topics.TopicSnapshot", models.PROTECT, null=True)
    web = models.ForeignKey(Web, models.PROTECT, related_name="crawls")
    over = models.CharField(max_length=20, default=LIVE_WEB.over)

    strategy = models.CharField(max_length=60)
    parameters = models.JSONField(default=dict)
    random_seed = models.BigIntegerField(default=1)
    parent_policy = models.CharField(max_length=40, default="max")
    pick_order = models.CharField(max_length=40, default="best_first")
    judge = models.CharField(max_length=10, default="separate")
    # The judge actually used: the guiding classifier if no other can be trained.
    judged_by = models.CharField(max_length=20, blank=True)
    budget = models.PositiveIntegerField()
    request_limit = models.PositiveIntegerField()
    # Stop rules, None for no limit: hours at work, the share of the relevant pages found, relevant
    # pages expected of 1,000 requests.
    hours = models.FloatField(null=True)
    recall = models.FloatField(null=True)
    slope = models.FloatField(null=True)
    scope = models.JSONField(default=dict)
    politeness = models.JSONField(default=dict)
    earlier = models.ForeignKey("self", models.SET_NULL, null=True, related_name="learners")
    earlier_pages = models.PositiveIntegerField(null=True)
    inputs = models.JSONField(default=dict)

    state = models.CharField(
        max_length=10, default=State.DRAFT, choices=[(s.value, s.value) for s in State]
    )
    reason = models.CharField(max_length=40, blank=True)  # a StopReason
    reason_details = models.JSONField(default=dict)
    desired = models.CharField(max_length=5, choices=Desired.choices, default=Desired.RUN)
    desired_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )

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
    heat = models.JSONField(default=dict)  # crawls.heat.Heat
    load = models.JSONField(default=dict)  # crawls.load.CrawlLoad
    queue_head = models.JSONField(default=list)
    warnings = models.JSONField(default=list)

    seconds = models.FloatField(default=0)
    cpu_seconds = models.FloatField(default=0)
    reorder_seconds = models.FloatField(default=0)
    # Processes that fetched for the crawl at its last commit: of its machine, and of others.
    agents = models.PositiveSmallIntegerField(default=0)
    lent_agents = models.PositiveSmallIntegerField(default=0)

    name = models.CharField(max_length=120, blank=True)
    note = models.TextField(blank=True)
    tags = models.JSONField(default=list)
    form_token = models.CharField(max_length=40, blank=True, default="")
    created_at = models.DateTimeField(auto_now_add=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    shares = GenericRelation(Share, content_type_field="kind", object_id_field="key")

    class Meta:
        base_manager_name = "every"
        ordering = ["-id"]
        indexes = [models.Index(fields=["state"], name="crawl_by_state")]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "form_token"],
                condition=~models.Q(form_token="") & models.Q(deleted_at=None),
                name="crawl_once_a_form",
            )
        ]

    def __str__(self) -> str:
        return f"{self.topic} #{self.pk}"

    @property
    def source(self) -> Source:
        """Where its pages come from."""
        return source_of(self.web, self.over)

    @property
    def judges_main_text(self) -> bool:
        """Whether pages are judged by their main text; earlier crawls go on without."""
        return bool(self.scope.get("main_text"))

    @property
    def shared(self) -> bool:
        """Whether the crawl itself is shared, whatever its topic is."""
        return bool(self.shares.all())
