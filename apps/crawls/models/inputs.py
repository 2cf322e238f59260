"""What a crawl was given besides its topic."""

from __future__ import annotations

from django.db import models


class CrawlSources(models.Model):
    """What `topics.inputs` froze for a crawl when it was started, so that it can be repeated.

    A row of its own: it may be large, and nobody but the crawl's runner reads it.
    """

    crawl = models.OneToOneField("crawls.Crawl", models.CASCADE, related_name="given")
    data = models.JSONField()

    def __str__(self) -> str:
        return f"sources of crawl {self.crawl_id}"
