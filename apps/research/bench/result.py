"""What a run of the bench has measured, as it is saved."""

from __future__ import annotations

from collections.abc import Mapping

from apps.research.effectiveness.saved_result import SavedResult
from apps.schemas.input import Input


class AgentsCost(Input):
    """A crawl with agents: microseconds of CPU a page of its own process (`coordinator`) and of all
    `of_agents` together; `pages_per_second` is by the wall clock."""

    agents: int
    coordinator: float
    of_agents: float
    pages_per_second: float


class OtherCost(Input):
    """What another crawler takes for a page, in microseconds of CPU, and the share of it that ours
    takes: the median of the rounds, and round by round."""

    cost: float
    share: float
    share_by_round: list[float]


class ShortCrawlCost(Input):
    """Seconds of CPU of a short crawl's process: from its `start` to the first request, and at the
    `end`, from the commit of the last page until the process is gone."""

    start: float
    end: float


class ScreenCost(Input):
    """Milliseconds of the `first` answer, and the `median` and the 95th percentile of the
    others."""

    first: float
    median: float
    p95: float


class Bench(SavedResult):
    """Microseconds of CPU a page, except `pages_per_second` (wall clock), the sizes, and ratios; of
    what was measured in each of the rounds, the median, and of their ratios too.

    `load` is the machine's when the bench began, of `cores`. `floor` is what httpx and lxml alone
    take for the same pages, `times_floor` how many times that a `whole` page of a crawl by text
    window combo takes in one process. `strategies` are such crawls by several strategies,
    `learner_of_full_page` the ratio of two of them, `gains_by_round` how many times as many pages a
    second each fetches with agents, if what serves the web took none of the cores. `others` are
    installed crawlers of other authors, run on the same web. `scripts` are multiples of Latin
    (`script_costs`), `replay` is the cost of a page in an experiment (`replay_costs`), `starts` are
    short crawls of a trained topic by strategy (`start_costs`).
    """

    results_field = "stages"

    rounds: int
    load: float
    cores: int
    kilobytes_a_page: float
    links_a_page: float
    pages_per_second: float
    whole: float
    floor: float
    times_floor: float
    learner_of_full_page: float
    with_agents: AgentsCost
    gains_by_round: Mapping[str, list[float]] = {}
    strategies: Mapping[str, float]
    others: Mapping[str, OtherCost]
    scripts: Mapping[str, float]
    replay: Mapping[str, float]
    starts: Mapping[str, ShortCrawlCost] = {}
    stages: Mapping[str, float] = {}


class ScreensResult(SavedResult):
    """What the screens of a site with `pages` in one crawl and as many `crawls` besides take, each
    asked `rounds` times after the first, by address: milliseconds of CPU, or by the clock if the
    site was `busy` with crawling and indexing in two other processes."""

    room = "screens"
    results_field = "screens"

    crawls: int
    rounds: int
    load: float
    cores: int
    busy: bool = False
    screens: Mapping[str, ScreenCost] = {}
