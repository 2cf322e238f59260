"""Whether the interval that the product shows of a list's precision holds the true share."""

from __future__ import annotations

import random
from collections.abc import Sequence, Set

from apps.crawls.labels.precision import ASKED, FURTHER
from apps.engine.evaluation.wilson import wilson_interval
from apps.engine.events import PageRecord

ASKED_AT = (50, 100, 150, 200)
DRAWN_FROM = {50: 50, 100: 100, 150: 100, 200: 200}
"""Among how many first pages of a running crawl the questions of that page are drawn."""
PERSONS = 200
LIKELY = 0.5


def interval_share(pages: Sequence[PageRecord], relevant: Set[str], name: str) -> float | None:
    """The coverage of the interval: 200 simulated persons are each asked about random pages as
    `crawls.labels.precision` asks; the share of them whose interval contains the true precision of
    all pages that look relevant at the end.

    None if so few look relevant that nobody can be asked five.
    """
    looking = [
        (page.seq, page.answer.final_url in relevant)
        for page in pages
        if (page.topicality or 0.0) >= LIKELY
    ]
    if not looking:
        return None
    truth = sum(right for _, right in looking) / len(looking)
    holds = [
        low <= truth <= high
        for number in range(PERSONS)
        for answers in [_answers(looking, random.Random(f"{name} {number}"))]
        if len(answers) >= ASKED
        for low, high in [wilson_interval(sum(answers), len(answers)) or (0.0, 1.0)]
    ]
    return round(sum(holds) / len(holds), 4) if holds else None


def _answers(looking: Sequence[tuple[int, bool]], chance: random.Random) -> list[bool]:
    """The answers of one person: five at first, then two more each time."""
    answered: dict[int, bool] = {}
    for at in ASKED_AT:
        free = [each for each in looking if each[0] <= DRAWN_FROM[at] and each[0] not in answered]
        wanted = ASKED - len(answered) if len(answered) < ASKED else FURTHER
        answered.update(chance.sample(free, min(wanted, len(free))))
    return [*answered.values()]
