"""Maps words to token ids: removes stop words and numbers, stems the rest by language (LC §4).

Languages are ISO 639-1 codes; several are written with spaces between them, the main one first.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np

from apps.engine.errors import BadCheckpoint
from apps.engine.model import NO_TOKEN, Ints, TokenRows
from apps.engine.representation.language_detection import LEAST_STOP_WORD_SHARE
from apps.engine.representation.language_encoder import LanguageEncoder
from apps.engine.representation.stemmers import primary_subtag
from apps.engine.representation.word_table import WordTable

TOKEN_LIMIT = 2_000_000
_STEM = -1
ERASED = "·"
"""With its id, the entry of a word that was erased: no text has such a word."""


def erase_words(entries: Sequence[str], is_erased: Callable[[str], bool]) -> list[str]:
    """A vocabulary's entries without words that are erased, by their stem or their shown form."""
    return [
        f"{ERASED}{token}" if any(map(is_erased, entry.split("\t"))) else entry
        for token, entry in enumerate(entries)
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
        codes = dict.fromkeys(map(primary_subtag, (language or "").split()))
        self.language = " ".join(codes) or None
        self._encoders = [LanguageEncoder(code, self._id, self._ids) for code in codes or [None]]
        self._stems = WordTable()
        self._shown_words = WordTable()
        self._shown = array("i")  # by token, the number of a shown word; _STEM shows the stem
        self._settled: set[int] = set()
        self._stopped: set[int] = set()

    def __len__(self) -> int:
        return len(self._stems)

    def state(self) -> dict[str, Any]:
        """All of it as arrays and plain values, for `of_state`; `entries` have the words alone."""
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
        for mine, its in zip(self._encoders, other._encoders, strict=True):
            its.ids_by_lexicon.update(
                {lexicon: ids.copy() for lexicon, ids in mine.ids_by_lexicon.items()}
            )
        return other

    def encode(self, words: Sequence[str]) -> Ints:
        """One token id per word of a text, aligned with `words` (in lower case).

        Stop words, words of digits only and words outside 2–40 characters get −1. Of several
        languages, the text is in the one of which it has the most stop words. If none of them
        reaches 12 %, it is in the first language without a list of stop words; if there is none and
        it has no stop words, in the first.
        """
        return self._encoder_of(words).encode(words)

    def encode_addresses(self, texts: Sequence[Sequence[str]]) -> TokenRows:
        """The words of addresses, which are too few to detect a language: they count in all
        languages, equal ids once."""
        words, lengths = [*chain(*texts)], [*map(len, texts)]
        if len(self._encoders) == 1:
            return TokenRows.split(self._encoders[0].encode(words), lengths)
        tokens = np.stack([encoder.encode(words) for encoder in self._encoders], axis=1)
        for later in range(1, tokens.shape[1]):
            again = (tokens[:, :later] == tokens[:, [later]]).any(axis=1)
            tokens[again, later] = NO_TOKEN
        return TokenRows.split(tokens.ravel(), [tokens.shape[1] * length for length in lengths])

    def encode_keywords(self, words: Iterable[str]) -> Ints:
        """The token ids of keywords, which may be of any of the languages, in every language."""
        tokens_of = (
            dict.fromkeys(encoder.id(word) for encoder in self._encoders) for word in words
        )
        return np.array([token for tokens in tokens_of for token in tokens], np.int32)

    def language_of(self, words: Sequence[str]) -> str | None:
        """The language that `encode` reads a text in."""
        return self._encoder_of(words).language

    def _encoder_of(self, words: Sequence[str]) -> LanguageEncoder:
        if len(self._encoders) == 1:
            return self._encoders[0]
        shares = [encoder.stop_word_share(words) for encoder in self._encoders]
        unlisted = [encoder for encoder in self._encoders if not encoder.has_stop_words]
        if unlisted and max(shares) < LEAST_STOP_WORD_SHARE:
            return unlisted[0]
        return self._encoders[shares.index(max(shares))]

    def word(self, token: int) -> str:
        """The stem of a token id."""
        return self._stems[token]

    def readable_word(self, token: int) -> str:
        """A readable word of that stem: the usual one (`show_usual_forms`) or the shortest."""
        shown = self._shown[token]
        return self._stems[token] if shown == _STEM else self._shown_words[shown]

    def show_usual_forms(self, texts: Iterable[Sequence[str]]) -> None:
        """Makes each token's most frequent word here its shown form (ties: the shorter)."""
        counts: dict[LanguageEncoder, Counter[str]] = {
            encoder: Counter() for encoder in self._encoders
        }
        for words in texts:
            counts[self._encoder_of(words)].update(words)
        rarest_first = sorted(
            (
                (count, -len(word), word, order)
                for order, of_language in enumerate(counts.values())
                for word, count in of_language.items()
            )
        )
        for _, _, word, order in rarest_first:
            token = self._encoders[order].id(word)
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
        self.restore(erase_words(self.entries(), is_erased))

    def entries(self) -> list[str]:
        """One string per token id: the stem, then a tab and the shown form if it differs."""
        pairs = zip(self._stems, self._shown, strict=True)
        return [
            stem if shown == _STEM else f"{stem}\t{self._shown_words[shown]}"
            for stem, shown in pairs
        ]

    def restore(self, entries: Sequence[str]) -> None:
        """Restores what `entries` returned, erased words (`ERASED`) too, into a vocabulary that
        began as that one did; its stop words stay.

        Raises BadCheckpoint if a word has another id there, or two.
        """
        pairs = [entry.partition("\t") for entry in entries]
        stems = [stem for stem, _, _ in pairs]
        same = (a == b or b.startswith(ERASED) for a, b in zip(self._stems, stems, strict=False))
        if len(stems) < len(self._stems) or not all(same):
            raise BadCheckpoint("the vocabulary belongs to other examples")
        table = WordTable(stems)
        if len(table) < len(stems):
            raise BadCheckpoint("the vocabulary has a word twice")
        self._stems, self._shown_words, self._shown = table, WordTable(), array("i")
        for _, _, shown in pairs:
            self._shown.append(self._shown_words.append(shown) if shown else _STEM)
        self._forget_words()

    def _forget_words(self) -> None:
        for encoder in self._encoders:
            encoder.forget_words()

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
