"""Counts by host of a topic, and the progress of counting."""

from __future__ import annotations

from django.db import models

from apps.crawls.models import Crawl
from apps.jobs.models import Job
from apps.topics.models import Topic


class HostGrouping(models.TextChoices):
    """The unit of a row of the list."""

    HOST = "host", "a row a host"
    DOMAIN = "domain", "a row a registered domain"
    USER = "user", "a row a platform’s user"


MAKE_UP_FLAGS = {
    "repeats": "near-duplicates",
    "is_template": "mostly template",
    "is_numbered": "numbered addresses",
}
"""Remarkable facts about a host's pages in words, by column."""


class HostSummary(models.Model):
    """A host, a registered domain, or the part of a host that is one person's, over all crawls of
    a topic.

    `name` is that of a decision on it (`topics.models.HostDecision`), `decision` what holds for it,
    by its own name or another. `pages` counts each address once, `judged` those with a judge's
    verdict, `relevant` those called relevant; `harvest` is their share of the judged ones, 0
    without any, `linked_from` the other hosts that link to it, `waiting` the links in the frontiers
    of all crawls. `first_seen` is when its first address was met; `met_at` is that of the part of a
    host that belongs to no user. `x` and `y` are its position in the network.
    """

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="+", db_index=False)
    unit = models.CharField(max_length=6, choices=HostGrouping.choices)
    name = models.CharField(max_length=400)
    pages = models.PositiveIntegerField(default=0)
    judged = models.PositiveIntegerField(default=0)
    relevant = models.PositiveIntegerField(default=0)
    harvest = models.FloatField(default=0)
    linked_from = models.PositiveIntegerField(default=0)
    waiting = models.PositiveIntegerField(default=0)
    language = models.CharField(max_length=8, blank=True, default="")
    first_seen = models.DateTimeField(null=True)
    met_at = models.DateTimeField(null=True)
    decision = models.CharField(max_length=3, blank=True, default="")
    x = models.FloatField(null=True)
    y = models.FloatField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["topic", "unit", "name"], name="host_counted_once")
        ]
        indexes = [
            models.Index(fields=["topic", "unit", "decision"], name="host_by_decision"),
            models.Index(fields=["topic", "unit", "-relevant", "-pages"], name="host_by_relevant"),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def harvest_rate(self) -> float | None:
        """The share of its judged pages that are relevant; None if none is judged."""
        return self.harvest if self.judged else None

    @property
    def title(self) -> str:
        """The name without the mark of a domain."""
        return self.name.removeprefix("*.")

    @property
    def flags(self) -> tuple[str, ...]:
        """Remarkable facts about the make-up of its pages, in words; empty if it has not been
        analysed."""
        return self.make_up.flags if hasattr(self, "make_up") else ()


class HostMakeUp(models.Model):
    """How the pages of a host looked when they were last looked at (`apps.hosts.make_up`).

    `pages` are those that crawls of the topic have fetched, of which `read` have a main text and
    `folded` are near-duplicates of another. `template` is the share of the words outside the main
    text, None where none has been read. `pattern` is that of more than half of the addresses, where
    `#` stands for a part with a digit; empty without one.
    """

    host = models.OneToOneField(
        HostSummary, models.CASCADE, primary_key=True, related_name="make_up"
    )
    pages = models.PositiveIntegerField()
    read = models.PositiveIntegerField()
    folded = models.PositiveIntegerField()
    template = models.FloatField(null=True)
    pattern = models.CharField(max_length=200, blank=True)
    pattern_share = models.FloatField()
    repeats = models.BooleanField(default=False)
    is_template = models.BooleanField(default=False)
    is_numbered = models.BooleanField(default=False)

    @property
    def counts(self) -> tuple[int, int, int]:
        return self.pages, self.read, self.folded

    @property
    def near_duplicates(self) -> float | None:
        """The share of near-duplicates; None while none of its pages has been read."""
        return self.folded / self.pages if self.read else None

    @property
    def alike_share(self) -> float | None:
        """The share of the addresses that have the pattern; None without one."""
        return self.pattern_share if self.pattern else None

    @property
    def flags(self) -> tuple[str, ...]:
        """Remarkable facts, in words."""
        return tuple(words for name, words in MAKE_UP_FLAGS.items() if getattr(self, name))


class HostLink(models.Model):
    """How many links lead from one host to another in a crawl; the ends are hosts, or parts of
    hosts that are one person's."""

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="+", db_index=False)
    source = models.ForeignKey(HostSummary, models.CASCADE, related_name="+", db_index=False)
    target = models.ForeignKey(HostSummary, models.CASCADE, related_name="+", db_index=False)
    links = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["crawl", "source", "target"], name="hosts_linked_once_a_crawl"
            )
        ]


class NumberedHosts(models.Model):
    """The hosts of a crawl's addresses from number `start` on: keys of `HostSummary`, int32,
    zlib-compressed."""

    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="+", db_index=False)
    start = models.PositiveIntegerField()
    hosts = models.BinaryField()

    class Meta:
        ordering = ["start"]
        constraints = [
            models.UniqueConstraint(fields=["crawl", "start"], name="hosts_numbered_once")
        ]


class HostProgress(models.Model):
    """How many of a crawl's addresses have their hosts, and how many of its pages their links."""

    crawl = models.OneToOneField(Crawl, models.CASCADE, primary_key=True, related_name="+")
    addresses = models.PositiveIntegerField(default=0)
    pages = models.PositiveIntegerField(default=0)


class HostCounting(Job):
    """The counting of a topic’s hosts. `commits` are those of each crawl, by its key, when it was
    counted last."""

    job_task = "apps.hosts.tasks.count"

    topic = models.OneToOneField(Topic, models.CASCADE, primary_key=True, related_name="+")
    commits = models.JSONField(default=dict)
    counted_at = models.DateTimeField(null=True)
