"""One label for many pages at once."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from apps.jobs.models import Job
from apps.topics.models import Topic


class BulkLabelling(Job):
    """One label for many pages of a topic's crawls, given in the background.

    `pages` are [crawl, page number] each, of which `done` are labelled and `refused` could not be;
    `relevant` None removes labels. `before` are the labels that the first of them had. With
    `undone` the job restores those.
    """

    job_task = "apps.collection.labelling.label_pages"

    topic = models.ForeignKey(Topic, models.CASCADE, related_name="+")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="bulk_labellings")
    relevant = models.BooleanField(null=True)
    pages = models.JSONField(default=list)
    before = models.JSONField(default=list)
    done = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)
    undone = models.BooleanField(default=False)

    @property
    def page_count(self) -> int:
        """How many pages are labelled, or get their labels of before, when the job is done."""
        return len(self.before) if self.undone else len(self.pages)
