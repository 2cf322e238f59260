"""M5' model trees: a regression tree with a linear model in each leaf.

After Quinlan (1992) and Wang & Witten (1997), as in Witten & Frank (2005, §6.5): splits by
standard-deviation reduction, linear models over the attributes tested below a node, pruning by the
corrected error, smoothing along the path. SL §4.2 uses it for the status of a page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np

from apps.engine.model import Floats

NOTHING = 1e-9


@dataclass(frozen=True, slots=True)
class NodeSplit:
    """Values up to `threshold` go left. `gain` is the standard-deviation reduction."""

    feature: int
    threshold: float
    gain: float


@dataclass(frozen=True, slots=True)
class LinearModel:
    """intercept + weights·x. `error` is the mean absolute residual × (n + v)/(n − v)."""

    weights: Floats
    intercept: float
    error: float

    def __call__(self, x: Floats) -> float:
        return float(self.weights @ x) + self.intercept

    def blended(self, n: int, k: float, above: LinearModel) -> LinearModel:
        """(n·self + k·above)/(n + k): smoothing, as one linear model."""
        return LinearModel(
            (n * self.weights + k * above.weights) / (n + k),
            (n * self.intercept + k * above.intercept) / (n + k),
            self.error,
        )


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node of the tree for `examples` examples; a leaf has no split and no children."""

    examples: int
    model: LinearModel
    split: NodeSplit | None = None
    children: tuple[TreeNode, ...] = field(default=())


class ModelTree:
    """The M5' regressor with Weka's defaults.

    Parameters:
        least: the minimum number of examples in a leaf.
        flat: a node whose standard deviation is below this share of the root's is a leaf.
        smoothing: k of p' = (n·p + k·q)/(n + k), n the examples of the lower node; 0 disables
            smoothing.

    Learned: `root_`, whose leaves hold the smoothed models.
    """

    def __init__(self, least: int = 4, flat: float = 0.05, smoothing: float = 15.0) -> None:
        self.least = least
        self.flat = flat
        self.smoothing = smoothing

    def fit(self, x: Floats, y: Floats) -> Self:
        """Grows, prunes and smooths the tree. `x` is examples × features, not empty."""
        root = self._grow(x, y, self.flat * float(y.std()))
        self.root_ = _smoothed(root, self.smoothing, ())
        return self

    def predict(self, x: Floats) -> Floats:
        """One prediction per row."""
        return np.array([self.predict_one(row) for row in x])

    def predict_one(self, x: Floats) -> float:
        """The prediction for one vector of features."""
        node = self.root_
        while node.split is not None:
            node = node.children[int(x[node.split.feature] > node.split.threshold)]
        return node.model(x)

    def describe(self, names: Sequence[str], target: str) -> str:
        """The tree as text, one line per node, with children indented."""
        return "\n".join(_lines(self.root_, names, target, 0))

    def _grow(self, x: Floats, y: Floats, flat: float) -> TreeNode:
        """The pruned subtree for these examples."""
        split = best_split(x, y, self.least) if float(y.std()) >= flat else None
        if split is None:
            return TreeNode(len(y), linear_model(x, y, ()))
        left = x[:, split.feature] <= split.threshold
        children = (self._grow(x[left], y[left], flat), self._grow(x[~left], y[~left], flat))
        tested = {split.feature}.union(*(_tested(child) for child in children))
        node = TreeNode(len(y), linear_model(x, y, sorted(tested)), split, children)
        if node.model.error <= _subtree_error(node):
            return replace(node, split=None, children=())
        return node


def best_split(x: Floats, y: Floats, least: int) -> NodeSplit | None:
    """The split of largest standard-deviation reduction, sd(T) − Σ |Ti|/|T|·sd(Ti).

    Thresholds are midpoints of neighbouring values; both sides have at least `least` examples. Of
    equal gains the first feature wins, then the lower threshold. None if no split reduces the
    deviation.
    """
    best: NodeSplit | None = None
    for feature in range(x.shape[1]):
        split = _best_threshold(feature, x[:, feature], y, least)
        if split and split.gain > (best.gain if best else 0.0) + 1e-12:
            best = split
    return best


