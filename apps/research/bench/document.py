"""docs/scale.md, of the figures of the bench."""

from __future__ import annotations

from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from statistics import median
from typing import Any

from apps.research.bench.result import Bench, ScreensResult
from apps.research.markdown import render, table
from apps.schemas.refused import Refused

NAMES = {
    "breadth_first": "breadth-first",
    "full_page": "Full Page",
    "text_window_combo": "text window combo",
    "learner": "learner",
    "floor": "httpx and lxml alone",
    "scrapy": "Scrapy",
    "scrapy_tuned": "Scrapy, tuned",
    "crawlee": "crawlee",
}
STAGES = {
    "parse": "parse",
    "encode": "words to token ids",
    "contexts": "windows of the links",
    "score_links": "their scores",
    "queue": "queue",
    "archive": "archive",
    "committee": "committee",
    "main_text": "main text",
    "trafilatura": "trafilatura",
}
DATABASES = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
SCREEN_GOAL, BUSY_GOAL = 200, 400
"""Milliseconds at the 95th percentile: of CPU, and by the clock in a busy site."""
SHOWN_SCREENS = 12


def write_document(results: Path) -> str:
    """The whole document. Raises Refused if the folder lacks the bench's figures."""
    by_web = {each.web: each for each in Bench.read_all(results)}
    if "articles" not in by_web:
        raise Refused(results.name, "articles.json is missing: manage.py bench --save makes it.")
    bench = by_web["articles"]
    return render(
        "scale.md",
        bench=bench,
        screens=[
            _screens_of(each)
            for each in sorted(ScreensResult.read_all(results), key=attrgetter("busy"))
        ],
        crawls=table(("crawl", "CPU ms a page", "of it"), _crawls(bench)),
        stages=table(
            ("stage alone, of the same pages", "µs a page"),
            ([words, f"{bench.stages[stage]:,.0f}"] for stage, words in STAGES.items()),
        ),
        gains=bench.gains_by_round
        and table(
            ("crawl", "times as many pages a second", "round by round"),
            (
                [NAMES[id], f"{median(gains):.2f}", ", ".join(f"{each:.2f}" for each in gains)]
                for id, gains in bench.gains_by_round.items()
            ),
        ),
        starts=bench.starts
        and table(
            ("crawl", "to the first request", "at the end"),
            (
                [NAMES[id], f"{cost.start:.2f}", f"{cost.end:.2f}"]
                for id, cost in bench.starts.items()
            ),
        ),
        scripts=", ".join(
            f"{script.capitalize()} {times:.2f}"
            for script, times in bench.scripts.items()
            if script != "latin"
        ),
        coordinator=_milliseconds(bench.with_agents.coordinator),
        of_agents=_milliseconds(bench.with_agents.of_agents),
        prepare=f"{bench.replay['prepare']:,.0f}",
        first=f"{bench.replay['beside_first'] + bench.replay['strategy']:,.0f}",
        next=f"{bench.replay['beside_next'] + bench.replay['strategy']:,.0f}",
    )


def _screens_of(result: ScreensResult) -> dict[str, Any]:
    slowest = sorted(result.screens.items(), key=lambda item: -item[1].p95)
    goal = BUSY_GOAL if result.busy else SCREEN_GOAL
    return {
        "of": result,
        "database": DATABASES[result.web.removesuffix("-busy")],
        "goal": goal,
        "read": len(slowest),
        "slow": sum(each.p95 > goal for _, each in slowest),
        "table": table(
            ("the slowest", "first", "median", "p95"),
            (
                [address, *(f"{ms:,.0f}" for ms in (each.first, each.median, each.p95))]
                for address, each in slowest[:SHOWN_SCREENS]
            ),
        ),
    }


def _crawls(bench: Bench) -> Iterator[list[str]]:
    for strategy, cost in bench.strategies.items():
        yield [NAMES[strategy], _milliseconds(cost), ""]
    yield [NAMES["floor"], _milliseconds(bench.floor), f"{bench.times_floor:.2f}"]
    for name, other in bench.others.items():
        rounds = f"{min(other.share_by_round):.2f} to {max(other.share_by_round):.2f}"
        yield [NAMES[name], _milliseconds(other.cost), f"{other.share:.2f} ({rounds})"]


def _milliseconds(microseconds: float) -> str:
    return f"{microseconds / 1000:.2f}"
