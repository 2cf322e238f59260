"""Estimated recall: the share of the reachable relevant pages that the crawl has fetched.

The number of relevant pages that a crawl has not reached must be estimated. As it goes best first,
they become rarer, at a measurable rate: relevant pages come as a Poisson process of rate a·tᵇ over
the requests t, which is fitted to the second half of the crawl and continued over the URLs that
wait, as technology-assisted reviews decide when to stop (Stevenson & Bin-Hezam, ACM TOIS 42(3),
2023). The sum of the waiting URLs' own priorities was many times too large on every web tried: a
frontier consists of what the crawler preferred not to fetch.

Relevant pages are those of the verdicts, until a person has labelled some: then each page counts
by the judges' chance, corrected by the labels (`label_calibration`).
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import cycle, pairwise
from typing import Any, ClassVar

import numpy as np

from apps.engine.curve_spec import CurveSpec
from apps.engine.evaluation.label_calibration import FEWEST_LABELS, calibrate
from apps.engine.evaluation.measure import JudgedPage, Measure, Witness
from apps.engine.model import Floats, Longs

FEWEST_REQUESTS = 50
"""The requests, without seeds, that an estimate needs."""
LEAST_LABELS = 10
"""The labels that an estimate needs where only the guide judges."""
FALLS = np.linspace(-2.5, 0.25, 23)
"""How fast relevant pages become rarer: the exponents b that are considered, at first all alike.
With these, 90 % intervals held the truth in 97, 96 and 86 % of 240, 144 and 126 cases (wikispeedia,
Cora, WebKB; three strategies, 21 topics, every 250 pages)."""
GROWTHS = (0.0, 1.0, 3.0, 9.0)
"""How many URLs a waiting URL leads to, beside what a request discovered in the second half of
the crawl: none to nine times as many, all alike. What is not discovered cannot be foreseen."""
WIDER_BY_JUDGES, WIDER_BY_LABELS = 13.5, 5.2
"""The factors that widen the interval of the pages left: for judges alone, and for judges corrected
by labels: so it holds the truth in 90 of 100 cases on four webs (`crawlsite effectiveness
--recall`). Judges err differently on each web, so the interval is wide."""
PRIOR = 0.5
INTERVAL = 0.9
PARTS = 8
AHEAD = 1000
RENEWED_AT = 1.05
WIDENED_BY = 8


@dataclass(frozen=True, slots=True)
class RecallEstimate:
    """The relevant pages still to be reached beside the `fetched` ones: about `left`, and in 90 of
    100 cases between `low` and `high`. The next thousand requests add about `soon`."""

    fetched: float
    low: int
    left: int
    high: int
    soon: float

    def wider(self, factor: float) -> RecallEstimate:
        """The estimate with its lower bound divided, and its upper bound multiplied, by a
        factor."""
        return replace(self, low=int(self.low / factor), high=math.ceil(self.high * factor))

    def recall(self) -> tuple[float, float, float]:
        """The share fetched and its interval: (lower, share, upper). The lower end is 0 until a
        relevant page is fetched."""
        fetched = max(self.fetched, PRIOR)
        lower, share, upper = (
            fetched / (fetched + left) for left in (self.high, self.left, self.low)
        )
        return lower if self.fetched or not self.high else 0.0, share, upper


def estimate(
    times: Longs,
    requests: int,
    waiting: int,
    new: float,
    chances: Floats | None = None,
    doubt: float = 0.0,
) -> RecallEstimate:
    """The estimate after so many requests, of which those numbered `times` (ascending, from 1) gave
    a relevant page, for certain or with `chances`. `new` is how many URLs a request of the second
    half discovered, `doubt` the variance of the number of relevant pages in it; seeds are counted
    nowhere."""
    if chances is None:
        chances = np.ones(len(times))
    first = np.searchsorted(times, requests / 2, side="right")
    so_far = _integral(requests / 2, requests)
    weights, clumping = _falls(times[first:], chances[first:], requests, so_far)
    number = float(chances[first:].sum())
    clumping += doubt / max(number, PRIOR)
    ahead = np.concatenate(
        [
            _integral(requests, requests + waiting * (1 + growth * new)) / so_far
            for growth in GROWTHS
        ]
    )
    soon = _integral(requests, requests + min(waiting, AHEAD)) / so_far
    expected = number + PRIOR
    low, left, high = _quantiles(
        ((1 - INTERVAL) / 2, 0.5, (1 + INTERVAL) / 2),
        expected / clumping,
        clumping * ahead,
        np.tile(weights, len(GROWTHS)) / len(GROWTHS),
    )
    return RecallEstimate(float(chances.sum()), low, left, high, float(expected * (soon @ weights)))


def _falls(late: Longs, chances: Floats, requests: int, so_far: Floats) -> tuple[Floats, float]:
    """The probability of each exponent, and how much more the numbers of relevant pages in equal
    parts of the second half vary than those of a Poisson process (1: not at all): they come in
    clumps, site by site."""
    number = chances.sum()
    likely = FALLS * (chances @ np.log(late)) - number * np.log(so_far)
    if number < PARTS:
        return _shares(likely), 1.0
    ends = np.linspace(requests / 2, requests, PARTS + 1)
    parts = np.array([_integral(*pair) for pair in pairwise(ends)])
    expected = number * (parts / so_far) @ _shares(likely)
    counted = np.histogram(late, ends, weights=chances)[0]
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
    """The quantiles of the number of relevant pages to come, one for each share.

    With one exponent and growth the rate is Gamma distributed, so the number is negative binomial.
    The search interpolates linearly over the logarithms of the numbers, and bisects every third
    time.
    """
    from scipy.special import betainc

    chance = 1 / (1 + ahead)

    def at_most(number: int) -> float:
        return float(betainc(shape, number + 1, chance) @ weights)

    numbers = []
    low, below = -1, 0.0
    for share in shares:
        high = max(WIDENED_BY * low, WIDENED_BY)
        while (above := at_most(high)) < share:
            low, below, high = high, above, WIDENED_BY * high
        turns = cycle((False, False, True))
        while high - low > 1:
            part = 0.5 if next(turns) else (share - below) / (above - below)
            middle = _between(low, high, part)
            value = at_most(middle)
            if value < share:
                low, below = middle, value
            else:
                high, above = middle, value
        numbers.append(high)
    return numbers


def _between(low: int, high: int, part: float) -> int:
    """A number between two, this part of the way from one to the other on a logarithmic scale."""
    middle = round((low + 2) * math.pow((high + 2) / (low + 2), part)) - 2
    return min(max(middle, low + 1), high - 1)


class EstimatedRecall(Measure):
    """The share fetched of the relevant pages that can be reached, by the verdicts so far, or by
    the web's labels without a judge; the crawler's own judgement has no part in it.

    A person's label replaces a verdict; from five on, labels correct the others' chances.
    Renewed when the crawl has grown by a twentieth, or by a label. None before 50 requests beside
    the seeds, and without evidence: as long as no page beside the seeds is relevant, and, with
    `by_guide`, as long as the classifier that guides the crawl alone judges it and fewer than ten
    pages are labelled. Pages are added in order, from the first; each takes 9 bytes.
    """

    id = "estimated_recall"
    title = "Estimated recall"
    unit = "share"
    paper = "Stevenson & Bin-Hezam 2023"
    witness = Witness.JUDGE
    curve: ClassVar[CurveSpec | None] = CurveSpec("recall", "estimated", "recall", style="dashed")
    more = ("estimated_recall_low", "estimated_recall_high", "relevant_soon")
    more_curves: ClassVar[Mapping[str, CurveSpec]] = {
        "estimated_recall_low": CurveSpec("recall", "at least", "recall", style="faint"),
        "estimated_recall_high": CurveSpec("recall", "at most", "recall", style="faint"),
    }

    def __init__(self) -> None:
        self.by_guide = False
        self.seeds = 0
        self.requests = 0
        self.waiting = 0
        self.discovered: list[int] = [0]
        self.at: list[int] = [0]
        self.renewed: list[float] = []
        self.is_judged = False
        self.is_late = False
        self.labels: dict[int, bool] = {}
        self._times = array("i")  # by page: the request, 0 for seeds
        self._chances = array("f")
        self._relevant = array("b")

    def update(self, page: JudgedPage) -> None:
        relevant = bool(page.label if page.verdict is None else page.verdict.relevant)
        self.seeds += page.seed
        self.is_judged |= page.verdict is not None
        self.requests, self.waiting = page.requests - self.seeds, page.waiting
        self._times.append(0 if page.seed else self.requests)
        self._relevant.append(relevant)
        self._chances.append(page.verdict.probability if page.verdict else float(relevant))
        if self.is_late or self.requests >= self.at[-1] * RENEWED_AT:
            self.renew()

    def count_label(self, page: int, relevant: bool | None) -> None:
        self.labels.pop(page, None)
        if relevant is not None:
            self.labels[page] = relevant
        self.is_late = True

    def renew(self) -> None:
        """Computes the current estimate, if there are enough requests for one."""
        if self.requests < FEWEST_REQUESTS:
            return
        self.is_late = False
        self.at.append(self.requests)
        self.discovered.append(self.requests + self.waiting)
        if not self.has_evidence():
            self.renewed = []
            return
        estimate = self.estimated()
        low, share, high = estimate.wider(self._factor()).recall()
        self.renewed = [share, low, high, estimate.soon]

    def has_evidence(self) -> bool:
        """Whether a page beside the seeds is relevant by somebody but the guide itself."""
        if self.by_guide and len(self.labels) < LEAST_LABELS:
            return False
        times, relevant = np.array(self._times, np.int64), np.array(self._relevant, np.bool_)
        for page, label in self.labels.items():
            if page <= len(relevant):
                relevant[page - 1] = label
        return bool((relevant & (times > 0)).any())

    def estimated(self) -> RecallEstimate:
        """The estimate as of the last renewal, with the interval as if no judge erred."""
        middle = int(np.searchsorted(self.at, self.requests / 2))
        since = max(1, self.requests - self.at[middle])
        new = max(0, self.discovered[-1] - self.discovered[middle]) / since
        return estimate(*self._pages(new))

    def _factor(self) -> float:
        if not self.is_judged:
            return 1.0
        return WIDER_BY_LABELS if len(self.labels) >= FEWEST_LABELS else WIDER_BY_JUDGES

    def _pages(self, new: float) -> tuple[Longs, int, int, float, Floats, float]:
        """The pages as arguments of `estimate`."""
        times = np.array(self._times, np.int64)
        chances = np.array(self._relevant, np.float64)
        labels = {page - 1: yes for page, yes in self.labels.items() if page <= len(times)}
        labelled = np.array(sorted(labels), np.int64)
        labelled = labelled[times[labelled] > 0]
        truth = np.array([labels[page] for page in labelled.tolist()], np.bool_)
        requested, doubt = np.flatnonzero(times), 0.0
        if len(labelled) >= FEWEST_LABELS:
            judged = np.array(self._chances, np.float64)[requested]
            positions = np.searchsorted(requested, labelled)
            late = times[requested] > self.requests / 2
            chances[requested], doubt = calibrate(judged, times[requested], positions, truth, late)
        chances[labelled] = truth
        counted = requested[chances[requested] > 0]
        return times[counted], self.requests, self.waiting, new, chances[counted], doubt

    def value(self) -> float | None:
        return self.renewed[0] if self.renewed else None

    def numbers(self) -> tuple[float | None, ...]:
        return (*self.renewed[1:],) or (None,) * len(self.more)

    def state(self) -> dict[str, Any]:
        values = {
            name: value for name, value in super().state().items() if name not in _STORED_APART
        }
        columns = {name: np.array(getattr(self, name)) for name in _COLUMNS}
        return {**values, **columns, "said": [[page, yes] for page, yes in self.labels.items()]}

    def restore(self, state: Mapping[str, Any]) -> None:
        super().restore({name: state[name] for name in state.keys() - _STORED_APART})
        self.labels = dict(state["said"])
        for name, kind in _COLUMNS.items():
            values = array(kind)
            values.frombytes(np.ascontiguousarray(state[name]).tobytes())
            setattr(self, name, values)


_COLUMNS = {"_times": "i", "_chances": "f", "_relevant": "b"}
_STORED_APART = {*_COLUMNS, "labels", "said"}
