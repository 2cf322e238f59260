"""The strip of figures: the speed of all crawls, their agents, and their bottleneck."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from apps.crawls.load import STEP_SECONDS, STEPS, CrawlLoad
from apps.crawls.messages import limit_words
from apps.crawls.models import Crawl
from apps.figures.quantities import number_of
from apps.machines.registry import AgentRecord
from apps.screens.machines.states import mean
from apps.screens.sparkline import Sparkline, sparkline


@dataclass(frozen=True, slots=True)
class Strip:
    """Figures of now. `line` is the pages a second of the last ten minutes; `agents_busy` and
    `coordinators_busy` are mean shares of their time, `cpu_ms` CPU milliseconds of the coordinators
    a page; None if unknown. `limit` limits `limited` of the crawls, more than any other."""

    rate: float
    line: Sparkline
    crawls: int
    serving: int
    agents: int
    others: str
    agents_busy: float | None
    coordinators_busy: float | None
    cpu_ms: float | None
    limit: str
    limited: int


def strip(crawls: Sequence[Crawl], agents: Sequence[AgentRecord]) -> Strip:
    """The figures of the crawls that run and of the lent agents."""
    serving = [agent for agent in agents if agent.state == "running"]
    loads = [CrawlLoad.of(crawl.load) for crawl in crawls]
    rates = [crawl.metrics.get("pages_per_second") or 0.0 for crawl in crawls]
    weighted = [(load.cpu_ms, rate) for load, rate in zip(loads, rates, strict=True) if load.cpu_ms]
    weight = sum(rate for _, rate in weighted)
    names = Counter(
        limit_words(crawl).name
        for crawl, load in zip(crawls, loads, strict=True)
        if load.bottleneck != "unknown"
    )
    limit, limited = max(names.items(), key=lambda pair: pair[1], default=("", 0))
    return Strip(
        rate=sum(rates),
        line=_channel(),
        crawls=len(crawls),
        serving=len(serving),
        agents=len(agents),
        others=_others(agents),
        agents_busy=mean(
            [agent.word.busy for agent in serving] or [load.agents_busy for load in loads]
        ),
        coordinators_busy=mean([load.coordinator for load in loads]),
        cpu_ms=sum(ms * rate for ms, rate in weighted) / weight if weight else None,
        limit=limit,
        limited=limited,
    )


def _others(agents: Sequence[AgentRecord]) -> str:
    """`1 drains, 1 silent` of the agents that are not ready."""
    counted = Counter(agent.state for agent in agents)
    drain = counted["draining"]
    phrases = [f"{drain} drain{'s' if drain == 1 else ''}"] if drain else []
    phrases += [f"{counted[state]} {state}" for state in ("drained", "silent") if counted[state]]
    return ", ".join(phrases)


def _channel() -> Sparkline:
    """The pages a second of all crawls, those that have ended meanwhile too."""
    now = time.time()
    loads = Crawl.objects.filter(load__at__gte=now - STEPS * STEP_SECONDS)
    rates = [CrawlLoad.of(load).rates(now) for load in loads.values_list("load", flat=True)]
    total = [sum(at_once) for at_once in zip(*rates, strict=True)] or [0.0] * (STEPS - 1)
    words = f"Pages a second of all crawls: {number_of(round(total[-1]), 'page')} now"
    return sparkline(words, "ink", total, max(total) or 1.0, "")
