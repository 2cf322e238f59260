"""Maps words to token ids: removes stop words and numbers, stems the rest by language (LC §4).

Languages are ISO 639-1 codes; several are written with spaces between them, the main one first.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, MutableMapping, Sequence
from itertools import chain
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import Stemmer

from apps.engine.errors import BadCheckpoint
from apps.engine.model import NO_TOKEN, Ints, TokenRows
from apps.engine.numbered_words import NumberedWords, words_at
from apps.engine.representation.stop_words import STOP_WORDS
from apps.engine.representation.word_table import WordTable

SHORTEST, LONGEST = 2, 40
MEMO_LIMIT = 100_000
TOKEN_LIMIT = 2_000_000
_UNSEEN = -2
_STEM = -1
_NOTHING = np.empty(0, np.int32)
LEAST_STOP_WORD_SHARE = 0.12
LEAST_SHARE_OF_TEXTS = 0.2
MOST_LANGUAGES = 3

_STEMMERS: Mapping[str, str] = {
    "ar": "arabic",
    "ca": "catalan",
    "da": "danish",
    "de": "german",
    "el": "greek",
    "en": "porter",
    "es": "spanish",
    "eu": "basque",
    "fi": "finnish",
    "fr": "french",
    "ga": "irish",
    "hu": "hungarian",
    "hy": "armenian",
    "id": "indonesian",
    "it": "italian",
    "lt": "lithuanian",
    "nb": "norwegian",
    "nl": "dutch",
    "no": "norwegian",
    "pt": "portuguese",
    "ro": "romanian",
    "ru": "russian",
    "sv": "swedish",
    "ta": "tamil",
    "tr": "turkish",
}
STEMMED_LANGUAGES = tuple(_STEMMERS)
ERASED = "·"
"""With its id, what a snapshot has for a word that was erased from it: no text has such a word."""


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


class _Reading:
    """How the words of one language become token ids: its stemmer, its stop words, and the ids of
    words and of lexicons' words that have been looked up."""

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
        self.of_lexicons: WeakKeyDictionary[Sequence[str], Ints] = WeakKeyDictionary()
        self._stops_of_lexicons: WeakKeyDictionary[Sequence[str], Ints] = WeakKeyDictionary()

    @property
    def has_stop_words(self) -> bool:
        return bool(self._stop)

    def encode(self, words: Sequence[str]) -> Ints:
        if isinstance(words, NumberedWords):
            return _values_of(self.of_lexicons, words, self._look_up_all)
        return np.fromiter(map(self._memo.__getitem__, words), np.int32, len(words))

    def id(self, word: str) -> int:
        return self._memo[word]

    def stop_word_share(self, words: Sequence[str]) -> float:
        """The share of stop words in a text."""
        if isinstance(words, NumberedWords):
            by_lexicon = self._stops_of_lexicons
            are_stops = _values_of(
                by_lexicon, words, lambda new: [*map(self._stop.__contains__, new)]
            )
            stops = int(are_stops.sum())
        else:
            stops = sum(map(self._stop.__contains__, words))
        return stops / max(len(words), 1)

    def forget_words(self) -> None:
        self._memo.forget()
        self.of_lexicons.clear()

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
    values = of_lexicon[words.ids]
    unseen = words.ids[values == _UNSEEN]
    if unseen.size:
        numbers = np.array([*dict.fromkeys(unseen.tolist())], np.int32)
        of_lexicon[numbers] = look_up(words_at(lexicon, numbers))
        values = of_lexicon[words.ids]
    return values


def erase_words(snapshot: Sequence[str], is_erased: Callable[[str], bool]) -> list[str]:
    """A vocabulary's snapshot without words that are erased, by their stem or their shown form."""
    return [
        f"{ERASED}{token}" if any(map(is_erased, entry.split("\t"))) else entry
        for token, entry in enumerate(snapshot)
    ]


