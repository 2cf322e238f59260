"""Splits text into lower-case words, and scripts without spaces into bigrams.

A word is a run of Unicode word characters except the underscore, including vowel signs and accents.
Runs of Han, Kana and Thai become bigrams, each a word; a run of one character is one word. Text in
ASCII, or with Western Europe's letters and the punctuation of printed text, is split by a faster
table look-up. The bigrams of a page are read as numbers of a lexicon (`bigrams`), since there are
twice as many as words in other scripts, most of them met before.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from apps.engine.model import Ints
from apps.engine.numbered_words import NumberedWords
from apps.engine.parsing.bigrams import LONGEST, BigramLexicon, bigram_lexicon

Kinds = NDArray[np.uint8]
Codes = NDArray[np.uint32]
_SPACE = np.uint32(ord(" "))
_BETWEEN, _LETTER, _UNSPACED, _DIGIT, _UNSEEN = 0, 1, 2, 3, 255
_INSIDE, _LONE, _PAIR, _WORD = 0, 1, 2, 3  # one character, and two, of a script without spaces

_UNSPACED_RANGES = (
    "\u3005\u3005\u3007\u3007\u3041\u3096\u309d\u309f\u30a1\u30fa\u30fc\u30ff\u31f0\u31ff"
    "\u3400\u4dbf\u4e00\u9fff\uf900\ufaff\uff66\uff9f\u0e01\u0e3a\u0e40\u0e4e"
)
_FIRST_ASTRAL_HAN = 0x20000
_ASCII, _WESTERN = "ascii", "cp1252"
_UTF_32 = "utf-32-le"


def words(text: str) -> list[str]:
    """The words of a text, in order."""
    folded = _fold(text)
    return _of_any_script(text)[0] if folded is None else _split(folded)


def words_and_spans(text: str) -> tuple[list[str], Ints, Ints]:
    """The words of a text, with the start and end of each in characters."""
    folded = _fold(text)
    if folded is None:
        return _of_any_script(text)
    return _split(folded), *_folded_runs(folded)


def word_spans(text: str) -> tuple[Ints, Ints]:
    """The start and end of each word of a text in characters, without the words."""
    folded = _fold(text)
    return _read_characters(text).spans() if folded is None else _folded_runs(folded)


def words_of_each(texts: Sequence[str]) -> tuple[list[str], list[int]]:
    """The words of several texts, one after another, and the number of each text's words."""
    split, starts, _ = words_and_spans("\n".join(texts))
    ends = np.cumsum([len(text) + 1 for text in texts])
    counts: list[int] = np.diff(starts.searchsorted(ends), prepend=0).tolist()
    return split, counts


class TextWords(NamedTuple):
    """The words of a page's text, the first character of each, and how many are `numbers`: of
    digits only."""

    words: Sequence[str]
    starts: Ints
    numbers: int


def page_words(text: str) -> TextWords:
    """The words of a page's text; numbers of a lexicon where some are bigrams."""
    folded = _fold(text)
    if folded is not None:
        split, (starts, _) = _split(folded), _folded_runs(folded)
        is_digit = _DIGITS_FOLDED[np.frombuffer(folded, np.uint8)[starts]]
        return TextWords(split, starts, _count_numbers(split, is_digit))
    characters = _read_characters(text)
    if characters.has_bigrams and not characters.is_odd and len(text) <= LONGEST:
        return characters.number()
    starts, ends = characters.spans()
    split = characters.split(starts, ends)
    is_digit = characters.kinds[starts] == _DIGIT
    return TextWords(split, starts, _count_numbers(split, is_digit))


def joined_words(page: Sequence[str], more: Sequence[str]) -> Sequence[str]:
    """The words of a page, as `page_words` has them, and more after them."""
    if not more:
        return page
    if isinstance(page, NumberedWords) and isinstance(page.lexicon, BigramLexicon):
        ids = np.concatenate((page.ids, page.lexicon.numbers_of(more)))
        return NumberedWords(ids, page.lexicon)
    return [*page, *more]


