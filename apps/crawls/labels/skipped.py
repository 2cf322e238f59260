"""The pages that people have skipped: they are not proposed for labelling again."""

from __future__ import annotations

from apps.crawls.models import Crawl

KIND = "skip"
"""The kind of the command and of its events."""


def skipped_pages(crawl: Crawl) -> frozenset[int]:
    """The pages skipped now, by number."""
    done = crawl.events.filter(kind=KIND).order_by("seq").values_list("payload", flat=True)
    asked = crawl.changes.filter(kind=KIND, applied=False).order_by("id")
    payloads = [*done, *asked.values_list("payload", flat=True)]
    last = {payload["page"]: payload["skipped"] for payload in payloads}
    return frozenset(page for page, skipped in last.items() if skipped)
