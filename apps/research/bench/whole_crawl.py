"""A crawl with its rows, run to its end in this process."""

from __future__ import annotations

from collections.abc import Callable

from apps.crawls.lifecycle.lease import claim
from apps.crawls.models import Crawl
from apps.crawls.running.runner import Runner
from apps.engine.codes import State


def run_crawl(
    crawl: Crawl,
    report: Callable[[Crawl], None] = lambda crawl: None,
    begin: Callable[[], None] = lambda: None,
) -> Crawl:
    """Runs a started crawl; `report` and `begin` are the runner's. Raises RuntimeError if the crawl
    does not finish."""
    claimed = claim(crawl.pk, crawl.epoch)
    assert claimed is not None
    Runner(claimed, keep=True, report=report, begin=begin).run()
    crawl.refresh_from_db()
    if crawl.state != State.FINISHED:
        raise RuntimeError(f"the crawl of the bench is {crawl.state}: {crawl.reason}")
    return crawl
