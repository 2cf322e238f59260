"""The relevant pages that a crawl has missed, by its newest sample."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from apps.engine.evaluation.estimated_recall import EstimatedRecall
from apps.engine.model import Floats
from apps.figures.quantities import count

VAGUE, LEAST = 0.5, 0.01
"""An interval that is wider is shown as its lower end and a guess, and one that begins lower as
well not at all."""


@dataclass(frozen=True, slots=True)
class Estimated:
    """The estimated recall with its interval, and how many relevant pages the next thousand
    requests should add."""

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
        """Whether the interval is too wide for the share alone to mean anything."""
        return self.high - self.low > VAGUE

    def words(self) -> str:
        """`about 82 % (74–90) of the relevant pages within reach are found; …`, or `at least 7 %`
        where the interval is wide, or that there is no estimate."""
        low, share, high = (f"{100 * value:.0f}" for value in (self.low, self.recall, self.high))
        if not self.is_vague:
            sentence = (
                f"about {share} % ({low}–{high}) of the relevant pages within reach are found"
            )
        elif self.low >= LEAST:
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


def plain_value(metrics: Mapping[str, Any], name: str) -> float | None:
    """A sample's value where it stands alone, as in a curve or a cell: None for an estimated recall
    with too wide an interval."""
    if name == EstimatedRecall.id:
        estimated = Estimated.of(metrics)
        return None if estimated is None or estimated.is_vague else estimated.recall
    value: float | None = metrics.get(name)
    return value


def plain_values(samples: Sequence[Mapping[str, Any]], name: str) -> list[float | None]:
    """The `plain_value` of each of the samples."""
    if name == EstimatedRecall.id:
        return [plain_value(metrics, name) for metrics in samples]
    return [metrics.get(name) for metrics in samples]


def plain_metrics(metrics: Mapping[str, Any]) -> dict[str, Any]:
    """A sample whose estimated recall is a `plain_value`; its interval stays."""
    if EstimatedRecall.id not in metrics:
        return {**metrics}
    return {**metrics, EstimatedRecall.id: plain_value(metrics, EstimatedRecall.id)}


def plain_column(columns: Mapping[str, Floats], name: str) -> Floats:
    """The `plain_value` of each sample, NaN for None; `columns` has the samples of each number.
    Raises KeyError for a number that has none."""
    if name != EstimatedRecall.id:
        return columns[name]
    wanted = [columns[each] for each in names_needed(name) if each in columns]
    estimates = np.stack(wanted, axis=1)
    if len(wanted) < len(names_needed(name)):
        return np.full(len(estimates), np.nan)
    share, low, high, _ = estimates.T
    is_plain = np.isfinite(estimates).all(axis=1) & ~(high - low > VAGUE)
    return np.where(is_plain, share, np.nan)


def names_needed(name: str) -> tuple[str, ...]:
    """The numbers of a sample that its `plain_value` is made of."""
    return (name, *EstimatedRecall.more) if name == EstimatedRecall.id else (name,)
