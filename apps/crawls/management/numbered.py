"""Crawls as commands name them."""

from __future__ import annotations

from django.core.management.base import CommandError

from apps.crawls.models import Crawl


def crawl_numbered(number: int) -> Crawl:
    """The crawl of that number, with topic and web. Raises CommandError."""
    crawl = Crawl.objects.select_related("topic", "web").filter(pk=number).first()
    if crawl is None:
        raise CommandError(f"There is no crawl {number}. `crawlsite crawls` lists them.")
    return crawl
