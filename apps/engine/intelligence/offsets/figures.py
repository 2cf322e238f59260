"""How well words at each distance from a link predict its target (AFC §3.4)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from apps.engine.intelligence.offsets.bayes import Bools, Neighbours, train_bayes
from apps.engine.intelligence.offsets.features import OffsetFeatures
from apps.engine.model import Floats, Longs

FOLDS = 5
ALONE = Neighbours(False, np.empty(0), 0.5)


@dataclass(frozen=True, slots=True)
class Validation:
    """The accuracy on held-out links: HIGH ones, LOW ones, all (AFC Fig. 6).

    `links` counts occurrences; a share is None without any.
    """

    links: int
    positive: float | None
    negative: float | None
    average: float | None


@dataclass(frozen=True, slots=True)
class AtOffset:
    """One offset from a link: the distinct words there, their mean information gain in bits (AFC
    Fig. 8; None without words), and their share of all words (Fig. 9a)."""

    offset: int
    words: int
    gain: float | None
    rate: float


def cross_validate(
    features: OffsetFeatures,
    high: Bools,
    low: Bools,
    offsets: int,
    near: Neighbours = ALONE,
    seed: int = 0,
) -> Validation:
    """Five-fold cross-validation; all links of a page are in the same fold.

    `offsets` is the number of distinct offsets, `near` the labelled links near a link. A fold is
    skipped if its training pages lack a class.
    """
    pages, page = np.unique(features.source, return_inverse=True)
    fold = np.random.default_rng(seed).permutation(len(pages))[page] % FOLDS
    right, judged = np.zeros(len(high), np.bool_), np.zeros(len(high), np.bool_)
    for held in range(FOLDS):
        others = fold != held
        model = train_bayes(features, high & others, low & others, near, offsets)
        if model is not None:
            chosen = ~others & (high | low)
            right[chosen] = ((model.log_odds(features, near) > 0) == high)[chosen]
            judged |= chosen
    return Validation(
        int(judged.sum()),
        _share(right, judged & high),
        _share(right, judged & low),
        _share(right, judged),
    )


def by_offset(features: OffsetFeatures, high: Bools, low: Bools, dmax: int) -> tuple[AtOffset, ...]:
    """From −dmax to dmax, over the links that are HIGH or LOW.

    **Erratum** (AFC §3.4): the rates q of the terms at one offset, "relative to the total count of
    all terms occurring at offset d", would always sum to 1; here they are relative to all offsets.
    """
    width = 2 * dmax + 1
    occurrence, key = _words(features, width)
    taught = (high | low)[occurrence]
    occurrence, key = occurrence[taught], key[taught]
    stands = np.bincount(key % width, minlength=width)
    both = np.unique(np.stack([key, occurrence]), axis=1)
    word, position = np.unique(both[0], return_inverse=True)
    has_high, has_low = (
        np.bincount(position, label[both[1]], len(word)).astype(np.float64) for label in (high, low)
    )
    gain = information_gain(has_high, has_low, int(high.sum()), int(low.sum()))
    at = word % width
    return tuple(
        AtOffset(
            d - dmax,
            int((at == d).sum()),
            float(gain[at == d].mean()) if (at == d).any() else None,
            float(stands[d] / max(int(stands.sum()), 1)),
        )
        for d in range(width)
    )


def information_gain(has_high: Floats, has_low: Floats, high: int, low: int) -> Floats:
    """The information gain, in bits, of each word's presence about HIGH and LOW.

    `has_high` and `has_low` are the numbers of links with each word, out of `high` and `low` links.
    """
    has = has_high + has_low
    without = _entropy(high - has_high, low - has_low) * (high + low - has)
    left = _entropy(has_high, has_low) * has + without
    gain: Floats = _entropy(np.array(high), np.array(low)) - left / max(high + low, 1)
    return gain


def _entropy(one: Floats, other: Floats) -> Floats:
    """The entropy of two counts, in bits; 0 if both are 0."""
    total = np.maximum(one + other, 1)
    shares = np.stack([one / total, other / total])
    logs = np.log2(np.where(shares > 0, shares, 1.0))
    bits: Floats = -(shares * logs).sum(axis=0)
    return bits


def _words(features: OffsetFeatures, width: int) -> tuple[Longs, Longs]:
    """The distinct words near each link, as (occurrence, feature·width + offset)."""
    order = np.argsort(features.patch_of, kind="stable")
    count = np.bincount(features.patch_of, minlength=len(features.owner))
    first = np.cumsum(count) - count
    size = count[features.patch]
    before = np.repeat(first[features.patch] - np.cumsum(size) + size, size)
    feature = features.feature[order][np.arange(int(size.sum())) + before].astype(np.int64)
    occurrence = np.repeat(features.occurrence, size).astype(np.int64)
    return occurrence, feature * width + np.repeat(features.offset, size)


def _share(right: Bools, chosen: Bools) -> float | None:
    return float(right[chosen].mean()) if chosen.any() else None
