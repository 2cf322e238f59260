"""A topic: its words, seeds and targets, and its snapshots."""

from __future__ import annotations

from django.conf import settings
from django.contrib.contenttypes.fields import GenericRelation
from django.db import models

from apps.accounts.models import Share
from apps.backgrounds.models import Background
from apps.directories.models import DirectoryTopic
from apps.jobs.models import Deletable, Job
from apps.webs.models import Web


class Topic(Deletable, Job):
    """A subject to crawl for: its words, its example pages, its seeds and its targets.

    `version` grows with every change that affects a crawl; crawls keep the snapshot of the version
    they were started with. `random_seed` draws the negatives from other topics; topics made in one
    action of a directory share a `batch` and draw their negatives from each other. `typed` keeps,
    by form field, a list as it was typed while some of its lines are bad. `work_wanted` is the work
    last queued for the topic. `category` is where in a directory the topic came from, `class_depth`
    the depth of the directory's classes for a strategy that uses them (0: any depth). `background`
    is the chosen one; without it `background_use` says whether there is none, or one drawn when a
    crawl starts; `hold_out` is what becomes of targets that lie in it. `label_rule` is which
    people's labels train, `label_first` the person of `LabelRule.FIRST`.
    """

    job_task = "apps.topics.tasks.prepare_topic"
    forget_task = "apps.topics.inputs.lists.forget_files"

    class Work(models.TextChoices):
        NONE = ""
        FETCHING = "fetching"
        GATHERING = "gathering"
        TRAINING = "training"
        SCANNING = "scanning"
        CHECKING = "checking"
        CLASSES = "classes"

    class BackgroundUse(models.TextChoices):
        DRAWN = "drawn"
        NONE = "none"

    class HoldOut(models.TextChoices):
        """Texts at the addresses of targets are taken out of the background; or its texts are drawn
        first, without regard to labels, and only targets outside it are counted."""

        BY_ADDRESS = "addresses"
        REGARDLESS = "regardless"

    class LabelRule(models.TextChoices):
        """Settled labels always count; else, of several people, only unanimous labels, those of the
        majority, or those of one person before the majority's."""

        AGREED = "agreed"
        MAJORITY = "majority"
        FIRST = "first"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="topics")
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    keywords = models.JSONField(default=list, blank=True)
    language = models.CharField(max_length=8, blank=True)
    web = models.ForeignKey(Web, models.PROTECT, null=True, blank=True)
    web_label = models.CharField(max_length=200, blank=True)
    category = models.ForeignKey(DirectoryTopic, models.SET_NULL, null=True, blank=True)
    class_depth = models.PositiveSmallIntegerField(default=0)
    negatives_per_positive = models.PositiveSmallIntegerField(default=2)
    background = models.ForeignKey(
        Background, models.SET_NULL, null=True, blank=True, related_name="topics"
    )
    background_use = models.CharField(
        max_length=5, choices=BackgroundUse.choices, default=BackgroundUse.DRAWN
    )
    hold_out = models.CharField(max_length=10, choices=HoldOut.choices, default=HoldOut.BY_ADDRESS)
    version = models.PositiveIntegerField(default=1)
    quality = models.JSONField(null=True, blank=True)
    quality_version = models.PositiveIntegerField(null=True, blank=True)
    label_rule = models.CharField(
        max_length=8, choices=LabelRule.choices, default=LabelRule.MAJORITY
    )
    label_first = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    random_seed = models.BigIntegerField(default=1)
    batch = models.CharField(max_length=32, blank=True, db_index=True)
    typed = models.JSONField(default=dict, blank=True)
    work_wanted = models.CharField(
        max_length=10, choices=Work.choices, blank=True, default=Work.NONE
    )
    is_demo = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)
    shares = GenericRelation(Share, content_type_field="kind", object_id_field="key")

    class Meta:
        base_manager_name = "every"
        ordering = ["-changed_at"]
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "name"],
                condition=models.Q(deleted_at=None),
                name="topic_name_once_an_owner",
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def work(self) -> str:
        """The topic's work under way, one of `Work`."""
        return self.work_wanted if self.is_under_way else self.Work.NONE

    @property
    def recorded_web(self) -> Web | None:
        """The web that the topic's pages are read from, or None for the live Web."""
        return self.web if self.web is not None and self.web.is_recorded else None

    @property
    def shared(self) -> bool:
        """Whether anybody but the owner may see it."""
        return bool(self.shares.all())

    @property
    def written_seeds(self) -> list[str]:
        """The seeds in their order, as they were written and are requested."""
        return [spelling or url for url, spelling in self.seeds.values_list("url", "spelling")]


class Seed(models.Model):
    """An address a crawl starts from; `position` keeps the analyst's order.

    `url` is the canonical one, under which it is counted once; `spelling` is the address as it was
    written and is requested, empty if it is the same.
    """

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="seeds")
    url = models.TextField()
    spelling = models.TextField(blank=True, default="")
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["topic", "url"], name="seed_once_a_topic")]


class Target(models.Model):
    """A page that crawls do not get; recall is measured on targets.

    `state` is the result of the last check, at `checked_at`; `detail` is the address it has moved
    to, or the kind of the failed request.
    """

    class State(models.TextChoices):
        UNKNOWN = ""
        ASKED = "asked"
        REACHABLE = "reachable"
        MOVED = "moved"
        GONE = "gone"
        UNCLEAR = "unclear"

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="targets")
    url = models.TextField()
    state = models.CharField(max_length=9, choices=State.choices, blank=True, default=State.UNKNOWN)
    detail = models.TextField(blank=True)
    checked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["topic", "url"], name="target_once_a_topic")]


class TopicSnapshot(models.Model):
    """A topic as it was at one version, so that a crawl started with it can be repeated."""

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="snapshots")
    version = models.PositiveIntegerField()
    format = models.PositiveSmallIntegerField(default=1)
    data = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["topic", "version"], name="snapshot_once_a_version")
        ]
