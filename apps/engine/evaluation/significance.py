"""Whether one crawler is better than another over topics, and how sure we are (LC §7, SL §5.1).

scipy is imported at the first test, for it takes half a second.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from apps.engine.model import Floats

Tail = Literal["two", "greater", "less"]
_ALTERNATIVE = {"two": "two-sided", "greater": "greater", "less": "less"}
_ROUNDING = 1e-12
_CONFIDENCE = 0.95
_MOST_PAIRS = 10_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of `n` values and its standard error; None where there are too few."""

    n: int
    mean: float | None
    error: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A t-test: the difference of the means (first − second), t and p; None where undefined.

    `n` is the number of pairs, or of the smaller sample where values are not paired. `interval` has
    the difference with a confidence of 0.95, whatever the tails of the test.
    """

    n: int
    difference: float | None
    t: float | None
    p: float | None
    interval: tuple[float, float] | None = None


def estimate(values: Sequence[float]) -> Estimate:
    """Mean ± standard error, the deviation being that of a sample (n − 1)."""
    n = len(values)
    if n == 0:
        return Estimate(0, None, None)
    mean = float(np.mean(values))
    error = float(np.std(values, ddof=1)) / math.sqrt(n) if n > 1 else None
    return Estimate(n, mean, error)


def half_interval(values: Sequence[float], confidence: float = _CONFIDENCE) -> float | None:
    """What to add to the mean and take from it, by Student's t; None with fewer than two."""
    found = estimate(values)
    if found.error is None:
        return None
    from scipy.special import stdtrit

    return float(stdtrit(found.n - 1, (1 + confidence) / 2)) * found.error


def paired_t_test(
    first: Sequence[float], second: Sequence[float], tail: Tail = "two"
) -> Comparison:
    """Student's test over pairs, one a topic: SL's with two tails, LC's with one (LC §7, SL §5.2).

    `greater` asks whether the first is larger. Where no pair differs p is 1. t and p are None
    with fewer than two pairs, or where all differ by the same amount: nothing is known then of
    how differences vary. Raises ValueError where the samples do not pair.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} values cannot be paired with {len(second)}")
    differences = np.asarray(first, np.float64) - np.asarray(second, np.float64)
    difference = float(differences.mean()) if len(first) else None
    if len(first) < 2:
        return Comparison(len(first), difference, None, None)
    if (np.abs(differences) <= _ROUNDING).all():
        return Comparison(len(first), difference, None, 1.0)
    if np.ptp(differences) <= _ROUNDING:
        return Comparison(len(first), difference, None, None)
    from scipy.stats import ttest_rel

    test = ttest_rel(first, second, alternative=_ALTERNATIVE[tail])
    interval = ttest_rel(first, second).confidence_interval(_CONFIDENCE)
    return Comparison(len(first), difference, float(test.statistic), float(test.pvalue),
                      (float(interval.low), float(interval.high)))


def wilcoxon_p(first: Sequence[float], second: Sequence[float]) -> float | None:
    """The p of Wilcoxon's signed-rank test with two tails over pairs; None where no pair differs.

    It asks nothing of how differences are distributed. With fewer than six pairs it cannot come
    below 0.05.
    """
    differences = np.subtract(first, second)
    if (np.abs(differences) <= _ROUNDING).all():
        return None
    from scipy.stats import wilcoxon

    return float(wilcoxon(differences).pvalue)


def bootstrap_interval(
    first: Sequence[float], second: Sequence[float], seed: int = 1
) -> tuple[float, float] | None:
    """Where the mean difference of pairs lies with a confidence of 0.95, by 9,999 draws of the
    pairs with replacement (percentiles); None with fewer than two pairs."""
    if len(first) < 2:
        return None
    from scipy.stats import bootstrap

    found = bootstrap((np.subtract(first, second),), np.mean, method="percentile",
                      confidence_level=_CONFIDENCE, rng=np.random.default_rng(seed))
    return float(found.confidence_interval.low), float(found.confidence_interval.high)


def effect_size(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Cohen's d of pairs: their mean difference over the deviation of the differences; None where
    differences do not vary or there are fewer than two."""
    differences = np.subtract(first, second)
    if len(differences) < 2 or np.ptp(differences) <= _ROUNDING:
        return None
    return float(differences.mean() / differences.std(ddof=1))


def pairs_needed(effect: float, power: float = 0.8, level: float = 0.05) -> int | None:
    """How many pairs the two-tailed paired t-test needs to show this effect size with that
    probability; None for more than 10,000.

    A guess as good as the effect it is made from, which over few pairs is poor.
    """
    from scipy.special import nctdtr, stdtrit

    pairs = np.arange(2, _MOST_PAIRS + 1)
    beyond = stdtrit(pairs - 1, 1 - level / 2)
    found = 1 - nctdtr(pairs - 1, np.abs(effect) * np.sqrt(pairs), beyond) >= power
    return int(pairs[found.argmax()]) if found.any() else None


def unpaired_t_test(
    first: Sequence[float], second: Sequence[float], tail: Tail = "greater"
) -> Comparison:
    """Welch's test, which does not take the variances for equal.

    LC does not say whether its one-tailed tests are paired; both are offered. t and
    p are None with fewer than two values on a side, and where neither side varies.
    """
    n = min(len(first), len(second))
    difference = float(np.mean(first) - np.mean(second)) if n else None
    if n < 2 or max(np.ptp(first), np.ptp(second)) <= _ROUNDING:
        return Comparison(n, difference, None, None)
    from scipy.stats import ttest_ind

    test = ttest_ind(first, second, equal_var=False, alternative=_ALTERNATIVE[tail])
    return Comparison(n, difference, float(test.statistic), float(test.pvalue))


def holm(p_values: Sequence[float]) -> list[float]:
    """p-values corrected for their number by Holm's step-down rule, in the order given."""
    values = np.asarray(p_values, np.float64)
    order = np.argsort(values, kind="stable")
    steps = values[order] * (len(values) - np.arange(len(values)))
    corrected = np.empty(len(values))
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return [float(p) for p in corrected]


def p_values_over_time(first: Floats, second: Floats, tail: Tail = "greater") -> list[float | None]:
    """The p of a paired test at each moment (LC Fig. 7, 10); rows are topics, columns moments.

    A topic whose value is not a number at a moment is left out there, in both.
    """
    found: list[float | None] = []
    for one, other in zip(first.T, second.T, strict=True):
        known = np.isfinite(one) & np.isfinite(other)
        found.append(paired_t_test(one[known].tolist(), other[known].tolist(), tail).p)
    return found
