"""Does a background help a crawl? Crawls with it, beside crawls that differ in this alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from apps.backgrounds.models import Background
from apps.crawls.models import Crawl
from apps.crawls.selectors import visible_crawls
from apps.engine.evaluation.harvest_rate_true import HarvestRateTrue
from apps.engine.evaluation.measure import Measure
from apps.engine.evaluation.target_recall import TargetRecall
from apps.engine.intelligence.strategies import strategy_title
from apps.experiments.results.crawls.course import common_pages, course
from apps.experiments.results.crawls.fairness import unlike
from apps.experiments.results.crawls.set_ups import key
from apps.experiments.results.paired_tests import ENOUGH_TOPICS
from apps.figures.quantities import number_of, signed

MOST_CRAWLS = 200
"""The newest crawls with the background that are looked at."""
MEASURES: tuple[type[Measure], ...] = (TargetRecall, HarvestRateTrue)
"""The first that both crawls have counts. A judge may have learned with the background itself, so
that nothing a judge decides does."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A crawl with the background and its twin; `value` and `twin_value` are those of the measure
    at `pages`, where both have a sample."""

    crawl: Crawl
    twin: Crawl
    pages: int
    measure: type[Measure]
    value: float
    twin_value: float

    @property
    def strategy(self) -> str:
        """The title of their strategy."""
        return strategy_title(self.crawl.strategy)

    @property
    def points(self) -> float:
        """How much more the crawl with the background has, in percentage points."""
        return 100 * (self.value - self.twin_value)


def background_pairs(background: Background, person: User) -> tuple[Pair, ...]:
    """The pairs a person may see, newest first: one for each topic, web and crawler.

    A twin had another background or none; crawler, seeds, examples and what the measure is counted
    by are the same.
    """
    digests = set(background.versions.exclude(digest="").values_list("digest", flat=True))
    seen = visible_crawls(person).filter(pages__gt=0).select_related("snapshot", "topic")
    having = seen.filter(inputs__background__digest__in=digests).order_by("-pk")[:MOST_CRAWLS]
    newest: dict[Any, Crawl] = {}
    for crawl in having:
        newest.setdefault((crawl.topic_id, crawl.web_id, crawl.over, key(crawl)), crawl)
    return tuple(_paired(newest.values(), seen, digests))


def _paired(crawls: Any, seen: Any, digests: set[str]) -> Iterator[Pair]:
    for crawl in crawls:
        others = seen.filter(
            topic=crawl.topic_id, web=crawl.web_id, over=crawl.over, strategy=crawl.strategy
        ).order_by("-pk")
        twins = (
            other
            for other in others
            if key(other) == key(crawl)
            and other.inputs.get("background", {}).get("digest") not in digests
        )
        pair = next(filter(None, (_pair(crawl, twin) for twin in twins)), None)
        if pair is not None:
            yield pair


def _pair(crawl: Crawl, twin: Crawl) -> Pair | None:
    courses = [course(crawl), course(twin)]
    pages = common_pages(courses)
    spoiled = frozenset().union(*(each.spoils for each in unlike([twin, crawl])))
    if pages is None:
        return None
    for measure in MEASURES:
        value, twin_value = (each.at(pages, measure.id) for each in courses)
        if measure.witness not in spoiled and value is not None and twin_value is not None:
            return Pair(crawl, twin, pages, measure, value, twin_value)
    return None


def pairs_words(pairs: Sequence[Pair]) -> str:
    """A sentence about all pairs together; empty without any."""
    if not pairs:
        return ""
    better = sum(pair.points > 0 for pair in pairs)
    topics = len({pair.crawl.topic_id for pair in pairs})
    sentence = f"With it {better} of {number_of(len(pairs), 'crawl')} found more"
    if len({pair.measure.id for pair in pairs}) == 1:
        mean = sum(pair.points for pair in pairs) / len(pairs)
        sentence += f", on average {signed(mean, 1)} points of {pairs[0].measure.title.lower()}"
    if topics < ENOUGH_TOPICS:
        sentence += (
            f". {number_of(topics, 'topic')}: too few for a test, which needs {ENOUGH_TOPICS}"
        )
    return f"{sentence}."
