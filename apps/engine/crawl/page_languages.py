"""Whether a page is in a language that the scope leaves out.

A page is taken unless its text shows another language in nearly every part: words without
sentences, such as lists of names, show none, though a detector guesses one. So a language in Latin
letters has to show by its stop words, too; without a list of them it counts as none.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from apps.engine.parsing.languages import PIECE, languages
from apps.engine.representation.language_detection import detect_language
from apps.engine.representation.stop_words import STOP_WORDS

MOST_WORDS = 2_000
LEAST_PIECES, MOST_PIECES = 3, 4
LEAST_SHARE = 0.75
LEAST_FREQUENT_WORDS = 0.4
"""Running text has more of justext's frequent words; names and lists have fewer."""
LAST_LATIN_LETTER = "\u024f"
_LISTS = {
    "ca": "Catalan",
    "cs": "Czech",
    "da": "Danish",
    "et": "Estonian",
    "eu": "Basque",
    "fi": "Finnish",
    "gl": "Galician",
    "hr": "Croatian",
    "hu": "Hungarian",
    "id": "Indonesian",
    "is": "Icelandic",
    "lt": "Lithuanian",
    "lv": "Latvian",
    "nb": "Norwegian_Bokmal",
    "nn": "Norwegian_Nynorsk",
    "no": "Norwegian_Bokmal",
    "pl": "Polish",
    "ro": "Romanian",
    "sk": "Slovak",
    "sl": "Slovenian",
    "sq": "Albanian",
    "sv": "Swedish",
    "tr": "Turkish",
    "vi": "Vietnamese",
}


def other_language(words: Sequence[str], wanted: Collection[str]) -> str:
    """The language (ISO 639-1) of a text that is in none of the wanted ones; empty if it may be."""
    first = list(words[:MOST_WORDS])
    by_stop_words = detect_language([first])
    if by_stop_words in wanted:
        return ""
    pieces = list(_pieces(first))
    if len(pieces) < LEAST_PIECES:
        return ""
    spoken = languages(pieces[:: -(-len(pieces) // MOST_PIECES)])
    if not spoken or any(code in wanted for code, _ in spoken):
        return ""
    code, share = spoken[0]
    is_sure = by_stop_words == code if code in STOP_WORDS else _shows(first, code)
    return code if is_sure and share >= LEAST_SHARE else ""


def _shows(words: Sequence[str], code: str) -> bool:
    """Whether a text is in other letters than Latin ones, or has the language's frequent words."""
    letters = "".join(words)
    if sum(letter > LAST_LATIN_LETTER for letter in letters) > len(letters) / 2:
        return True
    frequent = _frequent_words(code)
    return sum(map(frequent.__contains__, words)) >= LEAST_FREQUENT_WORDS * len(words)


@lru_cache
def _frequent_words(code: str) -> frozenset[str]:
    import justext

    name = _LISTS.get(code)
    return frozenset(justext.get_stoplist(name)) if name else frozenset()


def _pieces(words: Sequence[str]) -> Iterator[str]:
    """The text in pieces of some 200 characters, of which a detector judges each."""
    text = " ".join(words)
    for start in range(0, len(text), PIECE):
        yield text[start : start + PIECE]
