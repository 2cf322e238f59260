"""How a classifier judges pages that it has not seen, and whether that is better than chance."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.classifying.calibration import fit_sigmoid
from apps.engine.intelligence.classifying.classifiers import TextClassifier
from apps.engine.model import Floats

F1 = 3
"""The column of `fold_shares` with F1."""
INTERVAL = 1.96


@dataclass(frozen=True, slots=True)
class FoldEstimate:
    """A mean over folds and its standard error (None with a single fold)."""

    mean: float
    error: float | None


def held_out_probabilities(
    classifier: TextClassifier, relevant: NDArray[np.bool_], weights: Floats
) -> Floats:
    """P(c|x) of each training example, by a model and a sigmoid fitted without its fold."""
    chances = np.zeros(len(relevant))
    for fold in range(int(classifier.fold_.max()) + 1):
        unseen = classifier.fold_ == fold
        margins = classifier.held_out_
        sigmoid = fit_sigmoid(margins[~unseen], relevant[~unseen], weights[~unseen])
        chances[unseen] = sigmoid(margins[unseen])
    return chances


def folds_with(measuring: NDArray[np.bool_], classifier: TextClassifier) -> list[NDArray[np.bool_]]:
    """Which of the `measuring` examples each fold holds out; folds without any are left out."""
    every = range(int(classifier.fold_.max()) + 1)
    folds = [(classifier.fold_ == fold) & measuring for fold in every]
    return [fold for fold in folds if fold.any()]


def fold_shares(
    chances: Floats, relevant: NDArray[np.bool_], folds: list[NDArray[np.bool_]]
) -> NDArray[np.float64]:
    """Folds × (accuracy, precision, recall, F1)."""
    called = chances >= 0.5
    return np.array([shares_of(called[fold], relevant[fold]) for fold in folds])


def shares_of(called: NDArray[np.bool_], relevant: NDArray[np.bool_]) -> tuple[float, ...]:
    """Accuracy, precision, recall and F1 of one fold; 0 for a share of no cases."""
    right = int((called & relevant).sum())
    precision = right / max(1, int(called.sum()))
    recall = right / max(1, int(relevant.sum()))
    f1 = 2 * right / max(1, int(called.sum() + relevant.sum()))
    return float((called == relevant).mean()), precision, recall, f1


def estimate_of(shares: Floats) -> FoldEstimate:
    n = len(shares)
    error = float(shares.std(ddof=1) / np.sqrt(n)) if n > 1 else None
    return FoldEstimate(float(shares.mean()), error)


def is_at_chance(f1: FoldEstimate, relevant: float, called: float) -> bool:
    """Whether the interval of F1 reaches down to what a guess has that calls as many pages relevant
    as the classifier does. Both are shares of the pages: those that are relevant, those called so.
    """
    least = f1.mean - INTERVAL * (f1.error or 0.0)
    return least <= 2 * relevant * called / ((relevant + called) or 1)


def cannot_tell(
    classifier: TextClassifier,
    relevant: NDArray[np.bool_],
    weights: Floats,
    measuring: NDArray[np.bool_],
) -> bool:
    """Whether a classifier is at chance on those of its training examples that are `measuring`,
    each judged without its fold."""
    chances = held_out_probabilities(classifier, relevant, weights)
    f1 = estimate_of(fold_shares(chances, relevant, folds_with(measuring, classifier))[:, F1])
    called = chances[measuring] >= 0.5
    return is_at_chance(f1, float(relevant[measuring].mean()), float(called.mean()))
