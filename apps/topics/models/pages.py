"""The stored pages of a topic: examples, corpus, back-links, targets and background."""

from __future__ import annotations

from django.db import models

from apps.engine.networking.page_store.store import Record
from apps.topics.models.topic import Topic


class StoredPage(models.Model):
    """A page fetched once and stored in its topic's page store.

    `failure` is why a page is unusable: the engine's kinds of failed requests, or `Unusable`:
    `same_page` if it is a duplicate of another one of its kind, `taken_down` with its host.
    """

    class Fetch(models.TextChoices):
        WAITING = "waiting"
        FETCHED = "fetched"
        FAILED = "failed"

    class Unusable(models.TextChoices):
        NEEDS_JAVASCRIPT = "needs_javascript"
        NO_WORDS = "no_words"
        SAME_PAGE = "same_page"
        TAKEN_DOWN = "taken_down"

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

    @property
    def record(self) -> Record:
        """The record of a fetched page in the file that has it."""
        assert self.offset is not None and self.length is not None
        return Record(self.file, self.offset, self.length, self.digest)


class Example(StoredPage):
    """A page that is, or is not, on the topic.

    `probability` is P(topic) by the guiding classifier of `Topic.quality_version`, trained without
    this page. A negative example that nobody named is `left_out` of training if it looks like the
    topic and nobody has decided. `overruled` has `relevant`, `source` and `weight` of the example
    that labels overrule, None if they overrule none.
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
    left_out = models.BooleanField(default=False)
    overruled = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["topic", "url"], name="example_once_a_topic")
        ]


class InputPage(StoredPage):
    """A page without a label: of the topic's corpus, or one that links to its examples.

    `origin` says whether the analyst named it or it comes from a scan of the topic's recorded web.
    """

    class Kind(models.TextChoices):
        CORPUS = "corpus"
        BACKLINK = "backlinks"

    class Origin(models.TextChoices):
        NAMED = "named"
        FOUND = "found"

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="input_pages")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    origin = models.CharField(max_length=5, choices=Origin.choices, default=Origin.NAMED)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["topic", "kind", "url"], name="input_page_once_a_kind")
        ]


class TargetPage(StoredPage):
    """The page of a target, fetched for LC's judges to learn from; crawls do not get it."""

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="target_pages")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["topic", "url"], name="target_page_once_a_topic")
        ]


class BackgroundPage(StoredPage):
    """A page drawn from the topic's recorded web, to count the rarity of terms."""

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="background_pages")

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["topic", "url"], name="background_page_once_a_topic")
        ]


class ClassPage(StoredPage):
    """A page of a class of the topic's directory; `name` is the class's path."""

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="class_pages")
    name = models.TextField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["topic", "url"], name="class_page_once_a_topic")
        ]
