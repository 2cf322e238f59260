"""Letting everybody who can sign in look at a crawl, and taking that back."""

from __future__ import annotations

from apps.crawls.models import Crawl


def share(crawl: Crawl) -> None:
    """Everybody who can sign in may read the crawl with its pages; its owner alone steers it."""
    _set(crawl, True)


def unshare(crawl: Crawl) -> None:
    """The crawl is its owner's alone again; whoever watches it is sent away."""
    _set(crawl, False)


def _set(crawl: Crawl, shared: bool) -> None:
    Crawl.objects.filter(pk=crawl.pk).update(shared=shared)
    crawl.shared = shared