def _best_threshold(feature: int, values: Floats, y: Floats, least: int) -> NodeSplit | None:
    order = np.argsort(values, kind="stable")
    values, y = values[order], y[order] - y.mean()
    n = len(y)
    size = np.arange(1, n)
    allowed = (values[1:] > values[:-1]) & (size >= least) & (n - size >= least)
    if not allowed.any():
        return None
    left = _deviations(y)[:-1]
    right = _deviations(y[::-1])[:-1][::-1]
    gain = float(y.std()) - (size * left + (n - size) * right) / n
    at = int(np.argmax(np.where(allowed, gain, -np.inf)))
    return NodeSplit(feature, float((values[at] + values[at + 1]) / 2), float(gain[at]))


def _deviations(y: Floats) -> Floats:
    """The standard deviation of the first 1, 2, … values."""
    size = np.arange(1, len(y) + 1)
    variance = np.cumsum(y * y) / size - (np.cumsum(y) / size) ** 2
    return np.sqrt(np.maximum(variance, 0.0))


def linear_model(x: Floats, y: Floats, features: Sequence[int]) -> LinearModel:
    """The least-squares model; features are eliminated one by one while that lowers the error.

    The error is the mean absolute residual times (n + v)/(n − v), v the number of parameters
    including the intercept; each step removes the feature that leaves the smallest error.
    """
    remaining = list(features)
    model = _least_squares(x, y, remaining)
    while remaining:
        shorter = [[f for f in remaining if f != feature] for feature in remaining]
        models = [_least_squares(x, y, candidate) for candidate in shorter]
        at = min(range(len(models)), key=lambda i: models[i].error)
        if models[at].error > model.error:
            break
        remaining, model = shorter[at], models[at]
    return model


def _least_squares(x: Floats, y: Floats, features: Sequence[int]) -> LinearModel:
    n, v = len(y), len(features) + 1
    columns = x[:, list(features)]
    centre = columns.mean(axis=0)
    solution = np.linalg.lstsq(columns - centre, y - y.mean(), rcond=None)[0]
    weights = np.zeros(x.shape[1])
    weights[list(features)] = solution
    intercept = float(y.mean() - centre @ solution)
    residual = float(np.abs(y - x @ weights - intercept).mean())
    return LinearModel(weights, intercept, residual * (n + v) / (n - v) if n > v else np.inf)


def _subtree_error(node: TreeNode) -> float:
    """The mean of the leaves' corrected errors, weighted by their examples."""
    if node.split is None:
        return node.model.error
    parts = [child.examples * _subtree_error(child) for child in node.children]
    return sum(parts) / node.examples


def _tested(node: TreeNode) -> set[int]:
    """The features in a subtree's tests and linear models (Quinlan 1992, §2.2)."""
    if node.split is None:
        return set(np.flatnonzero(node.model.weights).tolist())
    return {node.split.feature}.union(*(_tested(child) for child in node.children))


def _smoothed(node: TreeNode, k: float, above: tuple[TreeNode, ...]) -> TreeNode:
    """Replaces each leaf's model by the blend of those on its path; `above` is nearest first.

    Since blending is linear, the leaf's model predicts the same as smoothing along the path.
    """
    if node.split is not None:
        path = (node, *above)
        return replace(node, children=tuple(_smoothed(c, k, path) for c in node.children))
    model, n = node.model, node.examples
    for ancestor in above:
        model, n = model.blended(n, k, ancestor.model), ancestor.examples
    return replace(node, model=model)


def _lines(node: TreeNode, names: Sequence[str], target: str, depth: int) -> list[str]:
    indent = "  " * depth
    if node.split is None:
        return [f"{indent}{target} = {_formula(node.model, names)} ({node.examples} examples)"]
    name, limit = names[node.split.feature], f"{node.split.threshold:.3g}"
    low, high = (_lines(child, names, target, depth + 1) for child in node.children)
    return [f"{indent}if {name} is at most {limit}:", *low, f"{indent}else:", *high]


def _formula(model: LinearModel, names: Sequence[str]) -> str:
    terms = [
        f"{'+' if weight > 0 else '−'} {abs(weight):.3g} × {name}"
        for name, weight in zip(names, model.weights, strict=True)
        if abs(weight) > NOTHING
    ]
    return " ".join([f"{model.intercept:.3f}", *terms])
