"""The strategy that the form suggests, with its reasons, and alternatives that can run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice

from django.urls import reverse

from apps.crawls.models import Crawl
from apps.engine.intelligence.strategies.experts import Experts
from apps.engine.intelligence.strategies.learner import Learner
from apps.experiments.advice import Advice
from apps.figures.quantities import join_names, number_of, share
from apps.screens.new_crawl.strategy_choices import StrategyChoice
from apps.topics.models import Topic
from apps.topics.selectors import ExampleCounts, is_at_chance

REASONS = 3
ALTERNATIVES = 2
ENOUGH_POSITIVES = 20
LEAST_PAGES = 100
"""Of an earlier crawl whose harvest rate is a reason."""
WHEN = {
    "adaptive_utility": "if pages that others point to matter more than complete coverage",
    "full_page": "if it should be a published one that reads whole pages",
    "best_first": "to follow your keywords alone",
    "breadth_first": "to measure what steering brings: it follows links in the order met",
}
"""The alternatives by preference, each with its occasion."""
AS_GOOD = {
    Learner.id: (
        Experts.id,
        "does as well: it mixes Learner with three others; on five webs neither is shown to be"
        " better",
    )
}
"""By a suggested strategy, one that measurements do not tell from it; it stands first."""


@dataclass(frozen=True, slots=True)
class Reason:
    """A fact of the topic, or a measured figure; `asks` is whether the person should do something.
    `link` leads to the evidence or to the act, in the words `verb`, both empty without one."""

    words: str
    link: str = ""
    verb: str = ""
    asks: bool = False


@dataclass(frozen=True, slots=True)
class Alternative:
    """A strategy that can run, and when to take it."""

    choice: StrategyChoice
    when: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """The suggested strategy, at most three reasons, and two alternatives after one that is as
    good."""

    choice: StrategyChoice
    reasons: tuple[Reason, ...]
    alternatives: tuple[Alternative, ...]

    @property
    def ids(self) -> frozenset[str]:
        """The strategies that are listed above all others."""
        return frozenset({self.choice.id, *(each.choice.id for each in self.alternatives)})


def suggestion(
    topic: Topic,
    examples: Mapping[str, ExampleCounts],
    choices: Iterable[StrategyChoice],
    preset: str,
    advice: Advice | None,
) -> Suggestion | None:
    """The suggestion for a topic with so many examples of each kind, whose form presets a strategy;
    None if it cannot run."""
    usable = {choice.id: choice for choice in choices if not choice.missing}
    choice = usable.get(preset)
    if choice is None:
        return None
    others = [
        Alternative(usable[id], when)
        for id, when in WHEN.items()
        if id in usable and id != choice.id
    ]
    # What steering brings is measured against the last one.
    listed = others if len(others) <= ALTERNATIVES else [others[0], others[-1]]
    reasons = tuple(islice(_reasons(topic, examples, choice, advice), REASONS))
    return Suggestion(choice, reasons, (*_as_good(choice, usable), *listed))


def _as_good(choice: StrategyChoice, usable: Mapping[str, StrategyChoice]) -> Iterator[Alternative]:
    """The one that is as good as the suggested strategy, if there is one that can run."""
    id, words = AS_GOOD.get(choice.id, ("", ""))
    if id in usable:
        yield Alternative(usable[id], words)


def _reasons(
    topic: Topic,
    examples: Mapping[str, ExampleCounts],
    choice: StrategyChoice,
    advice: Advice | None,
) -> Iterator[Reason]:
    on, off = examples["positive"].fetched, examples["negative"].fetched
    yield _fact(topic, on, off, choice)
    if advice and choice.evidence:
        link = reverse("experiment:experiment", args=[advice.experiment.pk]) + "?part=results"
        yield Reason(advice.sentence, link, "The figures")
    yield from _earlier(topic, choice)
    yield from _wishes(topic, on)


def _fact(topic: Topic, on: int, off: int, choice: StrategyChoice) -> Reason:
    """The strategy's needs that the topic meets, in words."""
    parts = [f"{number_of(on, 'page')} on it"] * bool(on) + [f"{off:,} off it"] * bool(off)
    if topic.keywords:
        parts.append(number_of(len(topic.keywords), "keyword"))
    if not choice.cls.needs or not parts:
        return Reason("It starts from the topic’s seeds and needs no examples or keywords.")
    return Reason(f"The topic has {join_names(parts)}: all that it needs.")


def _earlier(topic: Topic, choice: StrategyChoice) -> Iterator[Reason]:
    """The harvest of the topic's last long crawl with the strategy, where it was judged."""
    last = (
        Crawl.objects.filter(topic=topic, strategy=choice.id, pages__gte=LEAST_PAGES)
        .order_by("-pk")
        .only("pages", "metrics", "judged_by")
        .first()
    )
    rate = last.metrics.get("harvest_rate") if last else None
    if last is None or rate is None:
        return
    words = f"In crawl #{last.pk} {share(rate)} of {number_of(last.pages, 'page')} were relevant"
    by_itself = " by the classifier that steered it" * (last.judged_by == "guiding_classifier")
    yield Reason(f"{words}{by_itself}.", reverse("live:crawl", args=[last.pk]), "The crawl")


def _wishes(topic: Topic, positives: int) -> Iterator[Reason]:
    """Additions to the topic that would give the crawl a better start."""
    form = reverse("topic:edit", args=[topic.pk])
    if is_at_chance(topic):
        yield Reason(
            "Its classifier does not separate the topic from other pages yet.",
            f"{form}#id_negatives",
            "Name pages off it",
            asks=True,
        )
    if positives < ENOUGH_POSITIVES:
        yield Reason(
            f"About {ENOUGH_POSITIVES} pages on the topic make a classifier that can be trusted;"
            f" it has {positives}.",
            f"{form}#id_positives",
            "Add some",
            asks=True,
        )
