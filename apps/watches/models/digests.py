"""Digests of visits, who gets them by which carrier, and their deliveries."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from apps.jobs.models import Job
from apps.watches.models.visits import WatchVisit
from apps.watches.models.watch import Watch


class Digest(Job):
    """The news of a visit, composed once and delivered by carriers. The job composes `content`
    (`digests.compose`) and makes the deliveries.

    `key` names it within its watch: that of a visit, or of the day of a sign of life, which has no
    visit and is made after a month without news. One of a visit without news is empty: nobody
    gets it.
    """

    job_task = "apps.watches.digests.compose"

    class Content(models.TextChoices):
        NEWS = "news"
        EMPTY = "empty"
        SIGN_OF_LIFE = "sign_of_life"

    watch = models.ForeignKey(Watch, models.CASCADE, related_name="digests")
    visit = models.OneToOneField(WatchVisit, models.CASCADE, null=True, related_name="digest")
    key = models.CharField(max_length=40)
    contains = models.CharField(max_length=12, choices=Content.choices, default=Content.EMPTY)
    at = models.DateTimeField()
    content = models.JSONField(default=dict)
    composed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["watch", "key"], name="digest_once_a_key"),
        ]

    def __str__(self) -> str:
        return f"digest {self.key} of watch {self.watch_id}"


class SearchNews(models.Model):
    """The new and changed pages of a visit that a person's watched search matches; written with the
    digest of the visit. A search that matches none has no row; one that could not be asked has one
    with the `problem`.

    `search` is the key of the saved search, which may have been removed since, and `name` its name
    then. `seen` are the keys of the observations, `pages` the first of them as lines of a digest.
    """

    digest = models.ForeignKey(Digest, models.CASCADE, related_name="search_news")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    search = models.PositiveBigIntegerField()
    name = models.CharField(max_length=200)
    seen = models.JSONField(default=list)
    pages = models.JSONField(default=list)
    problem = models.TextField(blank=True, default="", db_default="")

    class Meta:
        ordering = ["name", "id"]
        verbose_name_plural = "search news"
        constraints = [
            models.UniqueConstraint(fields=["digest", "search"], name="search_news_once_a_digest")
        ]

    def __str__(self) -> str:
        return f"{self.name} in {self.digest}"


class DigestSubscription(models.Model):
    """A person's wish to get the digests of a watch by one carrier.

    `target` is where they go, a mail or web address, empty for the feed; `secret` is the token of
    the feed's address or the key of the webhook's signatures. At `tested_at` a test message has
    arrived at the target. With `sign_of_life` a month without news is reported; with
    `searches_only` it gets what the person's watched searches match and no other digest.
    `last_digest_at` is when the last digest was made for it.
    """

    watch = models.ForeignKey(Watch, models.CASCADE, related_name="subscriptions")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="digest_subscriptions"
    )
    carrier = models.CharField(max_length=20)
    target = models.TextField(blank=True)
    secret = models.CharField(max_length=100, blank=True)
    is_on = models.BooleanField(default=False)
    sign_of_life = models.BooleanField(default=True)
    searches_only = models.BooleanField(default=False, db_default=False)
    created_at = models.DateTimeField()
    tested_at = models.DateTimeField(null=True)
    last_digest_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["watch", "person", "carrier"], name="subscription_once_a_carrier"
            )
        ]
        indexes = [models.Index(fields=["carrier", "secret"], name="subscription_by_secret")]

    def __str__(self) -> str:
        return f"{self.carrier} of watch {self.watch_id}"


class Delivery(Job):
    """A digest on its way to one subscription, or without a digest a test message.

    It is tried at `next_at`, `attempts` times so far, until it is sent or given up; each
    attempt has a row in the log.
    """

    job_task = "apps.watches.deliveries.deliver"

    class Fate(models.TextChoices):
        WAITING = "waiting"
        SENT = "sent"
        GIVEN_UP = "given_up"

    subscription = models.ForeignKey(DigestSubscription, models.CASCADE, related_name="deliveries")
    digest = models.ForeignKey(Digest, models.CASCADE, null=True, related_name="deliveries")
    status = models.CharField(max_length=8, choices=Fate.choices, default=Fate.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()
    next_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-id"]
        constraints = [
            models.UniqueConstraint(
                fields=["subscription", "digest"], name="delivery_once_a_subscription"
            )
        ]
        indexes = [models.Index(fields=["status", "next_at"], name="delivery_by_next")]

    def __str__(self) -> str:
        return f"delivery {self.pk}"


class DeliveryAttempt(models.Model):
    """One attempt of a delivery: whether it was accepted, and the answer in words."""

    delivery = models.ForeignKey(Delivery, models.CASCADE, related_name="log")
    at = models.DateTimeField()
    is_accepted = models.BooleanField()
    answer = models.TextField()

    class Meta:
        ordering = ["-id"]


class SeenMark(models.Model):
    """Up to which moment a person has seen the news of a watch. `before` is the mark before the
    last one, for Undo."""

    watch = models.ForeignKey(Watch, models.CASCADE, related_name="seen_marks")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    at = models.DateTimeField()
    before = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["watch", "person"], name="seen_once_a_person")
        ]
