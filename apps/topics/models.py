"""What an analyst says about a topic."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from apps.topics.directory_models import (  # noqa: F401  (Django finds models here)
    Directory,
    DirectoryPage,
    DirectorySite,
    DirectoryTopic,
)
from apps.topics.source_models import SourcePage, SourceTable, StoredPage  # noqa: F401
from apps.topics.upload_models import Upload  # noqa: F401


class Topic(models.Model):
    """A subject to crawl for: its words, its example pages, its seeds and its targets.

    `version` grows with every change that a crawl could notice; crawls keep the snapshot of the
    version they were started with. `random_seed` draws the negatives from other topics. `typed`
    keeps, by form field, a list of lines as it was typed while some of its lines are bad.
    `work` is what the background does for the topic now, asked for at `work_asked_at`;
    `work_number` is the last work asked for (an older one is void), `work_at` when it last got
    somewhere, empty until a worker takes it. `category` is where in a directory the topic came
    from.
    """

    class Work(models.TextChoices):
        NONE = ""
        FETCHING = "fetching"
        GATHERING = "gathering"
        TRAINING = "training"
        SCANNING = "scanning"
        CHECKING = "checking"

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="topics")
    name = models.CharField(max_length=200)
    description = models.TextField(blank=True)
    keywords = models.JSONField(default=list, blank=True)
    language = models.CharField(max_length=8, blank=True)
    web = models.ForeignKey("crawls.Web", models.PROTECT, null=True, blank=True)
    web_label = models.CharField(max_length=200, blank=True)
    category = models.ForeignKey(DirectoryTopic, models.SET_NULL, null=True, blank=True)
    negatives_per_positive = models.PositiveSmallIntegerField(default=2)
    version = models.PositiveIntegerField(default=1)
    quality = models.JSONField(null=True, blank=True)
    quality_version = models.PositiveIntegerField(null=True, blank=True)
    random_seed = models.BigIntegerField(default=1)
    typed = models.JSONField(default=dict, blank=True)
    work = models.CharField(max_length=10, choices=Work.choices, blank=True, default=Work.NONE)
    work_number = models.PositiveIntegerField(default=0)
    work_asked_at = models.DateTimeField(null=True, blank=True)
    work_at = models.DateTimeField(null=True, blank=True)
    is_demo = models.BooleanField(default=False)
    shared = models.BooleanField(default=False)
    created_at = models.DateTimeField(auto_now_add=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["-changed_at"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="topic_name_once_an_owner")
        ]

    def __str__(self) -> str:
        return self.name


class Example(StoredPage):
    """A page that is, or is not, about the topic.

    `probability` is P(topic) by the guiding classifier of `Topic.quality_version`, trained without
    this page.
    """

    class Role(models.TextChoices):
        TRAIN = "train"
        EVALUATE = "evaluate"

    class Source(models.TextChoices):
        NAMED = "named"
        OTHER_TOPIC = "other_topic"
        BACKGROUND = "background"
        LABEL = "label"

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="examples")
    relevant = models.BooleanField()
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.TRAIN)
    source = models.CharField(max_length=12, choices=Source.choices, default=Source.NAMED)
    weight = models.FloatField(default=1.0)
    probability = models.FloatField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["topic", "url"], name="example_once_a_topic")
        ]


class Seed(models.Model):
    """Where a crawl begins; `position` keeps the analyst's order."""

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="seeds")
    url = models.TextField()
    position = models.PositiveIntegerField()

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["topic", "url"], name="seed_once_a_topic")]


class Target(models.Model):
    """A page no crawl is told about; recall is measured on them.

    `state` is what it answered when it was last asked, at `checked_at`; `detail` is where it has
    moved to, or the kind of the failed request.
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
    state = models.CharField(max_length=9, choices=State.choices, blank=True,
                             default=State.UNKNOWN)
    detail = models.TextField(blank=True)
    checked_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["topic", "url"], name="target_once_a_topic")]


class InlinkCount(models.Model):
    """How many pages link to a URL, as the analyst's list says."""

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="inlink_counts")
    url = models.TextField()
    count = models.PositiveIntegerField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["topic", "url"], name="inlinks_once_a_url")]


class TopicSnapshot(models.Model):
    """A topic as it stood at one version, so that a crawl started with it can be repeated."""

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="snapshots")
    version = models.PositiveIntegerField()
    format = models.PositiveSmallIntegerField(default=1)
    data = models.JSONField()
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["topic", "version"], name="snapshot_once_a_version")
        ]
