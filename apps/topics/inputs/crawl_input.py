"""The inputs of a crawl, and the needs of strategies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from apps.engine import topics
from apps.engine.codes import Need
from apps.figures.quantities import number_of
from apps.topics.inputs.input_list import InputList
from apps.topics.models import Topic

Frozen = dict[str, Any]
Origin = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class StrategyNeed:
    """Something that strategies may need: `words` and, in a list, `short` name it; `sentence`
    explains it in the help.

    `met_by` are those of some topics whose crawls can count on it: examples still to be fetched
    count, those that failed do not. `anchor` is where on a topic's pages the need can be met: the
    field of its form, or the row of an input; empty if no page of it can.
    """

    need: Need
    words: str
    short: str
    sentence: str
    met_by: Callable[[Sequence[Topic]], Set[Topic]]
    anchor: Callable[[Topic], str]

    def is_met(self, topic: Topic) -> bool:
        return topic in self.met_by([topic])


def topics_with(rows: QuerySet[Any], topics: Iterable[Topic]) -> set[Topic]:
    """The topics that any of the rows belongs to."""
    topics = list(topics)
    of_topics = rows.order_by().filter(topic__in=topics).values_list("topic", flat=True)
    numbers = set(of_topics.distinct())
    return {topic for topic in topics if topic.pk in numbers}


def one_by_one(is_met: Callable[[Topic], bool]) -> Callable[[Sequence[Topic]], Set[Topic]]:
    """`met_by` of a need for which each topic is looked at alone."""
    return lambda topics: set(filter(is_met, topics))


def nothing_expected(topic: Topic) -> Frozen:
    """Nothing is expected before the crawl is started."""
    return {}


@dataclass(frozen=True, slots=True)
class CrawlInput:
    """An input of a crawl besides its topic.

    `freeze` records where it is stored when a crawl is started (JSON; empty if there is none): `of`
    says where it comes from, `name` its name, `at` when it was made or added, `rows` its size,
    `examples` how many of the `positives` it covers. That is its origin, which `origin` puts into
    words. The rest is for `supply`, which turns it into fields of the engine's topic; files are in
    the topic's own folder.

    A crawl is given it if its strategy has the `need` or its `judge` is this one; every crawl is if
    neither is named or it is `for_every_crawl`. `expected` is the origin if a crawl were started
    now, without linking or reading pages. `lists` are the lists of it that an analyst can add.
    """

    id: str
    title: str
    sentence: str
    freeze: Callable[[Topic], Frozen]
    supply: Callable[[topics.Topic, int, Frozen], dict[str, Any]]
    origin: Callable[[Origin], str]
    need: StrategyNeed | None = None
    for_every_crawl: bool = False
    judge: str = ""
    expected: Callable[[Topic], Frozen] = nothing_expected
    lists: tuple[InputList, ...] = ()

    def is_for(self, needs: Set[Need], judge: str) -> bool:
        """Whether a crawl with a strategy of these needs and this judge is given it."""
        if self.judge:
            return judge == self.judge
        return self.for_every_crawl or self.need is None or self.need.need in needs


def coverage_words(origin: Origin) -> str:
    """How many of the positive examples an input covers."""
    positives = number_of(origin["positives"], "positive example")
    return f"{origin['examples']:,} of {positives} known"
