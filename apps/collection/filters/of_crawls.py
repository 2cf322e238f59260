"""Filters that depend on the crawls whose pages they filter."""

from __future__ import annotations

from apps.collection.searched_crawls import SearchedCrawls


class OfCrawls:
    """A filter of a collection that reads which crawls are searched."""

    context: SearchedCrawls
