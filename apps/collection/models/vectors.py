"""The vectors by which near pages are looked for."""

from __future__ import annotations

from django.db import models

from apps.crawls.models import Crawl
from apps.topics.models import Topic


class TopicVectors(models.Model):
    """How the pages of a topic become vectors, so that near ones can be looked for.

    `space` is a packed `TextSpace` made of `pages` pages; with each new one `version` rises and all
    vectors are made anew. `source` identifies the word vectors used, `label` names them with their
    licence; both are empty if pages are compared by their own words. `problem` is why the word
    vectors that are named are not used.
    """

    topic = models.OneToOneField(
        Topic, models.CASCADE, primary_key=True, related_name="text_vectors"
    )
    version = models.PositiveIntegerField(default=1)
    source = models.TextField(blank=True)
    label = models.TextField(blank=True)
    problem = models.TextField(blank=True)
    pages = models.PositiveIntegerField()
    space = models.BinaryField()
    made_at = models.DateTimeField()

    @property
    def by_words(self) -> bool:
        """Whether pages are compared by their own words, without word vectors."""
        return not self.label


class PageVector(models.Model):
    """The vector of a page's main text: numbers of two bytes, of length 1 together."""

    page_id = models.BigAutoField(primary_key=True)
    crawl = models.ForeignKey(Crawl, models.CASCADE, related_name="+")
    version = models.PositiveIntegerField()
    vector = models.BinaryField()
