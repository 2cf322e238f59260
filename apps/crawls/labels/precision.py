"""How many of the pages that look relevant are: pages drawn at random for a person to answer, and
what the answers show."""

from __future__ import annotations

import random
from collections.abc import Collection
from dataclasses import dataclass

from apps.crawls.labels.counted import count_labels, in_force
from apps.crawls.labels.skipped import skipped_pages
from apps.crawls.models import Crawl, Label, Page
from apps.engine.codes import State
from apps.engine.errors import EngineError
from apps.engine.evaluation.wilson import wilson_interval
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.strategies.relearns import relearning
from apps.figures.quantities import number_of

ASKED = 5
"""Pages that are asked at once, and answers without which no share is shown."""
FURTHER = 2
FIRST_DRAW = 50
TRIED = 400
"""Draws among all pages; where fewer than one page in eighty looks relevant, fewer are asked."""


@dataclass(frozen=True, slots=True)
class Precision:
    """Of the pages that look relevant, `right` of the `answered` ones drawn at random are.

    `is_asked` is whether the crawl asks a person about such pages.
    """

    looking: int
    right: int
    answered: int
    is_asked: bool = True

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's interval of the share; None before there are enough answers."""
        return wilson_interval(self.right, self.answered) if self.answered >= ASKED else None

    def words(self) -> str:
        """The share with its confidence interval, or a sentence that it cannot be estimated yet."""
        looking = f"{number_of(self.looking, 'page')} look{'s' * (self.looking == 1)} relevant."
        if self.interval is None and not self.is_asked:
            return f"{looking} How many are was not measured."
        if self.interval is None:
            left = ASKED - self.answered
            return f"{looking} How many are cannot be told yet: answer {left} drawn at random."
        low, high = (f"{100 * end:.0f}" for end in self.interval)
        share = f"{100 * self.right / self.answered:.0f}"
        return (
            f"{looking} Of {self.answered:,} drawn at random {self.right:,} are:"
            f" {share} % ({low}–{high})."
        )


def precision(crawl: Crawl) -> Precision | None:
    """The precision of a crawl's verdicts by the answers to random questions; None while no page
    looks relevant."""
    rate = crawl.metrics.get("harvest_rate")
    judged = judged_pages(crawl)
    looking = 0 if rate is None else round(rate * judged)
    if looking <= 0:
        return None
    answers = _answers(crawl)
    return Precision(looking, sum(answers), len(answers), learns_from_labels(crawl))


def _answers(crawl: Crawl) -> list[bool]:
    """The labels that count of the pages that were drawn at random and answered."""
    answers = in_force(crawl).filter(kind=Label.Purpose.MEASURING)
    drawn = set(answers.values_list("seq", flat=True))
    return [label.relevant for seq, label in count_labels(crawl).items() if seq in drawn]


def judged_pages(crawl: Crawl) -> int:
    """The pages with a text to judge: the others need JavaScript, or are scanned."""
    without = (int(crawl.metrics.get(name) or 0) for name in ("needs_javascript", "no_text"))
    return crawl.pages - sum(without)


def learns_from_labels(crawl: Crawl) -> bool:
    """Whether labels change how the crawl ranks, so that it asks for some."""
    try:
        return relearning(strategy(crawl.strategy).build(crawl.parameters)) is not None
    except EngineError:
        return False


def measuring_pages(
    crawl: Crawl, labelled: Collection[int], excluded: Collection[str]
) -> list[Page]:
    """Pages that look relevant, drawn at random: five less the answers given so far, and after
    these two further ones at a time, each of which narrows the interval.

    **Choice**: of a running crawl the draw is among its first 50, 100, 200, 400 … pages, so that
    the questions stay while a person answers. `excluded` are addresses that are examples already.
    """
    answered = len(_answers(crawl))
    out = set(labelled) | skipped_pages(crawl)
    wanted = ASKED - answered if answered < ASKED else FURTHER
    tried = _draw_numbers(crawl)
    rows = crawl.pages_fetched.filter(seq__in=tried, relevant=True, seed=False).exclude(seq__in=out)
    pages = {
        page.seq: page for page in rows if not {page.url, page.final_url}.intersection(excluded)
    }
    return [pages[seq] for seq in tried if seq in pages][:wanted]


def _draw_numbers(crawl: Crawl) -> list[int]:
    """Page numbers in the order drawn, each once."""
    last = crawl.pages
    if crawl.state == State.RUNNING:
        last = FIRST_DRAW if last >= FIRST_DRAW else 0
        while 2 * last <= crawl.pages and last:
            last *= 2
    draws = random.Random(crawl.random_seed)
    order = [1 + int(draws.random() * last) for _ in range(TRIED)] if last else []
    return list(dict.fromkeys(order))
