"""Runs engine crawls over a made web, without a database."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from apps.engine.codes import Need
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.crawl.steering import ApplyChange
from apps.engine.events import Batch
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.robots.files import Robots
from apps.engine.networking.webs.virtual_web import RecordedFetcher
from tests.made_web import MadeWeb, bread_topic

# What the tests change of a crawl, by kind.
CHANGE_KINDS: Mapping[str, ApplyChange] = {
    "delta": lambda steering, p: steering.adjust("delta", p["value"]),
    "pace": lambda steering, p: steering.set_pace(p["pages_per_second"]),
    "exclude_host": lambda steering, p: steering.exclude_host(p["host"]),
    "include_host": lambda steering, p: steering.include_host(p["host"]),
    "exclude_pattern": lambda steering, p: steering.exclude_pattern(p["pattern"]),
    "include_pattern": lambda steering, p: steering.include_pattern(p["pattern"]),
    "heed": lambda steering, p: steering.count_labels(p["labels"]),
    "trust_trap": lambda steering, p: steering.trust_trap(p["rule"], p["place"]),
}
NEEDS_MET = {Need.SUBJECT, Need.EXAMPLES, Need.KEYWORDS, Need.INLINKS}
POLITE = Politeness(delay=0.0, concurrent=4)


def recorded_crawl(
    web: MadeWeb,
    strategy_id: str = "breadth_first",
    budget: int = 100,
    robots: bool = True,
    clock: Callable[[], float] = time.monotonic,
    **options,
) -> CrawlLoop:
    parameters = options.pop("parameters", {})
    options.setdefault("recorded", True)
    options.setdefault("batch_seconds", 600.0)  # batches end by their requests, however slow it is
    model = TopicModel(options.pop("topic", None) or bread_topic(web), seed=1)
    plan = Plan(budget, budget * 5, politeness=POLITE, **options)
    return CrawlLoop(
        plan,
        model,
        strategy(strategy_id).build(parameters),
        RecordedFetcher(web),
        committee=model.committee(),
        robots=Robots("test/1.0") if robots else None,
        labels=lambda url: "bread" in web.labels(url),
        inlinks=model.topic.inlinks.get,
        change_kinds=CHANGE_KINDS,
        clock=clock,
    )


async def batches_of(
    crawl: CrawlLoop, after: Callable[[Batch], None] = lambda batch: None
) -> list[Batch]:
    batches = []
    async for batch in crawl.run():
        batches.append(batch)
        after(batch)
    return batches


def requests_of(batches: list[Batch]) -> list[tuple[int, str]]:
    rows = [(p.request, p.answer.url) for b in batches for p in b.pages]
    rows += [(f.request, f"{f.answer.url} {f.answer.failure}") for b in batches for f in b.failures]
    return sorted(rows)
