"""Statistical tests of whether one crawler is better than another over topics (LC §7, SL §5.1).

scipy is imported at the first test, since its import takes half a second.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import numpy as np

from apps.engine.model import Floats

Tail = Literal["two", "greater", "less"]
P = TypeVar("P", float, float | None)
_ALTERNATIVE = {"two": "two-sided", "greater": "greater", "less": "less"}
_ROUNDING = 1e-12
_CONFIDENCE = 0.95
_MOST_PAIRS = 10_000


@dataclass(frozen=True, slots=True)
class Estimate:
    """The mean of `n` values and its standard error; None if there are too few."""

    n: int
    mean: float | None
    error: float | None


@dataclass(frozen=True, slots=True)
class PairedTest:
    """A t-test: the difference of the means (first − second), t and p; None if undefined.

    `n` is the number of pairs, `interval` the two-sided 95 % confidence interval of the difference.
    """

    n: int
    difference: float | None
    t: float | None
    p: float | None
    interval: tuple[float, float] | None = None


def estimate(values: Sequence[float]) -> Estimate:
    """The mean and its standard error, from the sample deviation (n − 1)."""
    n = len(values)
    if n == 0:
        return Estimate(0, None, None)
    mean = float(np.mean(values))
    error = float(np.std(values, ddof=1)) / math.sqrt(n) if n > 1 else None
    return Estimate(n, mean, error)


def mean_of_defined(values: Iterable[float | None]) -> Estimate:
    """The mean of those that are defined and its standard error."""
    return estimate([value for value in values if value is not None])


def half_interval(values: Sequence[float], confidence: float = _CONFIDENCE) -> float | None:
    """Half the mean's confidence interval, by Student's t; None with fewer than two values."""
    return half_of(estimate(values), confidence)


def half_of(estimated: Estimate, confidence: float = _CONFIDENCE) -> float | None:
    """The same of a mean that is estimated already."""
    if estimated.error is None:
        return None
    from scipy.special import stdtrit

    return float(stdtrit(estimated.n - 1, (1 + confidence) / 2)) * estimated.error


def paired_t_test(
    first: Sequence[float], second: Sequence[float], tail: Tail = "two"
) -> PairedTest:
    """Student's paired t-test, one pair per topic: SL's is two-tailed, LC's one-tailed (LC §7, SL
    §5.2).

    `greater` tests whether the first is larger. If no pair differs, p is 1. t and p are None with
    fewer than two pairs, or if all differ by the same amount, since the variance is then undefined.
    Raises ValueError if the samples differ in size.
    """
    if len(first) != len(second):
        raise ValueError(f"{len(first)} values cannot be paired with {len(second)}")
    differences = np.asarray(first, np.float64) - np.asarray(second, np.float64)
    difference = float(differences.mean()) if len(first) else None
    if len(first) < 2:
        return PairedTest(len(first), difference, None, None)
    if (np.abs(differences) <= _ROUNDING).all():
        return PairedTest(len(first), difference, None, 1.0)
    if np.ptp(differences) <= _ROUNDING:
        return PairedTest(len(first), difference, None, None)
    from scipy.stats import ttest_rel

    test = ttest_rel(first, second, alternative=_ALTERNATIVE[tail])
    interval = ttest_rel(first, second).confidence_interval(_CONFIDENCE)
    return PairedTest(
        len(first),
        difference,
        float(test.statistic),
        float(test.pvalue),
        (float(interval.low), float(interval.high)),
    )


def wins(first: Sequence[float], second: Sequence[float]) -> tuple[int, int]:
    """The number of pairs in which the first is larger, and in which the second is."""
    differences = np.subtract(first, second)
    return (int((differences > _ROUNDING).sum()), int((differences < -_ROUNDING).sum()))


def wilcoxon_p(first: Sequence[float], second: Sequence[float]) -> float | None:
    """The p of Wilcoxon's two-tailed signed-rank test; None if no pair differs.

    It makes no assumption on the distribution of the differences. With fewer than six pairs it
    cannot be below 0.05.
    """
    differences = np.subtract(first, second, dtype=np.float64)
    equal = np.abs(differences) <= _ROUNDING
    if equal.all():
        return None
    differences[equal] = 0.0
    from scipy.stats import wilcoxon

    return float(wilcoxon(differences).pvalue)


def bootstrap_interval(
    first: Sequence[float], second: Sequence[float], seed: int = 1
) -> tuple[float, float] | None:
    """The 95 % percentile bootstrap interval of the mean paired difference, from 9,999 resamples;
    None with fewer than two pairs."""
    if len(first) < 2:
        return None
    from scipy.stats import bootstrap

    resampled = bootstrap(
        (np.subtract(first, second),),
        np.mean,
        method="percentile",
        confidence_level=_CONFIDENCE,
        rng=np.random.default_rng(seed),
    )
    return float(resampled.confidence_interval.low), float(resampled.confidence_interval.high)


def effect_size(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Cohen's d of pairs: the mean difference over the deviation of the differences; None if the
    differences do not vary or there are fewer than two."""
    differences = np.subtract(first, second)
    if len(differences) < 2 or np.ptp(differences) <= _ROUNDING:
        return None
    return float(differences.mean() / differences.std(ddof=1))