class Vocabulary:
    """The append-only dictionary of a crawl: words to token ids and back.

    `language` is an ISO 639-1 code (`en`, `de`, also `pt-BR`), several of them (`en de`), or None
    for an undetermined one; then there is no stemming and no stop list. English is stemmed by
    Porter's algorithm, other languages by Snowball. With several languages each text is read in its
    own (see `encode`); equal stems have the same id. Ids count from 0 in order of first appearance
    and never change.

    Memory is bounded: the memo of raw words has at most 100,000 of them, and after 2,000,000
    stems new ones get no id (−1).
    """

    def __init__(self, language: str | None = None) -> None:
        codes = dict.fromkeys(map(_primary, (language or "").split()))
        self.language = " ".join(codes) or None
        self._readings = [_Reading(code, self._id, self._ids) for code in codes or [None]]
        self._stems = WordTable()
        self._shown_words = WordTable()
        self._shown = array("i")  # by token, the number of a shown word; _STEM shows the stem
        self._settled: set[int] = set()
        self._stopped: set[int] = set()

    def __len__(self) -> int:
        return len(self._stems)

    def state(self) -> dict[str, Any]:
        """All of it as arrays and plain values, for `of_state`."""
        return {
            "language": self.language,
            "stems": self._stems.state(),
            "shown_words": self._shown_words.state(),
            "shown": np.array(self._shown, np.int32),
            "settled": np.array(sorted(self._settled), np.int32),
            "stopped": np.array(sorted(self._stopped), np.int32),
        }

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> Vocabulary:
        """The vocabulary of that state, which goes on as the one it was taken of."""
        vocabulary = cls(state["language"])
        vocabulary._stems = WordTable.of_state(state["stems"])
        vocabulary._shown_words = WordTable.of_state(state["shown_words"])
        vocabulary._shown = array("i", state["shown"].tobytes())
        vocabulary._settled = set(state["settled"].tolist())
        vocabulary._stopped = set(state["stopped"].tolist())
        return vocabulary

    def copy(self) -> Vocabulary:
        """An independent vocabulary with the same ids."""
        other = Vocabulary(self.language)
        other._stems, other._shown_words = self._stems.copy(), self._shown_words.copy()
        other._shown = self._shown[:]
        other._settled, other._stopped = set(self._settled), set(self._stopped)
        for mine, its in zip(self._readings, other._readings, strict=True):
            its.of_lexicons.update(
                {lexicon: ids.copy() for lexicon, ids in mine.of_lexicons.items()}
            )
        return other

    def encode(self, words: Sequence[str]) -> Ints:
        """One token id per word of a text, aligned with `words` (in lower case).

        Stop words, words of digits only and words outside 2–40 characters get −1. Of several
        languages, the text is in the one of which it has the most stop words. If none of them
        reaches 12 %, it is in the first language without a list of stop words; if there is none and
        it has no stop words, in the first.
        """
        return self._reading(words).encode(words)

    def encode_addresses(self, texts: Sequence[Sequence[str]]) -> TokenRows:
        """The words of addresses, which are too few to detect a language: they count in all
        languages, equal ids once."""
        words, lengths = [*chain(*texts)], [*map(len, texts)]
        if len(self._readings) == 1:
            return TokenRows.split(self._readings[0].encode(words), lengths)
        tokens = np.stack([reading.encode(words) for reading in self._readings], axis=1)
        for later in range(1, tokens.shape[1]):
            again = (tokens[:, :later] == tokens[:, [later]]).any(axis=1)
            tokens[again, later] = NO_TOKEN
        return TokenRows.split(tokens.ravel(), [tokens.shape[1] * length for length in lengths])

    def encode_keywords(self, words: Iterable[str]) -> Ints:
        """The token ids of keywords, which may be of any of the languages, in every language."""
        tokens_of = (
            dict.fromkeys(reading.id(word) for reading in self._readings) for word in words
        )
        return np.array([token for tokens in tokens_of for token in tokens], np.int32)

    def language_of(self, words: Sequence[str]) -> str | None:
        """The language that `encode` reads a text in."""
        return self._reading(words).language

    def _reading(self, words: Sequence[str]) -> _Reading:
        if len(self._readings) == 1:
            return self._readings[0]
        shares = [reading.stop_word_share(words) for reading in self._readings]
        unlisted = [reading for reading in self._readings if not reading.has_stop_words]
        if unlisted and max(shares) < LEAST_STOP_WORD_SHARE:
            return unlisted[0]
        return self._readings[shares.index(max(shares))]

    def word(self, token: int) -> str:
        """The stem of a token id."""
        return self._stems[token]

    def readable_word(self, token: int) -> str:
        """A readable word of that stem: the usual one (`show_usual_forms`) or the shortest."""
        shown = self._shown[token]
        return self._stems[token] if shown == _STEM else self._shown_words[shown]

    def show_usual_forms(self, texts: Iterable[Sequence[str]]) -> None:
        """Makes each token's most frequent word here its shown form (ties: the shorter)."""
        counts: dict[_Reading, Counter[str]] = {reading: Counter() for reading in self._readings}
        for words in texts:
            counts[self._reading(words)].update(words)
        rarest_first = sorted(
            (
                (count, -len(word), word, order)
                for order, of_language in enumerate(counts.values())
                for word, count in of_language.items()
            )
        )
        for _, _, word, order in rarest_first:
            token = self._readings[order].id(word)
            if token != NO_TOKEN:
                self._show(token, word)
                self._settled.add(token)

    def stop(self, tokens: Iterable[int]) -> None:
        """Makes these tokens stop words from now on; their ids are not reused."""
        self._stopped.update(int(token) for token in tokens)
        self._forget_words()

    def erase(self, is_erased: Callable[[str], bool]) -> None:
        """Forgets words by their stem or their shown form; their ids are not reused, and the words
        get new ones where they occur again."""
        self.restore(erase_words(self.snapshot(), is_erased))

    def snapshot(self) -> list[str]:
        """One string per token id: the stem, then a tab and the shown form if it differs."""
        pairs = zip(self._stems, self._shown, strict=True)
        return [
            stem if shown == _STEM else f"{stem}\t{self._shown_words[shown]}"
            for stem, shown in pairs
        ]

    def restore(self, snapshot: Sequence[str]) -> None:
        """Restores what `snapshot` returned, erased words (`ERASED`) too; tokens passed to `stop`
        stay stop words.

        Raises BadCheckpoint if words have other ids in the snapshot, or one has two.
        """
        entries = [entry.partition("\t") for entry in snapshot]
        stems = [stem for stem, _, _ in entries]
        same = (a == b or b.startswith(ERASED) for a, b in zip(self._stems, stems, strict=False))
        if len(stems) < len(self._stems) or not all(same):
            raise BadCheckpoint("the vocabulary belongs to other examples")
        table = WordTable(stems)
        if len(table) < len(stems):
            raise BadCheckpoint("the vocabulary has a word twice")
        self._stems, self._shown_words, self._shown = table, WordTable(), array("i")
        for _, _, shown in entries:
            self._shown.append(self._shown_words.append(shown) if shown else _STEM)
        self._forget_words()

    def _forget_words(self) -> None:
        for reading in self._readings:
            reading.forget_words()

    def _id(self, stem: str, word: str) -> int:
        if len(self) >= TOKEN_LIMIT and self._stems.number(stem) is None:
            return NO_TOKEN
        return self._enter(self._stems.append(stem), stem, word)

    def _ids(self, stems: Sequence[str], words: Sequence[str]) -> Ints:
        """The ids of several words with these stems, as `_id` has them one by one."""
        following = len(self)
        if following + len(stems) > TOKEN_LIMIT:
            return np.array([*map(self._id, stems, words)], np.int32)
        tokens = self._stems.append_all(stems)
        if stems != words or self._stopped:
            entered = map(self._enter, tokens.tolist(), stems, words)
            return np.fromiter(entered, np.int32, len(words))
        # As of bigrams: only what is shown for the stem of another word may change.
        self._shown.extend(array("i", (_STEM,)) * (len(self) - following))
        has_other = np.frombuffer(self._shown, np.int32)[tokens] != _STEM
        for i in np.flatnonzero(has_other).tolist():
            self._enter(int(tokens[i]), stems[i], words[i])
        return tokens

    def _enter(self, token: int, stem: str, word: str) -> int:
        """Enters a word of a token, which may be new; its id, if it is not a stop word."""
        if token == len(self._shown):
            self._shown.append(_STEM if word == stem else self._shown_words.append(word))
            return token
        if token not in self._settled:
            shown = self.readable_word(token)
            if (len(word), word) < (len(shown), shown):
                self._show(token, word)
        return NO_TOKEN if token in self._stopped else token

    def _show(self, token: int, word: str) -> None:
        is_stem = word == self._stems[token]
        self._shown[token] = _STEM if is_stem else self._shown_words.append(word)


