"""How many of the pages that look relevant are: pages drawn at random for a person to answer, and
what the answers show."""

from __future__ import annotations

import random
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, Q

from apps.crawls.labels.counted import count_labels, in_force
from apps.crawls.models import Crawl, Label, Page
from apps.engine.codes import State
from apps.engine.errors import EngineError
from apps.engine.evaluation.stratified_share import (
    FIRST_END,
    Stretch,
    last_page_of,
    next_stretch,
    stratified_interval,
    stratified_share,
    stretch_of,
)
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.strategies.relearns import relearning
from apps.figures.quantities import count, number_of
from apps.topics.selectors import is_at_chance

ASKED = 5
"""Pages that are asked at once, and answers without which no share is shown."""
FURTHER = 2
LIKELY = 0.5
"""Where nothing judges a crawl, as if it began with words alone, pages from this topicality on look
relevant."""
TRIED = 400
"""Draws among all pages; where fewer than one page in eighty looks relevant, fewer are asked."""


@dataclass(frozen=True, slots=True)
class Precision:
    """Of the pages that look relevant, `right` of the `answered` ones drawn at random are.

    `stretches` are the same along the crawl; without them all pages are one. `is_asked` is whether
    the crawl asks a person about such pages.
    """

    looking: int
    right: int
    answered: int
    is_asked: bool = True
    stretches: tuple[Stretch, ...] = ()

    @property
    def along(self) -> Sequence[Stretch]:
        """The stretches, at least one."""
        return self.stretches or (Stretch(self.looking, self.answered, self.right),)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The interval of the share over all pages; None before there are enough answers."""
        return stratified_interval(self.along) if self.answered >= ASKED else None

    def words(self) -> str:
        """The share with its confidence interval, or a sentence that it cannot be estimated yet."""
        looking = f"{number_of(self.looking, 'page')} look{'s' * (self.looking == 1)} relevant."
        if self.interval is None and not self.is_asked:
            return f"{looking} How many are was not measured."
        if self.interval is None:
            left = ASKED - self.answered
            return f"{looking} How many are cannot be told yet: answer {left} drawn at random."
        low, high = (f"{100 * end:.0f}" for end in self.interval)
        share = f"{100 * (stratified_share(self.along) or 0.0):.0f}"
        return (
            f"{looking} Of {self.answered:,} drawn at random {self.right:,} are:"
            f" {share} % ({low}–{high}).{self._gap_words()}"
        )

    def _gap_words(self) -> str:
        unasked = sum(each.pages for each in self.along if not each.answered)
        if not unasked:
            return ""
        return f" Of {count(unasked)} in other parts of the crawl none was asked, which widens it."


def precision(crawl: Crawl) -> Precision | None:
    """The precision of a crawl's verdicts by the answers to random questions; None while no page
    looks relevant."""
    looking = _looking_until(crawl, [crawl.pages]).get(crawl.pages, 0)
    if looking <= 0:
        return None
    answers = _answers(crawl)
    enough = len(answers) >= ASKED
    return Precision(
        looking,
        sum(answers.values()),
        len(answers),
        learns_from_labels(crawl),
        _stretches(crawl, answers) if enough else (),
    )


def _is_by_topicality(crawl: Crawl) -> bool:
    """Whether nothing judges the crawl, and its guide can tell pages apart."""
    return crawl.judged_by == "none" and not is_at_chance(crawl.topic)


def _looks_relevant(crawl: Crawl) -> Q:
    """The condition that a page looks relevant: by its verdict, or where nothing judges by τ."""
    return Q(topicality__gte=LIKELY) if _is_by_topicality(crawl) else Q(relevant=True)


def _looking_until(crawl: Crawl, ends: Sequence[int]) -> dict[int, int]:
    """How many of the first pages look relevant, by the number of each of them that is known."""
    if _is_by_topicality(crawl):
        likely = crawl.pages_fetched.filter(_looks_relevant(crawl)).order_by()
        counts = {str(end): Count("pk", filter=Q(seq__lte=end)) for end in ends}
        return {int(end): number for end, number in likely.aggregate(**counts).items()}
    measured = {crawl.pages: crawl.metrics} if crawl.pages in ends else {}
    if before := [end for end in ends if end != crawl.pages]:
        samples = crawl.samples.filter(pages__in=before)
        measured |= dict(samples.values_list("pages", "metrics"))
    return {pages: _looking(metrics, pages) for pages, metrics in measured.items()}


def _looking(metrics: Mapping[str, Any], pages: int) -> int:
    """How many of the first pages look relevant, by the measures after them."""
    rate = metrics.get("harvest_rate")
    return 0 if rate is None else round(rate * _count_judged(metrics, pages))


def _answers(crawl: Crawl) -> dict[int, bool]:
    """The labels that count of the pages that were drawn at random and answered, by page."""
    answers = in_force(crawl).filter(kind=Label.Purpose.MEASURING)
    drawn = dict(answers.values_list("seq", "address"))
    counted = count_labels(crawl, {*drawn.values()}) if drawn else {}
    return {seq: label.relevant for seq, label in counted.items() if seq in drawn}


def _stretches(crawl: Crawl, answers: Mapping[int, bool]) -> tuple[Stretch, ...]:
    """The pages that look relevant along the crawl, and their answers."""
    last = stretch_of(max(crawl.pages, 1))
    ends = [last_page_of(stretch) for stretch in range(last)]
    so_far = _looking_until(crawl, [*ends, crawl.pages])
    so_far[last_page_of(last)] = so_far[crawl.pages]
    before, stretches = 0, []
    for stretch in range(last + 1):
        here = [right for seq, right in answers.items() if stretch_of(seq) == stretch]
        # A stretch whose end has no sample counts with the next one.
        until = so_far.get(last_page_of(stretch), before)
        stretches.append(Stretch(max(until - before, len(here)), len(here), sum(here)))
        before = max(until, before)
    return tuple(stretches)


def judged_pages(crawl: Crawl) -> int:
    """The pages with a text to judge: the others need JavaScript, or are scanned."""
    return _count_judged(crawl.metrics, crawl.pages)


def _count_judged(metrics: Mapping[str, Any], pages: int) -> int:
    return pages - sum(int(metrics.get(name) or 0) for name in ("needs_javascript", "no_text"))


def learns_from_labels(crawl: Crawl) -> bool:
    """Whether labels change how the crawl ranks, so that it asks for some."""
    try:
        return relearning(strategy(crawl.strategy).build(crawl.parameters)) is not None
    except EngineError:
        return False


def measuring_pages(crawl: Crawl, out: Collection[int], excluded: Collection[str]) -> list[Page]:
    """Pages that look relevant, drawn at random: five less the answers given so far, and after
    these two further ones at a time, each of which narrows the interval.

    Each is of the stretch of the crawl that has the most such pages for its answers, so that what
    comes late is asked about as much as what came early: where a crawl drifts, its first pages say
    little of the last. **Choice**: of a running crawl the draw is among its first 50, 100, 200,
    400 … pages, so that the questions stay while a person answers. `out` are the pages that are
    labelled or skipped, `excluded` the addresses that are examples already.
    """
    answers = _answers(crawl)
    wanted = ASKED - len(answers) if len(answers) < ASKED else FURTHER
    tried = [seq for seq in _draw_numbers(crawl) if seq not in out]
    rows = crawl.pages_fetched.filter(_looks_relevant(crawl), seq__in=tried, seed=False)
    of_rows = {seq: urls for seq, *urls in rows.values_list("seq", "url", "final_url")}
    drawn = [seq for seq in tried if seq in of_rows and set(of_rows[seq]).isdisjoint(excluded)]
    asked = spread_questions(drawn, _stretches(crawl, answers), wanted)
    pages = {page.seq: page for page in crawl.pages_fetched.filter(seq__in=asked)}
    return [pages[seq] for seq in asked if seq in pages]


def spread_questions(drawn: Sequence[int], stretches: Sequence[Stretch], most: int) -> list[int]:
    """The next pages to ask about, at most `most` of those `drawn`, by number, in their order."""
    left = [[seq for seq in drawn if stretch_of(seq) == i] for i in range(len(stretches))]
    now, chosen = [*stretches], []
    for _ in range(most):
        at = next_stretch(now, [len(seqs) for seqs in left])
        if at is None:
            break
        chosen.append(left[at].pop(0))
        now[at] = replace(now[at], answered=now[at].answered + 1)
    return chosen


def _draw_numbers(crawl: Crawl) -> list[int]:
    """Page numbers in the order drawn, each once."""
    last = crawl.pages
    if crawl.state == State.RUNNING:
        last = FIRST_END if last >= FIRST_END else 0
        while 2 * last <= crawl.pages and last:
            last *= 2
    draws = random.Random(crawl.random_seed)
    order = [1 + int(draws.random() * last) for _ in range(TRIED)] if last else []
    return list(dict.fromkeys(order))
