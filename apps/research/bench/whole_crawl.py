"""A crawl with its rows, run to its end in this process."""

from __future__ import annotations

from collections.abc import Callable

from apps.crawls.commands.lifecycle.start import start_here
from apps.crawls.lifecycle.lease import claim
from apps.crawls.models import Crawl
from apps.crawls.running.runner import Runner
from apps.crawls.services import create_crawl
from apps.engine.codes import State
from apps.topics.models import Topic


def run_crawl(
    topic: Topic,
    strategy: str,
    pages: int,
    random_seed: int | None = None,
    report: Callable[[Crawl], None] = lambda crawl: None,
    begin: Callable[[], None] = lambda: None,
) -> Crawl:
    """Crawls so many pages of the topic's web; `report` and `begin` are the runner's. Raises
    RuntimeError if the crawl does not finish."""
    assert topic.web is not None
    crawl = create_crawl(
        topic.owner, topic, topic.web, strategy=strategy, budget=pages, random_seed=random_seed
    )
    start_here(crawl)
    claimed = claim(crawl.pk, crawl.epoch)
    assert claimed is not None
    Runner(claimed, keep=True, report=report, begin=begin).run()
    crawl.refresh_from_db()
    if crawl.state != State.FINISHED:
        raise RuntimeError(f"the crawl of the bench is {crawl.state}: {crawl.reason}")
    return crawl