def stemmer(language: str | None) -> Callable[[str], str]:
    """The stemmer for lower-case words of a language; the identity for a language without one."""
    algorithm = _STEMMERS.get(_primary(language or ""))
    return Stemmer.Stemmer(algorithm, 0).stemWord if algorithm else str


def _primary(language: str) -> str:
    """`pt-BR` → `pt`."""
    return language.replace("_", "-").split("-")[0].lower()


def detect_languages(texts: Sequence[Sequence[str]]) -> str | None:
    """The language of the texts together (`detect_language`), and others of which a fifth of the
    texts are, at most three in all."""
    main = detect_language(texts)
    if main is None:
        return None
    languages = Counter(detect_language([text]) for text in texts)
    enough = LEAST_SHARE_OF_TEXTS * len(texts)
    codes = [code for code, count in languages.most_common() if code and count >= enough]
    return " ".join(list(dict.fromkeys([main, *codes]))[:MOST_LANGUAGES])


def detect_language(texts: Iterable[Sequence[str]]) -> str | None:
    """The ISO 639-1 code of the language with the largest share of stop words in the texts.

    None if no language's stop words reach 12 % of the words (running text has 35–50 %), so that
    lists of names, tables and languages without a stop list are not stemmed.
    """
    counts: Counter[str] = Counter()
    for words in texts:
        counts.update(words)
    total = sum(counts.values())
    shares = {
        language: sum(counts[word] for word in stop_words) / max(total, 1)
        for language, stop_words in STOP_WORDS.items()
    }
    best = max(shares, key=lambda language: shares[language])
    return best if shares[best] >= LEAST_STOP_WORD_SHARE else None
