"""Shares over a crawl that no chart of the live page has."""

from __future__ import annotations

from apps.crawls.measures.plots.over_the_crawl import OverTheCrawl


class Courses(OverTheCrawl):
    """Shares over the crawl that no chart of the live page has: harvest without the seeds, loss,
    agreement of the judges, recall by the web’s labels.

    The loss by the critic is AFC’s. Recall, and the sites listed in the directory, are drawn
    where they are defined.
    """

    id = "courses"
    title = "Harvest, loss, agreement, recall"
    paper = "AFC §3.5, LC §6, SLC §5.1"
    unit = "share"
    axis_title = "share"
    empty = "First point after 10 judged pages"
