"""The number of sites over a crawl."""

from __future__ import annotations

from apps.crawls.measures.plots.over_the_crawl import OverTheCrawl


class Diversity(OverTheCrawl):
    """How many sites the pages fetched so far are from.

    A site is a registered domain. A line that flattens is a crawl that stays where it is.
    """

    id = "diversity"
    title = "Sites over the crawl"
    paper = "SL §7.3, Fig. 13a"
    unit = "count"
    axis_title = "sites"
