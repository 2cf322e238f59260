"""Sign-in links, API tokens and shares."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import Group
from django.contrib.contenttypes.fields import GenericForeignKey
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.db.models import Q


class SignInLink(models.Model):
    """A one-time link, stored as a digest; used up by the POST of its page."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE)
    digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)


class ApiToken(models.Model):
    """A token of the API, stored as a digest and shown once."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True)


class Share(models.Model):
    """Lets a person, a group or everybody who can sign in read one thing, and change it if
    `may_edit`.

    A model whose rows can be shared has them as `shares`.
    """

    kind = models.ForeignKey(ContentType, models.CASCADE, related_name="+")
    key = models.PositiveBigIntegerField()
    of = GenericForeignKey("kind", "key")
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="+"
    )
    group = models.ForeignKey(Group, models.CASCADE, null=True, related_name="+")
    everybody = models.BooleanField(default=False)
    may_edit = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "key", "person"], name="share_once_a_person"),
            models.UniqueConstraint(fields=["kind", "key", "group"], name="share_once_a_group"),
            models.UniqueConstraint(
                fields=["kind", "key"], condition=Q(everybody=True), name="share_once_with_all"
            ),
            models.CheckConstraint(
                condition=Q(person__isnull=False, group=None, everybody=False)
                | Q(person=None, group__isnull=False, everybody=False)
                | Q(person=None, group=None, everybody=True, may_edit=False),
                name="share_with_one",
            ),
        ]

    def __str__(self) -> str:
        return "everybody" if self.everybody else str(self.person or self.group)


class Guide(models.Model):
    """A person's progress in the first ten minutes: steps, labels given, and whether the guide is
    hidden."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="guide")
    done = models.JSONField(default=list)
    labels = models.PositiveSmallIntegerField(default=0)
    hidden = models.BooleanField(default=False)
