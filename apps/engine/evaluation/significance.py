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


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of `n` values and its standard error; None where there are too few."""

    n: int
    mean: float | None
    error: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """A t-test: the difference of the means (first − second), t and p; None where undefined.

    `n` is the number of pairs, or of the smaller sample where values are not paired.
    """

    n: int
    difference: float | None
    t: float | None
    p: float | None


def estimate(values: Sequence[float]) -> Estimate:
    """Mean ± standard error, the deviation being that of a sample (n − 1)."""
    n = len(values)
    if n == 0:
        return Estimate(0, None, None)
    mean = float(np.mean(values))
    error = float(np.std(values, ddof=1)) / math.sqrt(n) if n > 1 else None
    return Estimate(n, mean, error)


def half_interval(values: Sequence[float], confidence: float = 0.95) -> float | None:
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
    from scipy.stats import ttest_1samp

    test = ttest_1samp(differences, 0.0, alternative=_ALTERNATIVE[tail])
    return Comparison(len(first), difference, float(test.statistic), float(test.pvalue))


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
