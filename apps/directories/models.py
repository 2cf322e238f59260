"""Topic directories: categories and the pages that editors put under them."""

from __future__ import annotations

from django.conf import settings
from django.contrib.contenttypes.fields import GenericRelation
from django.db import models

from apps.accounts.models import Share
from apps.jobs.models import Deletable


class Directory(Deletable):
    """An imported directory; `skipped` counts the entries of its file that were skipped, by reason.

    It is `ready`, and visible, once its whole file has been read.
    """

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="directories")
    name = models.CharField(max_length=200)
    categories = models.PositiveIntegerField(default=0)
    pages = models.PositiveIntegerField(default=0)
    sites = models.PositiveIntegerField(default=0)
    skipped = models.JSONField(default=dict, blank=True)
    ready = models.BooleanField(default=True)
    imported_at = models.DateTimeField(auto_now_add=True)

    shares = GenericRelation(Share, content_type_field="kind", object_id_field="key")

    class Meta:
        base_manager_name = "every"
        ordering = ["-imported_at"]
        verbose_name_plural = "directories"
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "name"],
                condition=models.Q(deleted_at=None),
                name="directory_once_an_owner",
            )
        ]

    def __str__(self) -> str:
        return self.name


class DirectoryTopic(models.Model):
    """A category; `path` leads from the directory's root, whose own path is empty.

    `parent` is the parent's path; `own_pages` and `all_pages` count pages without and with those of
    its descendants.
    """

    directory = models.ForeignKey(Directory, models.CASCADE, related_name="topics")
    path = models.TextField()
    parent = models.TextField()
    depth = models.PositiveSmallIntegerField()
    own_pages = models.PositiveIntegerField(default=0)
    all_pages = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["path"]
        constraints = [
            models.UniqueConstraint(fields=["directory", "path"], name="category_once_a_directory")
        ]
        indexes = [models.Index(fields=["directory", "parent"], name="category_by_parent")]

    def __str__(self) -> str:
        return self.path

    @property
    def name(self) -> str:
        """The last part of the path as people write it."""
        return self.path.rpartition("/")[2].replace("_", " ")


class DirectoryPage(models.Model):
    """A page in a category, with an editor's description of it."""

    topic = models.ForeignKey(DirectoryTopic, models.CASCADE, related_name="pages")
    url = models.TextField()
    title = models.TextField(blank=True)
    description = models.TextField(blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["topic", "url"], name="page_once_a_category")
        ]


class DirectorySite(models.Model):
    """A registered domain that a directory lists; the reliability of sites is measured by these."""

    directory = models.ForeignKey(Directory, models.CASCADE, related_name="listed_sites")
    domain = models.CharField(max_length=260)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["directory", "domain"], name="site_once_a_directory")
        ]
