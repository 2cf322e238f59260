"""Whether anchor texts or contexts gave new links their scores, for strategies that choose."""

from __future__ import annotations

from apps.crawls.measures.plots.over_the_crawl import OverTheCrawl


class ContextUse(OverTheCrawl):
    """How many new links got their score by their anchor text, by its context, or by neither.

    For selective link context alone; links to pages fetched or queued are left out.
    """

    id = "context_use"
    title = "Anchor text or link context"
    paper = "SLC §5.3, Fig. 9"
    optional = True
    unit = "count"
    axis_title = "new links"
