"""The cost of a page in CPU time: of whole crawls over real HTTP, ours and others', and of each
stage."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import fmean, median
from typing import Any

from django.conf import settings

from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.webs.virtual_web import read
from apps.engine.parsing.document import parse
from apps.research.bench.articles import ArticleWeb, article_topic
from apps.research.bench.crawl import (
    STRATEGY,
    CrawlCost,
    ServedWeb,
    crawl_cost,
    floor_cost,
    served_web,
)
from apps.research.bench.others import OtherCrawler, cost_of
from apps.research.bench.replay import replay_costs
from apps.research.bench.result import AgentsCost, Bench, OtherCost
from apps.research.bench.stages import script_costs, stage_costs

STRATEGIES = ("breadth_first", "full_page", STRATEGY, "learner")
STAGE_PAGES, SCRIPT_PAGES = 300, 80


@dataclass(frozen=True, slots=True)
class Round:
    """The costs of one round, measured one after another, of the same web each time: of a crawl by
    each of the strategies in one process and with agents, of the floor, of other crawlers."""

    alone: dict[str, CrawlCost]
    with_agents: dict[str, CrawlCost]
    floor: float
    others: dict[str, float]

    @property
    def whole(self) -> CrawlCost:
        return self.alone[STRATEGY]

    def gain(self, strategy_id: str) -> float:
        """How many times as many pages a second agents fetch, if what serves the web took none of
        the cores."""
        shared, cores = self.with_agents[strategy_id], os.cpu_count() or 1
        seconds = 1 / shared.pages_per_second - shared.of_web / 1e6 / cores
        return 1 / (self.alone[strategy_id].pages_per_second * seconds)


def bench(
    pages: int,
    folder: Path,
    script: str | None = None,
    others: Sequence[OtherCrawler] = (),
    python: str = "",
    rounds: int = 1,
) -> Bench:
    """Crawls `pages` pages of a web of articles, which a separate process serves, in so many
    rounds; they are in several scripts, or all in one.

    Every page is judged, every link scored, every body archived in `folder`; no rows are written.
    `others` are run by the interpreter `python`, which has them; each crawls the same web in each
    round.
    """
    load, web = os.getloadavg()[0], ArticleWeb(script)
    topic = article_topic(web)
    model = TopicModel(topic)
    model.classifier(), model.committee()  # training is not part of a page
    urls = list(islice(web.urls(), pages))
    results = []
    with served_web(script) as served:
        for number in range(rounds):
            inside = folder / f"round-{number + 1}"
            inside.mkdir()
            theirs = {
                each.name: cost_of(each, python, served.served.port, topic.seeds, pages, inside)
                for each in others
            }
            # What comes first in a round finds caches cold, so each comes first in its turn.
            first = number % len(STRATEGIES)
            order = STRATEGIES[first:] + STRATEGIES[:first]
            ours = _our_crawls(order, model, served, pages, inside)
            with_agents = _our_crawls(order, model, served, pages, inside, settings.AGENTS or 1)
            floor = floor_cost(served.served, urls)
            results.append(Round(ours, with_agents, floor, theirs))
    answers = [read(web, url) for url in urls[:STAGE_PAGES]]
    return Bench(
        web=f"articles-{script}" if script else "articles",
        command=f"manage.py bench --pages {pages} --rounds {rounds}"
        + (f" --script {script}" if script else ""),
        pages=min(each.whole.pages for each in results),
        rounds=rounds,
        load=_rounded(load),
        cores=os.cpu_count() or 1,
        kilobytes_a_page=_rounded(fmean(len(each.body) for each in answers) / 1024),
        links_a_page=_rounded(fmean(len(parse(each).links) for each in answers)),
        **_middles(results),
        others={each.name: _other_cost(each.name, results) for each in others},
        stages=stage_costs(model, answers, folder),
        scripts=script_costs(model, min(pages, SCRIPT_PAGES), rounds),
        replay=replay_costs(web, model, pages, folder),
    )


def _middles(rounds: Sequence[Round]) -> dict[str, Any]:
    """What each round has measured of our crawls, as medians over the rounds."""

    def middle(figure: Callable[[Round], float]) -> float:
        return _rounded(median(map(figure, rounds)))

    # The crawl whose CPU, of all its processes, is the lower median.
    of_agents = sorted(
        (each.with_agents[STRATEGY] for each in rounds),
        key=lambda cost: cost.coordinator + cost.of_agents,
    )[(len(rounds) - 1) // 2]
    return {
        "pages_per_second": middle(lambda each: each.whole.pages_per_second),
        "whole": middle(lambda each: each.whole.coordinator),
        "floor": middle(lambda each: each.floor),
        "times_floor": middle(lambda each: each.whole.coordinator / each.floor),
        "learner_of_full_page": middle(
            lambda each: each.alone["learner"].coordinator / each.alone["full_page"].coordinator
        ),
        "strategies": {
            id: _rounded(median(each.alone[id].coordinator for each in rounds)) for id in STRATEGIES
        },
        "with_agents": AgentsCost(
            agents=of_agents.agents,
            coordinator=_rounded(of_agents.coordinator),
            of_agents=_rounded(of_agents.of_agents),
            pages_per_second=_rounded(of_agents.pages_per_second),
        ),
        "gains_by_round": {id: [_rounded(each.gain(id)) for each in rounds] for id in STRATEGIES},
    }


def _our_crawls(
    order: Sequence[str],
    model: TopicModel,
    web: ServedWeb,
    pages: int,
    folder: Path,
    agents: int = 0,
) -> dict[str, CrawlCost]:
    return {
        id: crawl_cost(model.for_another_crawl(), web, pages, folder, agents, id) for id in order
    }


def _other_cost(name: str, rounds: Sequence[Round]) -> OtherCost:
    shares = [each.whole.coordinator / each.others[name] for each in rounds]
    return OtherCost(
        cost=_rounded(median(each.others[name] for each in rounds)),
        share=_rounded(median(shares)),
        share_by_round=[*map(_rounded, shares)],
    )


def _rounded(value: float) -> float:
    return round(value, 2)
