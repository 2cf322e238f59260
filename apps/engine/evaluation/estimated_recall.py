"""Estimated recall: the share of the reachable relevant pages that the crawl has found.

Nobody knows how many relevant pages a crawl has not reached. As it goes best first, they become
rarer, at a rate that tells: relevant pages come as a Poisson process of rate a·tᵇ over the requests
t, which is fitted to the second half of the crawl and continued over the URLs that wait, as
technology-assisted reviews decide when to stop (Stevenson & Bin-Hezam, ACM TOIS 42(3), 2023). The
sum of the waiting URLs' own priorities was many times too large on every web tried: a frontier
consists of what the crawler preferred not to fetch.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from apps.engine.curve_spec import CurveSpec
from apps.engine.evaluation.measure import JudgedPage, Measure, Witness
from apps.engine.model import Floats, Longs

FEWEST_REQUESTS = 50
"""Before so many requests beside the seeds nothing is said."""
FALLS = np.linspace(-2.5, 0.25, 23)
"""How fast relevant pages become rarer: the exponents b that are considered, at first all alike.
With these, 90 % intervals held the truth in 97, 96 and 86 % of 240, 144 and 126 cases (wikispeedia,
Cora, WebKB; three strategies, 21 topics, every 250 pages)."""
GROWTHS = (0.0, 1.0, 3.0, 9.0)
"""How many URLs a waiting URL leads to, beside what a request found in the second half of the
crawl: none to nine times as many, all alike. What is not discovered cannot be foreseen."""
PRIOR = 0.5
INTERVAL = 0.9
PARTS = 8
AHEAD = 1000
RENEWED_AT = 1.05


@dataclass(frozen=True, slots=True)
class Estimate:
    """How many relevant pages can be reached beside the `found` ones: about `left`, and in 90 of
    100 cases between `low` and `high`. The next thousand requests add about `soon`."""

    found: int
    low: int
    left: int
    high: int
    soon: float

    def recall(self) -> tuple[float, float, float]:
        """The share found, between the ends of its interval: (lower, share, upper)."""
        found = max(self.found, PRIOR)
        return tuple(found / (found + left) for left in (self.high, self.left, self.low))  # type: ignore[return-value]


def estimate(times: Longs, requests: int, waiting: int, new: float) -> Estimate:
    """The estimate after so many requests, of which those numbered `times` (ascending, from 1) gave
    a relevant page. `new` is how many URLs a request of the second half discovered; seeds are
    counted nowhere."""
    late = times[np.searchsorted(times, requests / 2, side="right") :]
    so_far = _integral(requests / 2, requests)
    weights, clumping = _falls(late, requests, so_far)
    ahead = np.concatenate([
        _integral(requests, requests + waiting * (1 + growth * new)) / so_far for growth in GROWTHS
    ])
    soon = _integral(requests, requests + min(waiting, AHEAD)) / so_far
    expected = len(late) + PRIOR
    low, left, high = _quantiles(
        ((1 - INTERVAL) / 2, 0.5, (1 + INTERVAL) / 2),
        expected / clumping, clumping * ahead, np.tile(weights, len(GROWTHS)) / len(GROWTHS),
    )
    return Estimate(len(times), low, left, high, float(expected * (soon @ weights)))


def _falls(late: Longs, requests: int, so_far: Floats) -> tuple[Floats, float]:
    """The probability of each exponent, and how much more the numbers of relevant pages in equal
    parts of the second half vary than those of a Poisson process (1: not at all): they come in
    clumps, site by site."""
    likely = FALLS * np.log(late).sum() - len(late) * np.log(so_far)
    if len(late) < PARTS:
        return _shares(likely), 1.0
    ends = np.linspace(requests / 2, requests, PARTS + 1)
    parts = np.array([_integral(*pair) for pair in pairwise(ends)])
    expected = len(late) * (parts / so_far) @ _shares(likely)
    counted = np.histogram(late, ends)[0]
    clumping = max(1.0, float(((counted - expected) ** 2 / expected).sum()) / (PARTS - 2))
    return _shares(likely / clumping), clumping


def _shares(likely: Floats) -> Floats:
    weights = np.exp(likely - likely.max())
    shares: Floats = weights / weights.sum()
    return shares


def _integral(begin: float, end: float) -> Floats:
    """∫ tᵇ dt for each exponent b."""
    with np.errstate(divide="ignore", invalid="ignore"):
        powers = (end ** (FALLS + 1) - begin ** (FALLS + 1)) / (FALLS + 1)
    return np.where(np.abs(FALLS + 1) < 1e-9, np.log(end / begin), powers)


def _quantiles(
    shares: tuple[float, ...], shape: float, ahead: Floats, weights: Floats
) -> list[int]:
    """For each share the least number of pages to come that is not exceeded in so many cases.

    With one exponent and growth the rate is Gamma distributed, so the number is negative binomial.
    """
    from scipy.special import betainc

    chance = 1 / (1 + ahead)

    def at_most(number: int) -> float:
        return float(betainc(shape, number + 1, chance) @ weights)

    found, low = [], -1
    for share in shares:
        high = max(2 * low, 1)
        while at_most(high) < share:
            low, high = high, 2 * high
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if at_most(middle) >= share else (middle, high)
        found.append(high)
    return found


class EstimatedRecall(Measure):
    """The share found of the relevant pages that can be reached, by the verdicts so far, or by the
    web's labels where nobody judges; the crawler's own judgement has no part in it.

    Renewed when the crawl has grown by a twentieth. None before 50 requests beside the seeds.
    """

    id = "estimated_recall"
    title = "Estimated recall"
    unit = "share"
    paper = "Stevenson & Bin-Hezam 2023"
    witness = Witness.JUDGE
    curve: ClassVar[CurveSpec | None] = CurveSpec("recall", "estimated", "recall", style="dashed")
    more = ("estimated_recall_low", "estimated_recall_high", "relevant_soon")

    def __init__(self) -> None:
        self.seeds = 0
        self.requests = 0
        self.waiting = 0
        self.times: list[int] = []
        self.discovered: list[int] = [0]
        self.at: list[int] = [0]
        self.renewed: list[float] = []

    def update(self, page: JudgedPage) -> None:
        relevant = page.label if page.verdict is None else page.verdict.relevant
        self.seeds += page.seed
        self.requests, self.waiting = page.requests - self.seeds, page.waiting
        if relevant and not page.seed:
            self.times.append(self.requests)
        if self.requests >= max(FEWEST_REQUESTS, self.at[-1] * RENEWED_AT):
            self._renew()

    def _renew(self) -> None:
        self.at.append(self.requests)
        self.discovered.append(self.requests + self.waiting)
        middle = int(np.searchsorted(self.at, self.requests / 2))
        since = max(1, self.requests - self.at[middle])
        new = max(0, self.discovered[-1] - self.discovered[middle]) / since
        found = estimate(np.array(self.times, np.int64), self.requests, self.waiting, new)
        low, share, high = found.recall()
        self.renewed = [share, low, high, found.soon]

    def value(self) -> float | None:
        return self.renewed[0] if self.renewed else None

    def numbers(self) -> tuple[float | None, ...]:
        return (*self.renewed[1:],) or (None,) * len(self.more)
