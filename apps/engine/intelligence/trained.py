"""A cache of text classifiers, so that a crawl that starts again need not train them.

A file is named by a digest of everything that determines the model: the texts, their labels and
weights, the kind and its seed, the code that trains it and the libraries it calls. Files have
arrays and plain values, never pickles, and loading them does not import scikit-learn. An unreadable
file counts as missing.
"""

from __future__ import annotations

import hashlib
import os
import platform
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from apps.engine import checkpoint
from apps.engine.errors import BadCheckpoint
from apps.engine.intelligence import calibration, classifiers
from apps.engine.intelligence.classifiers import Kind, TextClassifier
from apps.engine.model import Floats, Ints, TokenRows
from apps.engine.representation import weightings

KEPT_FILES = 100
LIBRARIES = ("numpy", "scipy", "scikit-learn")


class TrainedModels:
    """The hundred most recently used models in a folder; without a folder there is no cache."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def classifier(
        self,
        kind: Kind,
        weighting: str,
        seed: int,
        rows: TokenRows,
        labels: Ints | NDArray[np.bool_],
        weights: Floats | None = None,
        background: TokenRows | None = None,
    ) -> TextClassifier:
        """The result of `TextClassifier.fit` for these inputs, from the cache (with bit-identical
        scores) or newly trained. Raises NeedsMissing like `fit`."""
        model = TextClassifier(kind, weighting, seed)
        if self._folder is None:
            return model.fit(rows, labels, weights, background)
        path = self._folder / f"{_digest(model, rows, labels, weights, background)}.npz"
        if not _read(path, model):
            model.fit(rows, labels, weights, background)
            self._keep(path, model)
        return model

    def _keep(self, path: Path, model: TextClassifier) -> None:
        """Stores a model; ignores a full or read-only disk: the model can be trained again."""
        mine = path.with_name(f"{path.stem}-{os.getpid()}.npz")
        with suppress(OSError):
            checkpoint.write(mine, model.state())
            mine.replace(path)
            newest_first = sorted(path.parent.glob("*"), key=_used, reverse=True)
            for old in newest_first[KEPT_FILES:]:
                old.unlink()


def _read(path: Path, model: TextClassifier) -> bool:
    """Loads the model and updates its time of use. Returns False without a readable file."""
    try:
        model.restore(checkpoint.read(path))
        path.touch()
    except (BadCheckpoint, OSError, KeyError, TypeError, ValueError):
        return False
    return True


def _used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # another process removed it
        return 0.0


def _digest(
    model: TextClassifier,
    rows: TokenRows,
    labels: Ints | NDArray[np.bool_],
    weights: Floats | None,
    background: TokenRows | None,
) -> str:
    digest = hashlib.sha256(repr((_maker(), model.kind, model.weighting, model.seed)).encode())
    texts = [rows] if background is None else [rows, background]
    arrays = [np.asarray(labels), weights, *(part for t in texts for part in (t.indptr, t.ids))]
    for array in arrays:
        described = None if array is None else (array.dtype.str, array.shape)
        digest.update(repr(described).encode())
        digest.update(b"" if array is None else np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:40]


@cache
def _maker() -> tuple[str, ...]:
    """The training code, its libraries and the machine, whose arithmetic may differ."""
    code = hashlib.sha256(b"".join(path.read_bytes() for path in _sources())).hexdigest()
    return (code, *(version(library) for library in LIBRARIES), platform.machine())


def _sources() -> Iterator[Path]:
    for module in (classifiers, calibration):
        yield Path(str(module.__file__))
    yield from sorted(Path(str(weightings.__file__)).parent.glob("*.py"))
