"""A cache of text classifiers and backgrounds, so that a crawl that starts again need not
train them.

A file is named by a digest of everything that determines the model: the texts, their labels and
weights, the kind and its seed, the code that trains it and the libraries it calls. Files have
arrays and plain values, never pickles, and loading them does not import scikit-learn. An unreadable
file counts as missing.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.engine import recent_files
from apps.engine.errors import BadCheckpoint
from apps.engine.intelligence.classifying import calibration, classifiers
from apps.engine.intelligence.classifying.classifiers import Kind, TextClassifier
from apps.engine.model import Floats, Ints, TokenRows
from apps.engine.representation import background as backgrounds
from apps.engine.representation import beside, decomposition, weightings
from apps.engine.representation.background import BackgroundStatistics

MOST_FILES = 400
LIBRARIES = ("numpy", "scipy", "scikit-learn")


class TrainedModels:
    """The most recently used models in a folder; without a folder there is no cache.

    With `afresh` all models are trained and then stored: one read from a file lacks the models of
    its folds.
    """

    def __init__(self, folder: Path | None = None, *, afresh: bool = False) -> None:
        self._folder = folder
        self._afresh = afresh

    def classifier(
        self,
        kind: Kind,
        weighting: str,
        seed: int,
        rows: TokenRows,
        labels: Ints | NDArray[np.bool_],
        weights: Floats | None = None,
        idf_texts: TokenRows | None = None,
        *,
        background: BackgroundStatistics | None = None,
        soft: bool = False,
    ) -> TextClassifier:
        """The result of `TextClassifier.fit` for these inputs, from the cache (with bit-identical
        scores) or newly trained. Raises NeedsMissing like `fit`."""
        model = TextClassifier(kind, weighting, seed, background=background, soft=soft)
        if self._folder is None:
            return model.fit(rows, labels, weights, idf_texts)
        path = self._folder / f"{_model_digest(model, rows, labels, weights, idf_texts)}.npz"
        if self._afresh or not _read(path, model):
            model.fit(rows, labels, weights, idf_texts)
            self._keep(path, model.state())
        return model

    def background(self, texts: TokenRows, counted: int | None = None) -> BackgroundStatistics:
        """The statistics of these texts, from the cache or newly computed."""
        model = BackgroundStatistics()
        if self._folder is None:
            return model.fit(texts, counted)
        path = self._folder / f"{_digest(('background', model.k, counted), _parts(texts))}.npz"
        if self._afresh or not _read(path, model):
            self._keep(path, model.fit(texts, counted).state())
        return model

    def _keep(self, path: Path, state: dict[str, Any]) -> None:
        """Stores a model; ignores a full or read-only disk: the model can be trained again."""
        recent_files.write(path, state, "*", MOST_FILES)


def _read(path: Path, model: TextClassifier | BackgroundStatistics) -> bool:
    """Loads the model and updates its time of use. Returns False without a readable file."""
    try:
        model.restore(recent_files.read(path))
    except (BadCheckpoint, OSError, KeyError, TypeError, ValueError):
        return False
    return True


def _model_digest(
    model: TextClassifier,
    rows: TokenRows,
    labels: Ints | NDArray[np.bool_],
    weights: Floats | None,
    idf_texts: TokenRows | None,
) -> str:
    beside = model.background.digest() if model.background else ""
    about = (model.kind, model.weighting, model.seed, model.soft, beside)
    return _digest(about, (*_parts(rows), *_parts(idf_texts), labels, weights))


def _digest(about: tuple[object, ...], arrays: Iterable[Any]) -> str:
    """A name of plain values and of arrays, which may be None."""
    digest = hashlib.sha256(repr((_maker(), about)).encode())
    for value in arrays:
        array = None if value is None else np.ascontiguousarray(value)
        digest.update(repr(None if array is None else (array.dtype.str, array.shape)).encode())
        digest.update(b"" if array is None else array.tobytes())
    return digest.hexdigest()[:40]


def _parts(texts: TokenRows | None) -> tuple[NDArray[Any] | None, ...]:
    return (None,) if texts is None else (texts.indptr, texts.ids)


@cache
def _maker() -> tuple[str, ...]:
    """The training code, its libraries and the machine, whose arithmetic may differ."""
    code = hashlib.sha256(b"".join(path.read_bytes() for path in _sources())).hexdigest()
    return (code, *(version(library) for library in LIBRARIES), platform.machine())


def _sources() -> Iterator[Path]:
    for module in (classifiers, calibration, backgrounds, beside, decomposition):
        yield Path(str(module.__file__))
    yield from sorted(Path(str(weightings.__file__)).parent.glob("*.py"))