class _Characters(NamedTuple):
    """The characters of a text with their kinds, in lower case and with spaces between words;
    not in lower case yet if some are odd."""

    lowered: Codes
    kinds: Kinds
    is_unspaced: NDArray[np.bool_]
    has_bigrams: bool
    is_odd: bool

    def spans(self) -> tuple[Ints, Ints]:
        """The start and end of each word."""
        return _with_bigrams(self.kinds) if self.has_bigrams else _runs(_is_letter(self.kinds))

    def split(self, starts: Ints, ends: Ints) -> list[str]:
        """The words of these spans, which are all of the text."""
        spaced = _pieces(self.lowered, starts, ends) if self.has_bigrams else self.lowered
        return _split_codes(spaced, self.is_odd)

    def number(self) -> TextWords:
        """The words as numbers of a lexicon, of a text without odd characters."""
        lexicon, lowered = bigram_lexicon(), self.lowered
        starts, begun = _begun_words(self.kinds)
        at = (begun != _WORD).nonzero()[0]
        first = starts.take(at)
        second = lowered.take(first + 1, mode="clip")
        second *= begun.take(at) == _PAIR
        ids = np.empty(len(starts), np.int32)
        ids[at] = lexicon.numbers_of_bigrams(lowered.take(first), second)
        spaced: list[str] = []
        if len(at) < len(starts):
            spaced = _split_codes(np.where(self.is_unspaced, _SPACE, lowered), is_odd=False)
            ids[begun == _WORD] = lexicon.numbers_of(spaced)
        return TextWords(NumberedWords(ids, lexicon), starts, sum(map(str.isdigit, spaced)))


def _count_numbers(words: Sequence[str], begins_with_digit: NDArray[np.bool_]) -> int:
    return sum(words[i].isdigit() for i in begins_with_digit.nonzero()[0].tolist())


def _read_characters(text: str) -> _Characters:
    codes = _codes(text)
    kinds, lowered = _kinds(codes)
    is_odd = not lowered.all()
    if is_odd:
        lowered = np.where(kinds == _BETWEEN, _SPACE, codes)
    is_unspaced = kinds == _UNSPACED
    return _Characters(lowered, kinds, is_unspaced, bool(is_unspaced.any()), is_odd)


def _of_any_script(text: str) -> tuple[list[str], Ints, Ints]:
    characters = _read_characters(text)
    starts, ends = characters.spans()
    return characters.split(starts, ends), starts, ends


def _split_codes(codes: Codes, is_odd: bool) -> list[str]:
    """The words of characters in lower case with spaces between them; if some are odd, they are not
    in lower case yet."""
    spaced = codes.tobytes().decode(_UTF_32, "surrogatepass")
    return (spaced.lower() if is_odd else spaced).split()


def _pieces(codes: Codes, starts: Ints, ends: Ints) -> Codes:
    """The pieces of a text one after another, a space after each."""
    lengths = ends - starts + 1
    following = np.cumsum(lengths)
    at = np.repeat(starts - (following - lengths), lengths) + np.arange(int(lengths.sum()))
    spaced = np.append(codes, _SPACE)[at]
    spaced[following - 1] = _SPACE
    return spaced


def _fold(text: str) -> bytes | None:
    """The text in lower case with spaces for all but letters and digits, one byte a character; None
    if it has a character that the Western European codec lacks."""
    try:
        return text.encode(_ASCII if text.isascii() else _WESTERN).translate(_FOLDED)
    except UnicodeEncodeError:
        return None


def _split(folded: bytes) -> list[str]:
    return folded.decode(_ASCII if folded.isascii() else _WESTERN).split()


def _folded_runs(folded: bytes) -> tuple[Ints, Ints]:
    return _runs(np.frombuffer(folded, np.uint8) != ord(" "))


def _runs(inside: NDArray[np.bool_]) -> tuple[Ints, Ints]:
    padded = np.zeros(len(inside) + 2, np.bool_)
    padded[1:-1] = inside
    borders = (padded[1:] != padded[:-1]).nonzero()[0].astype(np.int32)
    return borders[::2], borders[1::2]


