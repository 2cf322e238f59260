"""Reads word vectors: word2vec's text format, plain or gzipped, or the two files of model2vec or of
WordLlama in a folder or an installed package.

Of a file the first 100,000 words are read, which are the most frequent ones. Of a folder the
vectors of whole words count, not those of parts of words.
"""

from __future__ import annotations

import gzip
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.engine.representation.vectors.installed import VectorPackage
from apps.engine.representation.vectors.word_vectors import WordVectors

MOST_WORDS = 100_000
MOST_NUMBERS = 4_096
MOST_HEADER = 16 << 20
SETTING = "CRAWLSITE_WORD_VECTORS"
MODELS, TOKENIZERS = "*.safetensors", "*tokenizer*.json"
"""The names of the two files in a folder, below it or in a package; the first of each counts."""
TABLES = ("embeddings", "embedding.weight")
"""What model2vec and WordLlama call their vectors."""
_TYPES = {"F16": np.float16, "F32": np.float32, "F64": np.float64}
_WORD = re.compile(r"[▁Ġ]?([^\W\d_][\w'-]*)")


class BadVectors(Exception):
    """Why vectors cannot be read, as a sentence that names the setting."""


def read_vectors(path: Path) -> WordVectors:
    """The vectors of a file or folder. Raises BadVectors."""
    with _naming(path.name):
        return _of_files(path.rglob("*")) if path.is_dir() else _of_text(path)


def read_package(package: VectorPackage) -> WordVectors:
    """The vectors in an installed package. Raises BadVectors."""
    with _naming(package.name):
        return _of_files(package.files)


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Makes what goes wrong in reading a BadVectors with this name."""
    try:
        yield
    except OSError as error:
        raise BadVectors(
            f"{SETTING}: {name} cannot be read ({error.strerror or 'damaged'})."
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError, EOFError):
        raise BadVectors(
            f"{SETTING}: {name} is neither word2vec’s text format nor a folder or installed package"
            f" with {MODELS} and {TOKENIZERS}."
        ) from None


def _of_text(path: Path) -> WordVectors:
    listed, rows = [], []
    for word, numbers in _lines(path):
        listed.append(word)
        rows.append(np.array(numbers, np.float32))
    return WordVectors.of(listed, np.stack(rows))


def _lines(path: Path) -> Iterator[tuple[str, list[float]]]:
    """Each word with its numbers; a first line of two numbers is the size. Raises ValueError."""
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as lines:
        for number, line in zip(range(MOST_WORDS + 1), lines, strict=False):
            word, *texts = line.rstrip().split(" ")
            if number == 0 and len(texts) == 1:
                continue
            numbers = [float(text) for text in texts[: MOST_NUMBERS + 1]]
            if not 1 < len(numbers) <= MOST_NUMBERS or not all(map(math.isfinite, numbers)):
                raise ValueError(line[:80])
            yield word, numbers


def _of_files(files: Iterable[Path]) -> WordVectors:
    listed = sorted(files)
    rows = _table(_first(listed, MODELS))
    tokenizer = json.loads(_first(listed, TOKENIZERS).read_text(encoding="utf-8"))
    vocabulary = tokenizer["model"]["vocab"]
    named = vocabulary if isinstance(vocabulary, dict) else _numbered(vocabulary)
    has_marks = any(token[:1] in "▁Ġ" for token in named if len(token) > 1)
    words = {
        match[1]: number
        for token, number in named.items()
        if (match := _WORD.fullmatch(token)) and number < len(rows)
        if not has_marks or token[0] in "▁Ġ"
    }
    return WordVectors.of(list(words), np.asarray(rows[list(words.values())], np.float32))


def _first(files: Iterable[Path], pattern: str) -> Path:
    """The first file of a name. Raises ValueError if there is none."""
    for file in files:
        if fnmatch(file.name, pattern):
            return file
    raise ValueError(pattern)


def _numbered(vocabulary: list[Any]) -> Mapping[str, int]:
    return {str(token): number for number, (token, _) in enumerate(vocabulary)}


def _table(path: Path) -> NDArray[Any]:
    """The vectors of a safetensors file: the length of its header, the header, the numbers. Raises
    ValueError."""
    with path.open("rb") as stream:
        size = int.from_bytes(stream.read(8), "little")
        if size > MOST_HEADER:
            raise ValueError(size)
        header = json.loads(stream.read(size))
    entry = next((header[name] for name in TABLES if name in header), None)
    if entry is None:
        raise ValueError(path.name)
    rows, columns = entry["shape"]
    begin, end = entry["data_offsets"]
    kind = np.dtype(_TYPES[entry["dtype"]])
    fits = 8 + size + end <= path.stat().st_size
    if rows * columns * kind.itemsize != end - begin or not fits or columns > MOST_NUMBERS:
        raise ValueError(path.name)
    return np.memmap(path, kind, "r", 8 + size + begin, (rows, columns))
