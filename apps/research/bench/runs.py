"""The cost of a page in CPU time: of whole crawls over real HTTP, ours and others', and of each
stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

from django.conf import settings

from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.connections import Served
from apps.engine.networking.webs.virtual_web import read
from apps.engine.parsing.document import parse
from apps.research.bench.articles import ArticleWeb, article_topic
from apps.research.bench.crawl import STRATEGY, CrawlCost, crawl_cost, floor_cost, served_web
from apps.research.bench.others import OtherCrawler, cost_of
from apps.research.bench.replay import replay_costs
from apps.research.bench.stages import script_costs, stage_costs

STRATEGIES = ("breadth_first", "full_page", STRATEGY, "learner")
STAGE_PAGES, SCRIPT_PAGES = 300, 80


@dataclass(frozen=True, slots=True)
class Round:
    """The costs of one round, measured one after another, of the same web each time: of a crawl in
    one process by each of the strategies, of one with agents, of the floor, of other crawlers."""

    alone: dict[str, CrawlCost]
    with_agents: CrawlCost
    floor: float
    others: dict[str, float]

    @property
    def whole(self) -> CrawlCost:
        return self.alone[STRATEGY]


@dataclass(frozen=True, slots=True)
class OtherCost:
    """What another crawler takes for a page, in microseconds of CPU, and the share of it that ours
    takes: the median of the rounds, and round by round."""

    cost: float
    share: float
    share_by_round: list[float]


@dataclass(frozen=True, slots=True)
class Bench:
    """Microseconds of CPU a page, except `pages_per_second` (wall clock), the sizes, and ratios; of
    what was measured in each of the rounds, the median, and of their ratios too.

    `floor` is what httpx and lxml alone take for the same pages, `times_floor` how many times that
    a `whole` page of a crawl by text window combo takes in one process. `strategies` are such
    crawls by several strategies, `learner_of_full_page` the ratio of two of them. `with_agents` is
    a crawl with the site's number of agents, at least one. `others` are installed crawlers of other
    authors, run on the same web. `scripts` are multiples of Latin (`script_costs`), `replay` is the
    cost of a page in an experiment (`replay_costs`).
    """

    pages: int
    kilobytes_a_page: float
    links_a_page: float
    pages_per_second: float
    whole: float
    floor: float
    times_floor: float
    strategies: dict[str, float]
    learner_of_full_page: float
    with_agents: CrawlCost
    others: dict[str, OtherCost]
    stages: dict[str, float]
    scripts: dict[str, float]
    replay: dict[str, float]

    def as_json(self) -> dict[str, Any]:
        """Plain values, rounded."""
        return {name: _rounded(value) for name, value in asdict(self).items()}


def _rounded(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _rounded(each) for name, each in value.items()}
    if isinstance(value, list):
        return [*map(_rounded, value)]
    return round(value, 2) if isinstance(value, float) else value


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
    web = ArticleWeb(script)
    topic = article_topic(web)
    model = TopicModel(topic)
    model.classifier(), model.committee()  # training is not part of a page
    urls = list(islice(web.urls(), pages))
    results = []
    with served_web(script) as port:
        served = Served(web.hosts, "127.0.0.1", port)
        for number in range(rounds):
            inside = folder / f"round-{number + 1}"
            inside.mkdir()
            theirs = {
                each.name: cost_of(each, python, port, topic.seeds, pages, inside)
                for each in others
            }
            ours = _our_crawls(model, served, pages, inside)
            agents = settings.AGENTS or 1
            with_agents = crawl_cost(model.for_another_crawl(), served, pages, inside, agents)
            floor = floor_cost(served, urls)
            results.append(Round(ours, with_agents, floor, theirs))
    answers = [read(web, url) for url in urls[:STAGE_PAGES]]
    documents = [parse(answer) for answer in answers]
    return Bench(
        pages=min(each.whole.pages for each in results),
        kilobytes_a_page=sum(len(a.body) for a in answers) / len(answers) / 1024,
        links_a_page=sum(len(d.links) for d in documents) / len(documents),
        pages_per_second=median(each.whole.pages_per_second for each in results),
        whole=median(each.whole.coordinator for each in results),
        floor=median(each.floor for each in results),
        times_floor=median(each.whole.coordinator / each.floor for each in results),
        strategies={id: median(r.alone[id].coordinator for r in results) for id in STRATEGIES},
        learner_of_full_page=median(
            each.alone["learner"].coordinator / each.alone["full_page"].coordinator
            for each in results
        ),
        with_agents=_middle([each.with_agents for each in results]),
        others={each.name: _other_cost(each.name, results) for each in others},
        stages=stage_costs(model, answers, folder),
        scripts=script_costs(model, min(pages, SCRIPT_PAGES), rounds),
        replay=replay_costs(web, model, pages, folder),
    )


def _our_crawls(
    model: TopicModel, served: Served, pages: int, folder: Path
) -> dict[str, CrawlCost]:
    return {
        id: crawl_cost(model.for_another_crawl(), served, pages, folder, strategy_id=id)
        for id in STRATEGIES
    }


def _middle(costs: list[CrawlCost]) -> CrawlCost:
    """The crawl whose CPU, of all its processes, is the lower median."""
    return sorted(costs, key=lambda cost: cost.coordinator + cost.of_agents)[(len(costs) - 1) // 2]


def _other_cost(name: str, rounds: Sequence[Round]) -> OtherCost:
    shares = [each.whole.coordinator / each.others[name] for each in rounds]
    return OtherCost(median(each.others[name] for each in rounds), median(shares), shares)