def _with_bigrams(kinds: Kinds) -> tuple[Ints, Ints]:
    """The runs of letters, and the bigrams of runs in scripts without spaces."""
    starts, begun = _begun_words(kinds)
    ends = starts + begun
    ends[begun == _WORD] = _runs(_is_letter(kinds))[1]
    return starts, ends


def _begun_words(kinds: Kinds) -> tuple[Ints, Kinds]:
    """The characters that begin a word, and what each begins: `_LONE`, `_PAIR` or `_WORD`."""
    around = np.zeros(len(kinds) + 2, np.uint8)
    around[1:-1] = kinds
    neighbours = around[:-2] << 4
    neighbours |= kinds << 2
    neighbours |= around[2:]
    begun = np.frombuffer(neighbours.tobytes().translate(_BEGUN), np.uint8)
    starts = (begun != _INSIDE).nonzero()[0]
    return starts.astype(np.int32), begun.take(starts)


def _begins(before: int, kind: int, after: int) -> int:
    """What a character between others of these kinds begins."""
    if kind == _UNSPACED:
        return _PAIR if after == _UNSPACED else _INSIDE if before == _UNSPACED else _LONE
    return _WORD if kind & _LETTER and not before & _LETTER else _INSIDE


def _codes(text: str) -> Codes:
    return np.frombuffer(text.encode(_UTF_32, "surrogatepass"), np.uint32)


def _is_letter(kinds: Kinds) -> NDArray[np.bool_]:
    """Which characters are letters or digits of scripts with spaces."""
    return (kinds & _LETTER).view(np.bool_)


def _kinds(codes: Codes) -> tuple[Kinds, Codes]:
    """The kind of each character: between words, a letter or a digit, or in a script without
    spaces; and the character in lower case, a space between words, 0 if it takes more than a look
    at it."""
    table, lower_table = _characters_seen()
    at = codes.astype(np.intp)
    kinds: Kinds = table.take(at)
    if (kinds == _UNSEEN).any():
        for code in np.unique(codes[kinds == _UNSEEN]).tolist():
            table[code] = kind = _kind(code)
            lower_table[code] = _SPACE if kind == _BETWEEN else _lower(chr(code))
        kinds = table.take(at)
    return kinds, lower_table.take(at)


@lru_cache(maxsize=1)
def _characters_seen() -> tuple[Kinds, Codes]:
    """The kinds of all characters, and their lower case; those not yet met in a text are unseen,
    but for the scripts without spaces, which have no case."""
    kinds: Kinds = np.full(sys.maxunicode + 1, _UNSEEN, np.uint8)
    lower: Codes = np.zeros(sys.maxunicode + 1, np.uint32)
    for first, last in zip(_UNSPACED_RANGES[::2], _UNSPACED_RANGES[1::2], strict=True):
        unspaced = slice(ord(first), ord(last) + 1)
        kinds[unspaced] = _UNSPACED
        lower[unspaced] = np.arange(ord(first), ord(last) + 1)
    return kinds, lower


def _lower(character: str) -> int:
    """The code in lower case; 0 for a sigma, which depends on its neighbours, and for what becomes
    two characters."""
    lower = character.lower()
    return 0 if character == "Σ" or len(lower) != 1 else ord(lower)


def _kind(code: int) -> int:
    character = chr(code)
    if character.isdigit():
        return _DIGIT
    if character.isalnum():
        return _UNSPACED if code >= _FIRST_ASTRAL_HAN else _LETTER
    return _LETTER if unicodedata.category(character) in ("Mn", "Mc") else _BETWEEN


def _fold_byte(byte: bytes) -> bytes:
    character = byte.decode(_WESTERN, "ignore")
    return character.lower().encode(_WESTERN) if character.isalnum() else b" "


_BEGUN = bytes(
    _begins(around >> 4, around >> 2 & 3, around & 3) if around < 64 else _INSIDE
    for around in range(256)
)
"""What a character begins, by the kinds of the one before it, of itself and of the next, two bits
each."""
_FOLDED = b"".join(_fold_byte(bytes([code])) for code in range(256))
_DIGITS_FOLDED = np.array([character.isdigit() for character in _FOLDED.decode(_WESTERN)])
