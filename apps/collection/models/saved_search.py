"""Searches that people keep by name."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from apps.topics.models import Topic

LONGEST_NAME = 80


class SavedSearch(models.Model):
    """A search of a collection that a person keeps by name.

    The collection is that of a topic, or of its crawl `crawl_number` alone; `query` is the search
    as in its address, `topic_name` the topic's name when it was saved. At `looked_at` its owner saw
    it last, with `looked_pages` pages. With `is_watched` the digests of the topic's watch say to
    its owner which pages of a visit it matches. It outlives its topic and crawls.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="saved_searches"
    )
    name = models.CharField(max_length=LONGEST_NAME)
    topic = models.ForeignKey(Topic, models.SET_NULL, null=True, related_name="+")
    topic_name = models.CharField(max_length=200)
    crawl_number = models.PositiveBigIntegerField(null=True)
    query = models.TextField()
    looked_at = models.DateTimeField()
    looked_pages = models.PositiveIntegerField()
    is_watched = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["owner", "name"], name="search_name_once_an_owner")
        ]

    def __str__(self) -> str:
        return self.name
