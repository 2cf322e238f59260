"""A crawl that notes what it takes, in a process that reads no more modules than a site's that
crawls."""

from __future__ import annotations

import time

from apps.crawls.models import Crawl
from apps.research.bench.whole_crawl import run_crawl


def timed_crawl(crawl: Crawl) -> tuple[float, float]:
    """Runs a started crawl. The CPU seconds of this process when the first request was about to be
    sent, and when the last page was committed. Raises RuntimeError if the crawl does not finish."""
    before, committed = [0.0], [0.0]

    def begin() -> None:
        before[0] = time.process_time()

    def report(crawl: Crawl) -> None:
        committed[0] = time.process_time()

    run_crawl(crawl, report=report, begin=begin)
    return before[0], committed[0]
