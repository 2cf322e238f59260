"""The CPU of a short crawl's process until its first request, and from its last page to its end."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Mapping
from statistics import median

from apps.research.bench.result import ShortCrawlCost
from apps.research.bench.screens.own_site import own_site

STRATEGIES = ("text_window_combo", "learner")


def start_costs(rounds: int) -> dict[str, ShortCrawlCost]:
    """The medians of several crawls by each strategy, each a process of its own, after one that has
    trained the topic's models. Raises CalledProcessError if one fails."""
    with own_site() as environment:
        _run(environment, "make")
        for strategy in STRATEGIES:
            _cost(strategy, environment)
        costs = {
            strategy: [_cost(strategy, environment) for _ in range(rounds)]
            for strategy in STRATEGIES
        }
    return {
        strategy: ShortCrawlCost(
            start=round(median(start for start, _ in each), 2),
            end=round(median(end for _, end in each), 2),
        )
        for strategy, each in costs.items()
    }


def _cost(strategy: str, environment: Mapping[str, str]) -> tuple[float, float]:
    _run(environment, "start", strategy)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start, last = json.loads(_run(environment, "run"))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    whole = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return start, whole - last


def _run(environment: Mapping[str, str], *what: str) -> str:
    done = subprocess.run(
        [sys.executable, "-P", "-m", "apps.research.bench.starts", *what],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout
