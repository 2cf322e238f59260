"""The webs that crawls fetch from."""

from __future__ import annotations

from django.conf import settings
from django.contrib.contenttypes.fields import GenericRelation
from django.db import models

from apps.accounts.models import Share
from apps.jobs.models import Deletable, Job


class Web(Deletable):
    """Where a crawl fetches: the live Web, or a recorded one kept in a folder.

    A recorded web may also be served over HTTP on loopback (`served_port`). One that was uploaded,
    or made of the pages of crawls (`made_of_crawls`, their numbers), belongs to its `owner`, who
    may share it; webs without an owner are everybody's. `note` is one line for people.
    `added_labels` names the file of the labels that lists added to its pages.
    """

    class Source(models.TextChoices):
        LIVE = "live"
        FOLDER = "folder"
        DEMO = "demo"

    forget_task = "apps.webs.services.forget_web"

    name = models.CharField(max_length=100)
    note = models.CharField(max_length=200, blank=True)
    source = models.CharField(max_length=8, choices=Source.choices)
    folder = models.CharField(max_length=200, blank=True)
    seed = models.BigIntegerField(default=0)
    pages = models.PositiveIntegerField(null=True)
    hosts = models.PositiveIntegerField(null=True)
    served_port = models.PositiveIntegerField(null=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, null=True, blank=True, related_name="webs"
    )
    added_labels = models.CharField(max_length=16, blank=True)
    made_of_crawls = models.JSONField(default=list, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)
    shares = GenericRelation(Share, content_type_field="kind", object_id_field="key")

    class Meta:
        base_manager_name = "every"
        constraints = [
            models.UniqueConstraint(
                fields=["name"], condition=models.Q(deleted_at=None), name="web_name_once"
            )
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_recorded(self) -> bool:
        """Whether its pages are kept, so that they can be read through."""
        return self.source != self.Source.LIVE

    @property
    def shared(self) -> bool:
        """Whether the web itself is shared, whatever the topics on it are."""
        return bool(self.shares.all())


class LabelText(models.Model):
    """The labels of a web's pages, one a line, copied from its files for the search of webs."""

    web = models.OneToOneField(Web, models.CASCADE, related_name="label_text")
    text = models.TextField()

    def __str__(self) -> str:
        return f"labels of {self.web.name}"


class PageIndexing(Job):
    """The job that indexes a recorded web's pages; `done` pages are indexed so far."""

    job_task = "apps.webs.pages.tasks.index_pages"

    web = models.OneToOneField(Web, models.CASCADE, related_name="page_indexing")
    done = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"pages of {self.web.name}"
