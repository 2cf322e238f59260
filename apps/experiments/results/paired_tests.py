"""A crawler tested against a baseline, by pairs of values of the same topic (LC §7, SL §5.1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from typing import Annotated

import numpy as np
from pydantic import PlainSerializer, WithJsonSchema, computed_field
from pydantic.dataclasses import dataclass

from apps.engine.evaluation.measure import Measure
from apps.engine.evaluation.significance import (
    bootstrap_interval,
    effect_size,
    holm,
    paired_t_test,
    pairs_needed,
    wilcoxon_p,
    wins,
)
from apps.engine.model import Floats

LEVEL = 0.05
ENOUGH_TOPICS = 6
"""With fewer pairs Wilcoxon's test cannot come below 0.05, and t relies on what cannot be seen."""


class Method(StrEnum):
    """A test of pairs. The one-tailed one asks whether the crawler is better than the baseline."""

    TWO_TAILED = "two_tailed"
    ONE_TAILED = "one_tailed"
    WILCOXON = "wilcoxon"

    @property
    def title(self) -> str:  # type: ignore[override]  # a member's words, not str.title
        return _TITLES[self]


_TITLES = {
    Method.TWO_TAILED: "paired t, two-tailed",
    Method.ONE_TAILED: "paired t, one-tailed",
    Method.WILCOXON: "Wilcoxon, two-tailed",
}


@dataclass(frozen=True, slots=True)
class PValue:
    """A p-value, and the same after Holm; None if undefined."""

    raw: float | None = None
    holm: float | None = None


NO_P = PValue()


MeasureId = Annotated[
    type[Measure], PlainSerializer(lambda measure: measure.id), WithJsonSchema({"type": "string"})
]


@dataclass(frozen=True, slots=True)
class Test:
    """A crawler compared with the baseline over the `topics` topics in which both have a value.

    `mean` and `base_mean` are the two means over these topics. `better` and `worse` count the
    topics by the measure's own direction, `earlier` those that are read before the moment, because
    a crawl had ended or its estimate is too vague: both crawls are read at equal pages. `interval`
    is that of the difference of the means with a confidence of 0.95 by Student's t, `bootstrap` by
    resampling the topics. `p_values` has one for each method, corrected for all `compared`
    crawlers; `method` is the one that decides. `effect` is Cohen's d, `needed` how many topics
    would show a difference of that size in `compared` crawlers with a power of 0.8. None if
    undefined, or if no test is made.
    """

    measure: MeasureId
    crawler: str
    baseline: str
    topics: int
    mean: float
    base_mean: float
    better: int
    worse: int
    interval: tuple[float, float] | None = None
    bootstrap: tuple[float, float] | None = None
    t: float | None = None
    effect: float | None = None
    p_values: Mapping[Method, PValue] = field(default_factory=dict)
    method: Method = Method.TWO_TAILED
    compared: int = 0
    needed: int | None = None
    earlier: int = 0

    @computed_field
    @property
    def difference(self) -> float:
        return self.mean - self.base_mean

    @property
    def gain(self) -> float:
        """The difference, positive if the crawler is better."""
        return -self.difference if self.measure.less_is_better else self.difference

    def p_of(self, method: Method) -> PValue:
        return self.p_values.get(method, NO_P)

    @computed_field
    @property
    def p(self) -> float | None:
        return self.p_of(self.method).raw

    @computed_field
    @property
    def holm(self) -> float | None:
        return self.p_of(self.method).holm

    @property
    def tested(self) -> bool:
        return self.p is not None

    @computed_field
    @property
    def shown(self) -> bool:
        """Whether the difference is significant at 0.05 after Holm."""
        return self.shown_by(self.method)

    def shown_by(self, method: Method) -> bool:
        p = self.p_of(method).holm
        return p is not None and p < LEVEL


def paired_test(
    measure: type[Measure],
    names: tuple[str, str],
    first: Sequence[float] | Floats,
    second: Sequence[float] | Floats,
    least: int,
    method: Method = Method.TWO_TAILED,
    earlier: Sequence[bool] | np.ndarray | None = None,
) -> Test | None:
    """The test of a crawler's values against the baseline's, before Holm; None without a pair.

    `names` are those of the two; values stand in the order of the topics, NaN if undefined, as
    does `earlier`. With fewer than `least` pairs there are only means.
    """
    one, other = np.asarray(first, np.float64), np.asarray(second, np.float64)
    paired = np.isfinite(one) & np.isfinite(other)
    if not paired.any():
        return None
    ours, theirs = one[paired].tolist(), other[paired].tolist()
    more, fewer = wins(ours, theirs)
    better, worse = (fewer, more) if measure.less_is_better else (more, fewer)
    means = Test(
        measure,
        *names,
        len(ours),
        float(np.mean(ours)),
        float(np.mean(theirs)),
        better,
        worse,
        method=method,
        earlier=0 if earlier is None else int(np.asarray(earlier)[paired].sum()),
    )
    return means if len(ours) < least else _tested(means, ours, theirs)


def _tested(means: Test, ours: Sequence[float], theirs: Sequence[float]) -> Test:
    two = paired_t_test(ours, theirs)
    one = paired_t_test(ours, theirs, "less" if means.measure.less_is_better else "greater")
    p_values = {
        Method.TWO_TAILED: two.p,
        Method.ONE_TAILED: one.p,
        Method.WILCOXON: wilcoxon_p(ours, theirs),
    }
    return replace(
        means,
        interval=two.interval,
        bootstrap=bootstrap_interval(ours, theirs),
        t=two.t,
        effect=effect_size(ours, theirs),
        p_values={method: PValue(p) for method, p in p_values.items()},
    )


def corrected(tests: Sequence[Test]) -> list[Test]:
    """The tests of one measure at one moment, with p after Holm over all that have one."""
    after = {method: holm([test.p_of(method).raw for test in tests]) for method in Method}
    compared = sum(test.p_of(Method.TWO_TAILED).raw is not None for test in tests)
    return [
        replace(
            test,
            compared=compared,
            needed=_needed(test, compared),
            p_values={
                method: PValue(p.raw, after[method][index]) for method, p in test.p_values.items()
            },
        )
        for index, test in enumerate(tests)
    ]


def _needed(test: Test, compared: int) -> int | None:
    """At the level of Holm's first step, the strictest one."""
    return None if test.effect is None else pairs_needed(test.effect, level=LEVEL / compared)
