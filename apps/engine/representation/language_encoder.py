"""Encodes the words of one language as token ids."""

from __future__ import annotations

from collections.abc import Callable, MutableMapping, Sequence
from weakref import WeakKeyDictionary

import numpy as np

from apps.engine.model import NO_TOKEN, Ints
from apps.engine.numbered_words import NumberedWords, words_at
from apps.engine.representation.stemmers import stemmer
from apps.engine.representation.stop_words import STOP_WORDS

SHORTEST, LONGEST = 2, 40
MEMO_LIMIT = 100_000
_UNSEEN = -2
_NOTHING = np.empty(0, np.int32)


class _Memo(dict[str, int]):
    """A memo from raw words to token ids; computes the id of a new word.

    When it has half of the words that it may have, they become the earlier half, in place of those
    that were: of them the words that occur again are entered again.
    """

    def __init__(self, look_up: Callable[[str], int]) -> None:
        super().__init__()
        self._look_up = look_up
        self._earlier: dict[str, int] = {}

    def __missing__(self, word: str) -> int:
        if 2 * len(self) >= MEMO_LIMIT:
            self._earlier = dict(self)
            self.clear()
        token = self._earlier.get(word)
        if token is None:
            token = self._look_up(word)
        self[word] = token
        return token

    def forget(self) -> None:
        """Forgets all words."""
        self.clear()
        self._earlier = {}


class LanguageEncoder:
    """The stop words and the stemmer of a language, with the ids of the words that it has encoded.

    `id_of` returns the id of a stem, for a word of it; `ids_of` those of several. A word of a
    lexicon is looked up once, another again when the memo no longer has it.
    """

    def __init__(
        self,
        language: str | None,
        id_of: Callable[[str, str], int],
        ids_of: Callable[[Sequence[str], Sequence[str]], Ints],
    ) -> None:
        self.language = language
        self._stop = STOP_WORDS.get(language or "", frozenset())
        self._stem = stemmer(language)
        self._id_of = id_of
        self._ids_of = ids_of
        self._memo = _Memo(self._look_up)
        self.ids_by_lexicon: WeakKeyDictionary[Sequence[str], Ints] = WeakKeyDictionary()
        self._stops_by_lexicon: WeakKeyDictionary[Sequence[str], Ints] = WeakKeyDictionary()

    @property
    def has_stop_words(self) -> bool:
        return bool(self._stop)

    def encode(self, words: Sequence[str]) -> Ints:
        """One token id per word (see `Vocabulary.encode`)."""
        if isinstance(words, NumberedWords):
            return _values_of(self.ids_by_lexicon, words, self._look_up_all)
        return np.fromiter(map(self._memo.__getitem__, words), np.int32, len(words))

    def id(self, word: str) -> int:
        return self._memo[word]

    def stop_word_share(self, words: Sequence[str]) -> float:
        """The share of stop words in a text."""
        if isinstance(words, NumberedWords):
            by_lexicon = self._stops_by_lexicon
            are_stops = _values_of(
                by_lexicon, words, lambda new: [*map(self._stop.__contains__, new)]
            )
            stops = int(are_stops.sum())
        else:
            stops = sum(map(self._stop.__contains__, words))
        return stops / max(len(words), 1)

    def forget_words(self) -> None:
        """Forgets the ids: a word may have another from now on."""
        self._memo.forget()
        self.ids_by_lexicon.clear()

    def _look_up(self, word: str) -> int:
        if not SHORTEST <= len(word) <= LONGEST or word.isdigit() or word in self._stop:
            return NO_TOKEN
        return self._id_of(self._stem(word), word)

    def _look_up_all(self, words: Sequence[str]) -> Ints:
        """The ids of distinct words in the order of a text, which is quicker than one by one."""
        stop, ids = self._stop, np.full(len(words), NO_TOKEN, np.int32)
        with_id = [
            i
            for i, word in enumerate(words)
            if SHORTEST <= len(word) <= LONGEST and not word.isdigit() and word not in stop
        ]
        stemmed = [words[i] for i in with_id]
        ids[with_id] = self._ids_of([*map(self._stem, stemmed)], stemmed)
        return ids


def _values_of(
    by_lexicon: MutableMapping[Sequence[str], Ints],
    words: NumberedWords,
    look_up: Callable[[Sequence[str]], Sequence[int] | Ints],
) -> Ints:
    """The value of each word of a text; a word of a lexicon is looked up once, at its first
    occurrence."""
    lexicon = words.lexicon
    of_lexicon = by_lexicon.get(lexicon, _NOTHING)
    if len(of_lexicon) < len(lexicon):
        larger = np.full(max(len(lexicon), 2 * len(of_lexicon)), _UNSEEN, np.int32)
        larger[: len(of_lexicon)] = of_lexicon
        by_lexicon[lexicon] = of_lexicon = larger
    values = of_lexicon.take(words.ids)
    at = (values == _UNSEEN).nonzero()[0]
    if at.size:
        unseen = words.ids.take(at)
        numbers = np.array([*dict.fromkeys(unseen.tolist())], np.int32)
        of_lexicon[numbers] = look_up(words_at(lexicon, numbers))
        values[at] = of_lexicon.take(unseen)
    return values
