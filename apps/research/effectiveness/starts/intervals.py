"""Whether the interval that the product shows of a list's precision holds the true share."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from statistics import fmean

from apps.crawls.labels.precision import ASKED, FURTHER, spread_questions
from apps.engine.evaluation.stratified_share import Stretch, stratified_interval, stretch_of
from apps.engine.events import PageRecord

ASKED_AT = (50, 100, 150, 200)
DRAWN_FROM = {50: 50, 100: 100, 150: 100, 200: 200}
"""Among how many first pages of a running crawl the questions of that page are drawn."""
PERSONS = 200
LIKELY = 0.5


@dataclass(frozen=True, slots=True)
class Intervals:
    """The share of persons whose interval contains the truth, and the mean width."""

    holds: float
    width: float


def intervals_of(pages: Sequence[PageRecord], relevant: Set[str], name: str) -> Intervals | None:
    """The intervals of 200 simulated persons, each asked about random pages as
    `crawls.labels.precision` asks, beside the true precision of all pages that look relevant at the
    end.

    None if so few look relevant that nobody can be asked five.
    """
    looking = {
        page.seq: page.answer.final_url in relevant
        for page in pages
        if (page.topicality or 0.0) >= LIKELY
    }
    if not looking:
        return None
    truth = sum(looking.values()) / len(looking)
    intervals = [
        stratified_interval(_stretches(looking, answers)) or (0.0, 1.0)
        for number in range(PERSONS)
        for answers in [_answers(looking, random.Random(f"{name} {number}"))]
        if len(answers) >= ASKED
    ]
    if not intervals:
        return None
    holds = fmean(low <= truth <= high for low, high in intervals)
    return Intervals(round(holds, 4), round(fmean(high - low for low, high in intervals), 4))


def _answers(looking: Mapping[int, bool], chance: random.Random) -> dict[int, bool]:
    """The answers of one person, by page: five at first, then two more each time."""
    answered: dict[int, bool] = {}
    for at in ASKED_AT:
        free = [seq for seq in looking if seq <= DRAWN_FROM[at] and seq not in answered]
        wanted = ASKED - len(answered) if len(answered) < ASKED else FURTHER
        so_far = {seq: right for seq, right in looking.items() if seq <= at}
        drawn = chance.sample(free, len(free))
        asked = spread_questions(drawn, _stretches(so_far, answered), wanted)
        answered.update({seq: looking[seq] for seq in asked})
    return answered


def _stretches(looking: Mapping[int, bool], answers: Mapping[int, bool]) -> list[Stretch]:
    """The stretches of a crawl, by its pages that look relevant."""
    stretches = []
    for stretch in range(stretch_of(max(looking, default=1)) + 1):
        pages = [seq for seq in looking if stretch_of(seq) == stretch]
        asked = [answers[seq] for seq in pages if seq in answers]
        stretches.append(Stretch(len(pages), len(asked), sum(asked)))
    return stretches
