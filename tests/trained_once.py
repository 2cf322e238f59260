"""A classifier is trained once for all tests that ask for the same one.

Training is deterministic (tests/engine/intelligence/test_classifiers.py, which trains each time).
"""

from __future__ import annotations

from typing import Any, Self

from apps.engine.intelligence import trained
from apps.engine.intelligence.classifiers import TextClassifier

MOST = 300
_LEARNT: dict[str, dict[str, Any]] = {}


class TrainedOnce(TextClassifier):
    """Remembers what was learnt of the same texts, labels and weights."""

    def fit(self, rows: Any, labels: Any, weights: Any = None, background: Any = None) -> Self:
        key = trained._digest(self, rows, labels, weights, background)
        if key not in _LEARNT:
            super().fit(rows, labels, weights, background)
            _LEARNT[key] = dict(vars(self))
            if len(_LEARNT) > MOST:
                del _LEARNT[next(iter(_LEARNT))]
        vars(self).update(_LEARNT[key])
        return self


def train_once() -> None:
    """Has every topic's models trained that way."""
    trained.TextClassifier = TrainedOnce
