"""The design of an experiment: one schema for the form, TOML files, the API and commands."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import Field

from apps.crawls.most import MOST_PAGES
from apps.crawls.schemas import JUDGES, PolitenessRules, ScopeRules
from apps.engine.evaluation import MEASURES
from apps.engine.evaluation.target_recall import TargetRecall
from apps.engine.frontier.parents import POLICIES
from apps.schemas.input import Input, Printable, Storable, Text, accepts
from apps.schemas.one_of import OneOf
from apps.topics.models import Topic

FORMAT: Final = 1
BY_TOPIC: Final = "topics"
MOST_CRAWLERS = 60
MOST_TOPICS = 1_000
MOST_REPETITIONS = 100
MOST_CELLS = 20_000
SAMPLES = 100
"""How many samples a cell of many pages has."""


class CrawlerDesign(Input):
    """A strategy and its parameters; a list of values makes a variant of each.

    Parameters that are left out have their defaults.
    """

    strategy: Text
    parameters: dict[str, Any] = {}
    parent_policy: Annotated[str, OneOf(POLICIES)] = "max"


Crawlers = Annotated[tuple[CrawlerDesign, ...], Field(max_length=MOST_CRAWLERS, strict=False)]
Topics = Annotated[tuple[Text, ...], Field(max_length=MOST_TOPICS, strict=False)]
Pages = Annotated[int, Field(ge=10, le=MOST_PAGES)]
RandomSeed = Annotated[int, Field(ge=1, le=2**31 - 1)]


class Design(Input):
    """Topics × crawlers × repetitions on one web, and how they are to be compared.

    `web` is the name of a recorded web, or `live`. `topics` are names, all of one owner. The first
    crawler is the baseline unless `baseline` names another one by its number, from 1. The crawlers
    are compared by `measure` at `at` pages (by default all `pages`); both are fixed before the
    start, since a choice made after looking makes p-values too small. `judge` is never the
    classifier that guides a crawl. `hold_out` is what becomes of targets that lie in a background:
    `topics` leaves it to each topic. Repetition r of every crawler of a topic has the same random
    seed, `random_seed` + r − 1; the models of a topic are the same for all of them.
    """

    format: Literal[1] = FORMAT
    name: Annotated[
        Text,
        Field(max_length=120),
        Printable,
        accepts("a text of 1 to 120 characters without control characters"),
    ]
    note: Annotated[Storable, Field(max_length=10_000)] = ""
    web: Annotated[Text, accepts("the name of a recorded web, or live")]
    topics: Topics = ()
    crawlers: Crawlers = ()
    baseline: Annotated[int, Field(ge=1, le=MOST_CRAWLERS)] = 1
    measure: Annotated[str, OneOf(measure.id for measure in MEASURES)] = TargetRecall.id
    pages: Pages = 500
    at: Pages | None = None
    judge: Annotated[str, OneOf(JUDGES)] = "separate"
    hold_out: Annotated[str, OneOf((BY_TOPIC, *Topic.HoldOut.values))] = BY_TOPIC
    repetitions: Annotated[int, Field(ge=1, le=MOST_REPETITIONS)] = 1
    random_seed: RandomSeed = 1
    scope: ScopeRules = ScopeRules()
    politeness: PolitenessRules = PolitenessRules()
    at_once: Annotated[int | None, Field(ge=1, le=1_000)] = None

    @property
    def moment(self) -> int:
        """The number of pages at which the crawlers are compared."""
        return min(self.at or self.pages, self.pages)

    @property
    def sample_every(self) -> int:
        """Pages between two samples, if possible such that the moment of the comparison has one."""
        wanted = max(1, self.pages // SAMPLES)
        steps = range(wanted, max(0, wanted // 10 - 1), -1)
        return next((step for step in steps if self.moment % step == 0), wanted)
