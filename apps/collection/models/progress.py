"""How far the index has come with each crawl."""

from __future__ import annotations

from django.db import models

from apps.crawls.models import Crawl
from apps.jobs.models import Job


class Progress(Job):
    """How far the collection has come with a crawl: a page is listed, indexed, then read."""

    job_task = "apps.collection.tasks.index"

    crawl = models.OneToOneField(Crawl, models.CASCADE, primary_key=True, related_name="collected")

    listed = models.PositiveIntegerField(default=0)
    """The number of the last page that has an Entry."""
    indexed = models.PositiveIntegerField(default=0)
    """The number of the last page whose words are in the index."""
    indexed_at = models.DateTimeField(null=True)
    language = models.CharField(max_length=8, null=True)
    """The languages by whose rules words are stemmed, each page by its own; empty if by none, null
    before a page is indexed."""
    read = models.PositiveIntegerField(default=0)
    """The number of the last page that has a MainText."""
    reader = models.PositiveSmallIntegerField(default=0)
    """The version of the extraction that wrote these texts."""
    read_at = models.DateTimeField(null=True)
    marked = models.PositiveIntegerField(default=0)
    """The topic's version whose examples and labels the entries show."""
    vectored = models.PositiveIntegerField(default=0)
    """The number of the last page that has a PageVector, or no text for one."""
    vectors_version = models.PositiveIntegerField(default=0)
    """The version of the topic's vectors that these are of."""
