"""Text classifiers kept between the starts of a crawl, so that later ones need not train again.

A file is named by a digest of everything that makes the model what it is: the texts, their labels
and weights, the kind and its seed, the code that trains it and the libraries it calls. What is
kept are arrays and plain values, never a pickle; with them scikit-learn is not even imported. A
file that cannot be read counts as none.
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
    """Those in one folder, the hundred used last; without a folder every model is trained."""

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
        """What `TextClassifier.fit` makes of these: the kept one, which scores the same bit for
        bit, or one that is trained now and kept. Raises NeedsMissing as that does."""
        model = TextClassifier(kind, weighting, seed)
        if self._folder is None:
            return model.fit(rows, labels, weights, background)
        path = self._folder / f"{_digest(model, rows, labels, weights, background)}.npz"
        if not _read(path, model):
            model.fit(rows, labels, weights, background)
            self._keep(path, model)
        return model

    def _keep(self, path: Path, model: TextClassifier) -> None:
        """A disk that is full or read-only costs no more than training again."""
        mine = path.with_name(f"{path.stem}-{os.getpid()}.npz")
        with suppress(OSError):
            checkpoint.write(mine, model.state())
            mine.replace(path)
            newest_first = sorted(path.parent.glob("*"), key=_used, reverse=True)
            for old in newest_first[KEPT_FILES:]:
                old.unlink()


def _read(path: Path, model: TextClassifier) -> bool:
    """Whether there is a file that gave the model back; its use is noted."""
    try:
        model.restore(checkpoint.read(path))
        path.touch()
    except (BadCheckpoint, OSError, KeyError, TypeError, ValueError):
        return False
    return True


def _used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # another process swept it
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
    """The code that trains, the libraries it calls, and the machine: its arithmetic may differ."""
    code = hashlib.sha256(b"".join(path.read_bytes() for path in _sources())).hexdigest()
    return (code, *(version(library) for library in LIBRARIES), platform.machine())


def _sources() -> Iterator[Path]:
    for module in (classifiers, calibration):
        yield Path(str(module.__file__))
    yield from sorted(Path(str(weightings.__file__)).parent.glob("*.py"))
