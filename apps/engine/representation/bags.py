"""Texts without the order of their words: what a background is counted over."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from apps.engine import checkpoint
from apps.engine.errors import BadCheckpoint, BadWebFile
from apps.engine.model import Ints, Longs, TokenRows
from apps.engine.numbered_words import Lexicon, NumberedWords
from apps.engine.representation.language_encoder import LONGEST, SHORTEST
from apps.engine.representation.tokens import Vocabulary

VERSION = 1


class Bags:
    """Texts as counts of words, not yet stemmed, so that topics of any language can use them.

    Text i has the words `words[indptr[i]:indptr[i + 1]]` (numbers in `lexicon`, ascending), each
    `counts` times. `urls` are its addresses, requested and final; `origins` the topic it was
    fetched for, or 0.
    """

    def __init__(
        self,
        lexicon: Sequence[str],
        indptr: Longs,
        words: Ints,
        counts: Ints,
        urls: Sequence[Sequence[str]],
        origins: Longs,
    ) -> None:
        self.lexicon = Lexicon(lexicon)
        self.indptr, self.words, self.counts = indptr, words, counts
        self.urls = [tuple(pair) for pair in urls]
        self.origins = origins

    def __len__(self) -> int:
        return len(self.urls)

    def texts(self, without: Collection[int] = ()) -> list[NumberedWords]:
        """The texts but for some, by number; a word follows its repetitions."""
        left_out = set(without)
        return [self._text(i) for i in range(len(self)) if i not in left_out]

    def texts_at(self, numbers: Sequence[int]) -> list[NumberedWords]:
        """The texts of these numbers, in their order."""
        return [self._text(i) for i in numbers]

    def _text(self, i: int) -> NumberedWords:
        of = slice(self.indptr[i], self.indptr[i + 1])
        return NumberedWords(np.repeat(self.words[of], self.counts[of]), self.lexicon)

    def indices_at(self, urls: Collection[str], origin: int = 0) -> list[int]:
        """The numbers of the texts at one of these addresses, or of this origin unless it is 0."""
        return [
            i
            for i, pair in enumerate(self.urls)
            if not set(pair).isdisjoint(urls) or (origin and int(self.origins[i]) == origin)
        ]

    def rows(self, vocabulary: Vocabulary) -> TokenRows:
        """All texts as token rows."""
        return TokenRows.of([vocabulary.encode(text) for text in self.texts()])

    def digest(self) -> str:
        """A name of the texts with their addresses."""
        digest = hashlib.sha256(f"{VERSION} {len(self)}".encode())
        for text in ("\n".join(self.lexicon), "\n".join(map("\t".join, self.urls))):
            digest.update(text.encode("utf-8", "surrogatepass") + b"\0")
        for array in (self.indptr, self.words, self.counts, self.origins):
            digest.update(array.tobytes())
        return digest.hexdigest()[:40]

    def state(self) -> dict[str, Any]:
        """Arrays and plain values (see `checkpoint`)."""
        return {
            "version": VERSION,
            "lexicon": list(self.lexicon),
            "indptr": self.indptr,
            "words": self.words,
            "counts": self.counts,
            "urls": [list(pair) for pair in self.urls],
            "origins": self.origins,
        }

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> Bags:
        """Restores what `state` returned. Raises BadCheckpoint for another version or for arrays
        that do not fit each other."""
        if state["version"] != VERSION:
            raise BadCheckpoint(f"texts of version {state['version']}, not {VERSION}")
        bags = cls(
            state["lexicon"],
            np.asarray(state["indptr"], np.int64),
            np.asarray(state["words"], np.int32),
            np.asarray(state["counts"], np.int32),
            state["urls"],
            np.asarray(state["origins"], np.int64),
        )
        if not bags._fits():
            raise BadCheckpoint("the texts do not fit their words")
        return bags

    def _fits(self) -> bool:
        texts, words = len(self.urls), len(self.words)
        return (
            len(self.indptr) == texts + 1
            and len(self.origins) == texts
            and len(self.counts) == words
            and self.indptr[0] == 0
            and self.indptr[-1] == words
            and bool((np.diff(self.indptr) >= 0).all())
            and bool((self.counts > 0).all())
            and int(self.words.min(initial=0)) >= 0
            and int(self.words.max(initial=-1)) < len(self.lexicon)
        )

    def write(self, path: Path) -> None:
        """Writes the texts durably. Raises OSError if the disk refuses."""
        checkpoint.write(path, self.state())


def read_bags(path: Path) -> Bags:
    """The texts of a file. Raises BadWebFile if it is gone or damaged."""
    try:
        return Bags.of_state(checkpoint.read(path))
    except (BadCheckpoint, KeyError, TypeError, ValueError) as error:
        raise BadWebFile(f"the background {path.name} cannot be read: {error}") from None


class BagsMaker:
    """Collects texts and numbers their words in order of first appearance."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._texts: list[tuple[Ints, Ints]] = []
        self._urls: list[tuple[str, ...]] = []
        self._origins: list[int] = []

    def __len__(self) -> int:
        return len(self._texts)

    def add(self, words: Sequence[str], urls: Sequence[str] = (), origin: int = 0) -> bool:
        """Adds a text of words in lower case; False, with nothing added, if none of them counts:
        numbers and words outside 2–40 characters do not."""
        counts = Counter(words)
        numbered = sorted(
            (self._numbers.setdefault(word, len(self._numbers)), count)
            for word, count in counts.items()
            if SHORTEST <= len(word) <= LONGEST and not word.isdigit()
        )
        if not numbered:
            return False
        number, count = np.array(numbered, np.int32).T
        self._texts.append((number, count))
        self._urls.append(tuple(dict.fromkeys(url for url in urls if url)))
        self._origins.append(origin)
        return True

    def bags(self) -> Bags:
        """All the texts added, in order."""
        indptr = np.zeros(len(self._texts) + 1, np.int64)
        np.cumsum([len(words) for words, _ in self._texts], out=indptr[1:])
        empty = np.empty(0, np.int32)
        return Bags(
            tuple(self._numbers),
            indptr,
            np.concatenate([words for words, _ in self._texts] or [empty]),
            np.concatenate([counts for _, counts in self._texts] or [empty]),
            self._urls,
            np.array(self._origins, np.int64),
        )
