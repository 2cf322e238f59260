"""A classifier is trained once for all tests that ask for the same one.

Training is deterministic, as the tests of the classifiers show, which train each time.
"""

from __future__ import annotations

from typing import Any, Self

from apps.engine.intelligence.classifying import trained
from apps.engine.intelligence.classifying.classifiers import TextClassifier

MOST = 300
_LEARNT: dict[str, dict[str, Any]] = {}


class TrainedOnce(TextClassifier):
    """Remembers what was learnt of the same texts, labels and weights."""

    def fit(self, rows: Any, labels: Any, weights: Any = None, idf_texts: Any = None) -> Self:
        key = trained._model_digest(self, rows, labels, weights, idf_texts)
        if key not in _LEARNT:
            super().fit(rows, labels, weights, idf_texts)
            _LEARNT[key] = dict(vars(self))
            if len(_LEARNT) > MOST:
                del _LEARNT[next(iter(_LEARNT))]
        vars(self).update(_LEARNT[key])
        return self


def train_once() -> None:
    """Has every topic's models trained that way."""
    trained.TextClassifier = TrainedOnce
