"""The relevant pages that a crawl has missed, by its newest sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from apps.engine.evaluation.estimated_recall import EstimatedRecall
from apps.engine.model import Floats
from apps.figures.quantities import count

WIDEST = 0.5
"""Of a wider interval the lower end is shown, and the estimate as a guess."""
LOWEST = 0.01
"""Of a wider interval that begins lower nothing but the guess is shown."""


@dataclass(frozen=True, slots=True)
class RecallInterval:
    """The estimated recall with its interval, and the number of relevant pages that the next 1,000
    requests should add (`soon`)."""

    recall: float
    low: float
    high: float
    soon: float

    @classmethod
    def of(cls, metrics: Mapping[str, Any]) -> Self | None:
        """The estimates of a crawl; None if there are none yet."""
        names = (EstimatedRecall.id, *EstimatedRecall.more)
        if any(metrics.get(name) is None for name in names):
            return None
        return cls(*(float(metrics[name]) for name in names))

    @property
    def is_vague(self) -> bool:
        """Whether the interval is too wide to show the estimate alone."""
        return self.high - self.low > WIDEST

    def words(self) -> str:
        """`about 82 % (74–90) of the relevant pages within reach are found; …`, or `at least 7 %`
        where the interval is wide, or that there is no estimate."""
        low, share, high = (f"{100 * value:.0f}" for value in (self.low, self.recall, self.high))
        if not self.is_vague:
            sentence = (
                f"about {share} % ({low}–{high}) of the relevant pages within reach are found"
            )
        elif self.low >= LOWEST:
            sentence = (
                f"at least {low} % of the relevant pages within reach are found, at a guess"
                f" {share} %, but it may be up to {high} %"
            )
        else:
            sentence = (
                "how much of the relevant pages within reach is found cannot be told yet,"
                f" at a guess {share} %"
            )
        return f"{sentence}; the next 1,000 requests should add {self.more()}"

    def more(self) -> str:
        """`about 31`, or that there is next to none."""
        return "hardly any" if self.soon < 1 else f"about {count(round(self.soon))}"


def shown_value(metrics: Mapping[str, Any], name: str) -> float | None:
    """A sample's value as curves and cells show it: None for an estimated recall with too wide an
    interval."""
    if name == EstimatedRecall.id:
        estimated = RecallInterval.of(metrics)
        return None if estimated is None or estimated.is_vague else estimated.recall
    value: float | None = metrics.get(name)
    return value


def shown_values(samples: Sequence[Mapping[str, Any]], name: str) -> list[float | None]:
    """The `shown_value` of each of the samples."""
    if name == EstimatedRecall.id:
        return [shown_value(metrics, name) for metrics in samples]
    return [metrics.get(name) for metrics in samples]


def shown_metrics(metrics: Mapping[str, Any]) -> dict[str, Any]:
    """A sample whose estimated recall is a `shown_value`; its interval stays."""
    if EstimatedRecall.id not in metrics:
        return {**metrics}
    return {**metrics, EstimatedRecall.id: shown_value(metrics, EstimatedRecall.id)}


def shown_column(columns: Mapping[str, Floats], name: str) -> Floats:
    """The `shown_value` of each sample, NaN for None; `columns` has the samples of each number.
    Raises KeyError for a number that has none."""
    if name != EstimatedRecall.id:
        return columns[name]
    wanted = [columns[each] for each in needed_numbers(name) if each in columns]
    estimates = np.stack(wanted, axis=1)
    if len(wanted) < len(needed_numbers(name)):
        return np.full(len(estimates), np.nan)
    share, low, high, _ = estimates.T
    is_shown = np.isfinite(estimates).all(axis=1) & ~(high - low > WIDEST)
    return np.where(is_shown, share, np.nan)


def needed_numbers(name: str) -> tuple[str, ...]:
    """The numbers of a sample that its `shown_value` is made of."""
    return (name, *EstimatedRecall.more) if name == EstimatedRecall.id else (name,)
