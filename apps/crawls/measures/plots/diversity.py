"""The number of sites over a crawl."""

from __future__ import annotations

from apps.crawls.measures.plots.over_the_crawl import OverTheCrawl


class Diversity(OverTheCrawl):
    """How many sites the pages fetched so far are from."""

    id = "diversity"
    title = "Sites over the crawl"
    paper = "SL §7.3, Fig. 13a"
    unit = "count"
    of = "sites"
