"""Naive Bayes over ⟨token, offset⟩ features: the apprentice's learner (AFC §2.3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.classifying.calibration import logistic
from apps.engine.intelligence.link_memory import is_high
from apps.engine.intelligence.offsets.features import HIGH, LOW, NOBODY, OffsetFeatures
from apps.engine.model import Floats

Bools = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The labelled links near a link: the τ of each patch's owner, and the threshold of HIGH.

    Ignored if `cocitation` is false.
    """

    cocitation: bool
    tau: Floats
    at_least: float


@dataclass(frozen=True, slots=True)
class OffsetBayes:
    """The weights of the log-odds, features × offsets (the last row is 0), and the prior's."""

    weights: NDArray[np.float32]
    prior: float

    def log_odds(self, features: OffsetFeatures, near: Neighbours) -> Floats:
        """ln P(high)/P(low) of each occurrence of a link; unknown features count as 0."""
        total = np.full(len(features.target), self.prior)
        neighbour = _neighbour(features, near)
        for d in range(self.weights.shape[1]):
            weight = self.weights[:, d].take(features.feature, mode="clip")
            value = np.bincount(features.patch_of, weight, len(features.owner)).astype(np.float64)
            here = np.flatnonzero(features.offset == d)
            pieces = value[features.patch[here]]
            beside = neighbour[here]
            met = beside >= 0
            pieces[met] += self.weights[beside[met], d]
            total += np.bincount(features.occurrence[here], pieces, len(total))
        return total


def priority_key(log_odds: Floats) -> Floats:
    """(1 + x/(1 + |x|))/2, strictly increasing from log-odds to [0, 1]; 0 without occurrences."""
    finite = np.isfinite(log_odds)
    safe = np.where(finite, log_odds, 0.0)
    return np.where(finite, (1 + safe / (1 + np.abs(safe))) / 2, 0.0)


def probability_of(keys: Floats) -> Floats:
    """P(high) from the keys of its log-odds."""
    part = 2 * keys - 1
    inside = np.abs(part) < 1
    odds = part / np.where(inside, 1 - np.abs(part), 1.0)
    return np.where(inside, logistic(odds), keys)


def train_bayes(
    features: OffsetFeatures, high: Bools, low: Bools, near: Neighbours, offsets: int
) -> OffsetBayes | None:
    """Multinomial naive Bayes with add-one smoothing, θ = (1 + count)/(|T| + total).

    `high` and `low` are masks of the training occurrences; T are the features of either. None if a
    class has no occurrence.
    """
    if not high.any() or not low.any():
        return None
    size = int(features.feature.max(initial=LOW)) + 1
    favour = _counts(features, high, near, offsets, size)
    against = _counts(features, low, near, offsets, size)
    met = favour + against > 0
    vocabulary = max(int(met.sum()), 1)
    ratio = np.log1p(favour) - np.log(vocabulary + favour.sum())
    ratio -= np.log1p(against) - np.log(vocabulary + against.sum())
    weights = np.vstack([np.where(met, ratio, 0.0), np.zeros((1, offsets))])
    return OffsetBayes(weights.astype(np.float32), float(np.log(high.sum() / low.sum())))


def _counts(
    features: OffsetFeatures, chosen: Bools, near: Neighbours, offsets: int, size: int
) -> Floats:
    """The counts of each feature (row) at each offset (column) from the chosen occurrences."""
    counts = np.zeros((size, offsets))
    neighbour = _neighbour(features, near)
    for d in range(offsets):
        here = np.flatnonzero((features.offset == d) & chosen[features.occurrence])
        times = np.bincount(features.patch[here], minlength=len(features.owner))
        counts[:, d] = np.bincount(features.feature, times[features.patch_of], size)
        beside = neighbour[here]
        counts[:, d] += np.bincount(beside[beside >= 0], minlength=size)
    return counts


def _neighbour(features: OffsetFeatures, near: Neighbours) -> NDArray[np.int8]:
    """HIGH or LOW for each piece in the anchor of another link whose target is labelled."""
    if not near.cocitation:
        return np.full(len(features.patch), NOBODY, np.int8)
    owner = features.owner[features.patch]
    other = (owner != NOBODY) & (owner != features.target[features.occurrence])
    tau = near.tau[features.patch]
    label = np.where(is_high(tau, near.at_least), HIGH, LOW)
    return np.where(other & ~np.isnan(tau), label, NOBODY).astype(np.int8)