def pairs_needed(effect: float, power: float = 0.8, level: float = 0.05) -> int | None:
    """The number of pairs for which the two-tailed paired t-test detects this effect size with this
    power; None for more than 10,000.

    The estimate is only as good as that of the effect, which is poor over few pairs.
    """
    from scipy.special import nctdtr, stdtrit

    def enough(pairs: int) -> bool:
        beyond = stdtrit(pairs - 1, 1 - level / 2)
        return bool(1 - nctdtr(pairs - 1, abs(effect) * math.sqrt(pairs), beyond) >= power)

    # From below, since nctdtr is not a number far beyond what is enough.
    end = 2
    while end < _MOST_PAIRS and not enough(end):
        end = min(2 * end, _MOST_PAIRS)
    least = bisect_left(range(end + 1), True, lo=2, key=enough)
    return least if least <= end else None


def detectable_effect(pairs: int, power: float = 0.8, level: float = 0.05) -> float | None:
    """The least effect size that the two-tailed paired t-test over so many pairs detects with this
    power; None with fewer than two pairs. The inverse of `pairs_needed`."""
    if pairs < 2:
        return None
    from scipy.special import nctdtrinc, stdtrit

    beyond = stdtrit(pairs - 1, 1 - level / 2)
    return float(nctdtrinc(pairs - 1, 1 - power, beyond)) / math.sqrt(pairs)


def holm(p_values: Sequence[P]) -> list[P]:
    """p-values corrected for multiple tests by Holm's step-down method, in the given order.

    None, where there is no test, stays None and is not counted.
    """
    values = np.array(p_values, np.float64)
    order = np.argsort(values, kind="stable")  # the unknown stand last
    steps = values[order] * (np.isfinite(values).sum() - np.arange(len(values)))
    corrected = np.empty(len(values))
    corrected[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    after: list[Any] = [None if math.isnan(p) else p for p in corrected.tolist()]
    return after


def p_values_over_time(first: Floats, second: Floats, tail: Tail = "greater") -> list[float | None]:
    """The p of `paired_t_test` at each time (LC Fig. 7, 10); rows are topics, columns times.

    A topic with a NaN at a time is left out of both samples at that time.
    """
    differences = first - second
    values: list[float | None] = [None] * differences.shape[1]
    patterns, which = np.unique(np.isfinite(differences), axis=1, return_inverse=True)
    for index, defined in enumerate(patterns.T):
        times = np.flatnonzero(which == index)
        p_values = _p_values(differences[np.ix_(defined, times)], tail)
        for time, p in zip(times.tolist(), p_values.tolist(), strict=True):
            values[time] = None if math.isnan(p) else p
    return values


def _p_values(differences: Floats, tail: Tail) -> Floats:
    """The p of each column of differences, NaN where `paired_t_test` has None."""
    values = np.full(differences.shape[1], np.nan)
    if len(differences) < 2:
        return values
    equal = (np.abs(differences) <= _ROUNDING).all(axis=0)
    varied = ~equal & (np.ptp(differences, axis=0) > _ROUNDING)
    values[equal] = 1.0
    if varied.any():
        from scipy.stats import ttest_1samp

        tested = ttest_1samp(differences[:, varied], 0.0, alternative=_ALTERNATIVE[tail])
        values[varied] = tested.pvalue
    return values
