"""A topic's texts as token ids, beside its pages: to read the pages again and to encode them would
be a third of a crawl's start.

A file has words of the pages, so it goes with the topic, and when one of its pages is erased. Where
the files are stored elsewhere there are none: those of other machines could not be deleted.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import Stemmer

from apps.engine import checkpoint, numbered_words, recent_files, representation
from apps.engine.errors import BadCheckpoint
from apps.engine.intelligence import topic_texts
from apps.engine.replays.version import code_version
from apps.stored_files.files import forget, is_elsewhere, names
from apps.topics.examples.page_store import topic_folder

MOST_FILES = 4
_FIRST_WORD = "texts-"


class StoredTexts:
    """The file of the texts that were made `of` a topic's snapshot and inputs, plain values."""

    def __init__(self, topic_id: int, of: Any) -> None:
        digest = sha256(_code())
        digest.update(json.dumps(of, sort_keys=True).encode())
        self._path = topic_folder(topic_id) / f"{_FIRST_WORD}{digest.hexdigest()[:40]}.npz"

    def read(self) -> dict[str, Any] | None:
        """What was written; None without a readable file."""
        try:
            return recent_files.read(self._path)
        except (BadCheckpoint, OSError):
            return None

    def write(self, state: dict[str, Any]) -> None:
        """Stores `TopicTexts.state`, in place of the file that was used longest ago if there are
        many. Ignores a full disk: the texts can be made again."""
        if not is_elsewhere():
            recent_files.write(self._path, state, f"{_FIRST_WORD}*.npz", MOST_FILES)


def forget_texts(topic_id: int) -> None:
    """Deletes all such files of a topic."""
    folder = topic_folder(topic_id)
    for name in names(folder):
        if name.startswith(_FIRST_WORD):
            forget(folder / name)


@cache
def _code() -> bytes:
    """What parses, reads and encodes texts, and its libraries."""
    digest = sha256(repr((code_version(), Stemmer.version())).encode())
    for path in _sources():
        digest.update(path.read_bytes())
    return digest.digest()


def _sources() -> Iterator[Path]:
    for module in (checkpoint, numbered_words, topic_texts):
        yield Path(str(module.__file__))
    yield from sorted(Path(representation.__path__[0]).rglob("*.py"))
