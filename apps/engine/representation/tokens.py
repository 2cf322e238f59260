"""Maps words to token ids: removes stop words and numbers, stems the rest by language (LC §4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import Stemmer

from apps.engine.errors import BadCheckpoint
from apps.engine.model import NO_TOKEN, Ints
from apps.engine.numbered_words import NumberedWords
from apps.engine.representation.stop_words import STOP_WORDS

SHORTEST, LONGEST = 2, 40
MEMO_LIMIT = 200_000
TOKEN_LIMIT = 2_000_000
_UNSEEN = -2
LEAST_STOP_WORD_SHARE = 0.12

_STEMMERS: Mapping[str, str] = {
    "ar": "arabic", "ca": "catalan", "da": "danish", "de": "german", "el": "greek",
    "en": "porter", "es": "spanish", "eu": "basque", "fi": "finnish", "fr": "french",
    "ga": "irish", "hu": "hungarian", "hy": "armenian", "id": "indonesian", "it": "italian",
    "lt": "lithuanian", "nb": "norwegian", "nl": "dutch", "no": "norwegian", "pt": "portuguese",
    "ro": "romanian", "ru": "russian", "sv": "swedish", "ta": "tamil", "tr": "turkish",
}


class _Memo(dict[str, int]):
    """A memo from raw words to token ids; computes the id of a new word."""

    def __init__(self, look_up: Callable[[str], int]) -> None:
        super().__init__()
        self._look_up = look_up

    def __missing__(self, word: str) -> int:
        if len(self) >= MEMO_LIMIT:
            self.clear()
        token = self[word] = self._look_up(word)
        return token


class Vocabulary:
    """The append-only dictionary of a crawl: words to token ids and back.

    `language` is an ISO 639-1 code (`en`, `de`, also `pt-BR`), or None if unknown; then there is no
    stemming and no stop list. English is stemmed by Porter's algorithm, other languages by
    Snowball. Ids count from 0 in order of first appearance and never change.

    Memory is bounded: the memo of raw words is emptied at 200,000 entries, and after 2,000,000
    stems new ones get no id (−1).
    """

    def __init__(self, language: str | None = None) -> None:
        self.language = _primary(language)
        self._stem = stemmer(language)
        self._stop = STOP_WORDS.get(self.language or "", frozenset())
        self._ids: dict[str, int] = {}
        self._stems: list[str] = []
        self._shown: list[str] = []
        self._settled: set[int] = set()
        self._stopped: set[int] = set()
        self._memo = _Memo(self._look_up)
        self._of_lexicons: dict[Sequence[str], Ints] = {}

    def __len__(self) -> int:
        return len(self._stems)

    def copy(self) -> Vocabulary:
        """An independent vocabulary with the same ids."""
        other = Vocabulary(self.language)
        other._ids, other._stems, other._shown = dict(self._ids), [*self._stems], [*self._shown]
        other._settled, other._stopped = set(self._settled), set(self._stopped)
        other._of_lexicons = {known: ids.copy() for known, ids in self._of_lexicons.items()}
        return other

    def encode(self, words: Sequence[str]) -> Ints:
        """One token id per word, aligned with `words` (in lower case).

        Stop words, words of digits only and words outside 2–40 characters get −1.
        """
        if isinstance(words, NumberedWords):
            return self._encode_numbers(words)
        return np.fromiter(map(self._memo.__getitem__, words), np.int32, len(words))

    def _encode_numbers(self, words: NumberedWords) -> Ints:
        """The same for words of a lexicon; each is looked up once, at its first occurrence."""
        tokens = self._of_lexicons.get(words.lexicon)
        if tokens is None:
            tokens = np.full(len(words.lexicon), _UNSEEN, np.int32)
            self._of_lexicons[words.lexicon] = tokens
        found = tokens[words.ids]
        unseen = np.flatnonzero(found == _UNSEEN)
        if unseen.size:
            for number in dict.fromkeys(words.ids[unseen].tolist()):
                tokens[number] = self._memo[words.lexicon[number]]
            found = tokens[words.ids]
        return found

    def word(self, token: int) -> str:
        """The stem of a token id."""
        return self._stems[token]

    def shown(self, token: int) -> str:
        """A readable word of that stem: the usual one (`show_usual_forms`) or the shortest."""
        return self._shown[token]

    def show_usual_forms(self, texts: Iterable[Sequence[str]]) -> None:
        """Makes each token's most frequent word here its shown form (ties: the shorter)."""
        counts: Counter[str] = Counter()
        for words in texts:
            counts.update(words)
        rarest_first = sorted(counts, key=lambda word: (counts[word], -len(word), word))
        for word in rarest_first:
            token = self._memo[word]
            if token != NO_TOKEN:
                self._shown[token] = word
                self._settled.add(token)

    def stop(self, tokens: Iterable[int]) -> None:
        """Makes these tokens stop words from now on; their ids are not reused."""
        self._stopped.update(int(token) for token in tokens)
        self._forget_words()

    def snapshot(self) -> list[str]:
        """One string per token id: the stem, then a tab and the shown form if it differs."""
        pairs = zip(self._stems, self._shown, strict=True)
        return [stem if stem == shown else f"{stem}\t{shown}" for stem, shown in pairs]

    def restore(self, snapshot: Sequence[str]) -> None:
        """Restores what `snapshot` returned; tokens passed to `stop` stay stop words.

        Raises BadCheckpoint if known words have other ids in the snapshot.
        """
        entries = [entry.partition("\t") for entry in snapshot]
        stems = [stem for stem, _, _ in entries]
        if stems[: len(self._stems)] != self._stems:
            raise BadCheckpoint("the vocabulary belongs to other examples")
        self._stems = stems
        self._shown = [shown or stem for stem, _, shown in entries]
        self._ids = {stem: token for token, stem in enumerate(self._stems)}
        self._forget_words()

    def _forget_words(self) -> None:
        self._memo.clear()
        self._of_lexicons.clear()

    def _look_up(self, word: str) -> int:
        if not SHORTEST <= len(word) <= LONGEST or word.isdigit() or word in self._stop:
            return NO_TOKEN
        stem = self._stem(word)
        token = self._ids.get(stem)
        if token is None:
            return self._append(stem, word)
        shown = self._shown[token]
        if token not in self._settled and (len(word), word) < (len(shown), shown):
            self._shown[token] = word
        return NO_TOKEN if token in self._stopped else token

    def _append(self, stem: str, word: str) -> int:
        if len(self._stems) >= TOKEN_LIMIT:
            return NO_TOKEN
        token = self._ids[stem] = len(self._stems)
        self._stems.append(stem)
        self._shown.append(word)
        return token


def stemmer(language: str | None) -> Callable[[str], str]:
    """The stemmer for lower-case words of a language; the identity for an unknown language."""
    algorithm = _STEMMERS.get(_primary(language) or "")
    return Stemmer.Stemmer(algorithm, 0).stemWord if algorithm else str


def _primary(language: str | None) -> str | None:
    """`pt-BR` → `pt`."""
    return language.replace("_", "-").split("-")[0].lower() if language else None


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
