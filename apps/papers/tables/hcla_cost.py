"""The cost of link analysis: CPU per page of pagerank and hcla beside breadth-first (HCLA §5.1).

The paper's HCLA is up to a hundred times slower than breadth-first. The universities are crawled
one after the other by the table's protocol; every page is read from disk and parsed, and training
is measured separately.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from apps.engine.crawl.loop import CrawlLoop
from apps.engine.intelligence.topic_model import TopicModel
from apps.papers.tables.hcla_protocol import CRAWLERS, ProtocolCrawler, closed_crawl, topic_of
from apps.papers.tables.observed import Observed, Quantity, observed_in_table
from apps.papers.tables.options import Options, Report
from apps.papers.tables.parted_web import PartedWeb, UniversityPart

REPEATS = 3
CATEGORY = "student"
MOST: Mapping[str, float] = {"brfs": 1.0, "pr": 1.2, "hcla": 2.0}
"""The highest cost allowed, as a multiple of breadth-first."""
LINES = tuple(crawler.title for crawler in CRAWLERS if crawler.id in MOST)
QUANTITIES = (Quantity("cpu_multiple", "CPU time a page, as a multiple of breadth-first", "score"),)


@dataclass(frozen=True, slots=True)
class StrategyCost:
    """One strategy's CPU seconds over all universities. `ratio` is per page, over breadth-first;
    `parts` has the seconds a page of each university."""

    strategy: str
    title: str
    pages: int
    seconds_a_page: float
    ratio: float
    allowed: float
    reorder_seconds: float
    fit_seconds: float
    parts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Costs:
    """The costs of all strategies over one web."""

    web: str
    costs: tuple[StrategyCost, ...]

    def as_dict(self) -> dict[str, Any]:
        return {"table": "hcla-cost", "web": self.web, "costs": [asdict(c) for c in self.costs]}

    def text(self) -> str:
        head = (
            f"{'crawler':10}{'pages':>7}{'ms a page':>11}{'ratio':>7}{'allowed':>9}"
            f"{'reorders':>11}{'training':>10}"
        )
        lines = [
            f"{c.strategy:10}{c.pages:7}{1000 * c.seconds_a_page:11.2f}{c.ratio:7.2f}"
            f"{c.allowed:9.1f}{c.reorder_seconds:9.2f} s{c.fit_seconds:8.2f} s"
            for c in self.costs
        ]
        return "\n".join(["CPU per crawled page, parsing included", "", head, *lines])

    def observed(self) -> Observed:
        """The universities as cases."""
        first = self.costs[0].parts
        return observed_in_table(
            "university",
            [*first],
            {
                (name, cost.title, "cpu_multiple"): seconds / first[name]
                for cost in self.costs
                for name, seconds in cost.parts.items()
            },
        )


def reproduce(web: PartedWeb, options: Options, report: Report) -> Costs:
    """Crawls every university with each strategy in turn, three times; the cheapest counts."""
    parts = [web.part(name) for name in options.universities or web.names]
    best: dict[str, StrategyCost] = {}
    for turn in range(REPEATS):
        for crawler in (crawler for crawler in CRAWLERS if crawler.id in MOST):
            report(f"turn {turn + 1} of {REPEATS}: {crawler.title}")
            cost = _measured(web, parts, crawler, options.pages)
            cheapest = best.get(crawler.id)
            if cheapest is None or cost.seconds_a_page < cheapest.seconds_a_page:
                best[crawler.id] = cost
    return Costs(options.web_name, _compared(list(best.values())))


def _measured(
    web: PartedWeb, parts: Sequence[UniversityPart], crawler: ProtocolCrawler, pages: int | None
) -> StrategyCost:
    fetched, seconds, reorder_seconds, fit_seconds = 0, 0.0, 0.0, 0.0
    by_part: dict[str, float] = {}
    for part in parts:
        began = time.process_time()
        topic = TopicModel(topic_of(web, part, CATEGORY, crawler))
        crawl = closed_crawl(part, web, topic, crawler.make(), pages, parse_anew=True)
        fitted = time.process_time()
        asyncio.run(_run(crawl))
        spent = time.process_time() - fitted
        seconds += spent
        by_part[part.name] = spent / max(crawl.pages, 1)
        fit_seconds += fitted - began
        fetched += crawl.pages
        reorder_seconds += crawl.reorder_seconds
    return StrategyCost(
        crawler.id,
        crawler.title,
        fetched,
        seconds / max(fetched, 1),
        1.0,
        MOST[crawler.id],
        reorder_seconds,
        fit_seconds,
        by_part,
    )


async def _run(crawl: CrawlLoop) -> None:
    crawl.start()
    async for _ in crawl.run():
        pass


def _compared(costs: Sequence[StrategyCost]) -> tuple[StrategyCost, ...]:
    first = costs[0].seconds_a_page
    return tuple(replace(cost, ratio=cost.seconds_a_page / first) for cost in costs)
