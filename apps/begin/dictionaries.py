"""Dictionaries that an administrator names: FreeDict's, as dictd keeps them.

Each is two files, `freedict-deu-eng.index` with a line for each headword (its entry's offset and
length, in digits of base 64) and `freedict-deu-eng.dict`, plain or packed (`.dict.dz`, which is
gzip). Nothing is downloaded.
"""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path

from django.conf import settings

SETTING = "CRAWLSITE_DICTIONARIES"
MOST_TRANSLATIONS = 3
MOST_ENTRY = 20_000
MOST_WORDS = 3
"""Words of a translation; longer ones are explanations."""
_NAME = re.compile(r"^(?:freedict-)?([a-z]{3})-([a-z]{3})$")
_LANGUAGES = dict(
    pair.split(":")
    for pair in "ces:cs dan:da deu:de ell:el eng:en fin:fi fra:fr hun:hu ita:it nld:nl nor:no"
    " pol:pl por:pt ron:ro rus:ru spa:es swe:sv tur:tr".split()
)
_DIGITS = {
    digit: value
    for value, digit in enumerate(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    )
}
_ASIDE = re.compile(r"\([^)]*\)|\[[^]]*\]|<[^>]*>|\{[^}]*\}|/[^/]*/")
_ABOUT = frozenset({"00databaseinfo", "00-database-info"})
_NUMBER = re.compile(r"^\d+\.\s*")
_NO_TRANSLATION = re.compile(r"^(?:[\"“„]|synonyms?:|see:|note:|-)", re.IGNORECASE)
_LICENCE = re.compile(
    r"GNU [^.\n]*Licen[sc]e|Creative Commons[^.\n]*|\bGPL\b[^.\n]*|public domain", re.IGNORECASE
)


class BadDictionary(Exception):
    """Why a dictionary cannot be read, as a sentence that names the setting."""


@dataclass(frozen=True, slots=True)
class Dictionary:
    """A dictionary `of` one language `into` another, by their codes of two letters."""

    index: Path
    of: str
    into: str

    @property
    def name(self) -> str:
        return self.index.stem

    def look_up(self, wanted: Collection[str]) -> tuple[dict[str, tuple[str, ...]], str]:
        """The translations of each wanted lower-case word that is listed, best first, and the
        licence that the dictionary states, or an empty string. Raises BadDictionary."""
        listed: dict[str, list[tuple[bool, int, str]]] = {}
        licence = ""
        for headword, text in self._entries({*_ABOUT, *(word.lower() for word in wanted)}):
            if headword not in _ABOUT:
                listed.setdefault(headword, []).extend(ranked_translations(text))
            elif not licence and (match := _LICENCE.search(text)):
                licence = " ".join(match[0].split())[:80]
        return {word: _best(those) for word, those in listed.items() if those}, licence

    def _entries(self, headwords: Collection[str]) -> Iterator[tuple[str, str]]:
        """The entries of lower-case headwords, in the order of the file of entries."""
        try:
            spans = sorted(self._spans(headwords))
            with self._open() as stream:
                for start, length, headword in spans:
                    stream.seek(start)
                    yield headword, stream.read(min(length, MOST_ENTRY)).decode("utf-8", "replace")
        except OSError as error:
            raise BadDictionary(
                f"{SETTING}: {self.name} cannot be read ({error.strerror or 'damaged'})."
            ) from None
        except (ValueError, KeyError, EOFError):
            raise BadDictionary(f"{SETTING}: {self.name} is not a dictionary of dictd.") from None

    def _spans(self, headwords: Collection[str]) -> Iterator[tuple[int, int, str]]:
        with self.index.open(encoding="utf-8", errors="replace") as lines:
            for line in lines:
                headword, offset, length = line.rstrip("\n").split("\t")[:3]
                if (word := headword.lower()) in headwords:
                    yield _number(offset), _number(length), word

    def _open(self) -> gzip.GzipFile | BufferedReader:
        packed = self.index.with_suffix(".dict.dz")
        if packed.exists():
            return gzip.GzipFile(packed)
        return self.index.with_suffix(".dict").open("rb")


def named_dictionaries() -> list[Dictionary]:
    """The dictionaries in the configured folder, or the configured one. Raises BadDictionary."""
    if not settings.DICTIONARIES:
        return []
    path = Path(settings.DICTIONARIES)
    files = sorted(path.glob("*.index")) if path.is_dir() else [path]
    dictionaries = [each for file in files if (each := _dictionary(file))]
    if not dictionaries:
        raise BadDictionary(
            f"{SETTING}: {path.name} has no dictionary named as freedict-deu-eng.index."
        )
    return dictionaries


@dataclass(frozen=True, slots=True)
class Translated:
    """Words with their translations, and name and licence of the dictionaries that have them."""

    words: Mapping[str, tuple[str, ...]]
    by: tuple[str, ...]


def translate(wanted: Collection[str], of: str, into: Collection[str]) -> Translated:
    """The translations of a language's words into others, by the named dictionaries. Raises
    BadDictionary."""
    translated: dict[str, tuple[str, ...]] = {}
    by: list[str] = []
    for each in named_dictionaries() if into else ():
        if each.of != of or each.into not in into:
            continue
        those, licence = each.look_up(wanted)
        for word, new in those.items():
            translated[word] = (*translated.get(word, ()), *new)
        if those:
            by.append(f"{each.name}, licence {licence or 'not stated'}")
    return Translated(translated, tuple(by))


def _best(ranked: Sequence[tuple[bool, int, str]]) -> tuple[str, ...]:
    """The best translations: first those in most entries, then those without a restriction to a
    field (`[mus.]`), then the first of each entry."""
    entries = Counter(text for _, _, text in ranked)
    ordered = sorted(ranked, key=lambda each: (-entries[each[2]], *each[:2]))
    return tuple(dict.fromkeys(text for _, _, text in ordered))[:MOST_TRANSLATIONS]


def ranked_translations(entry: str) -> Iterator[tuple[bool, int, str]]:
    """The short translations in the text of an entry, whose first line is the headword, each with
    whether a field restricts it and its position."""
    position = 0
    for line in entry.split("\n")[1:]:
        line = _NUMBER.sub("", line.strip())
        if not _NO_TRANSLATION.match(line):
            for part in re.split("[,;]", _ASIDE.sub(" ", line)):
                words = part.lower().split()
                if 0 < len(words) <= MOST_WORDS and any(map(str.isalpha, words)):
                    yield line.startswith("["), position, " ".join(words)
                    position += 1


def _dictionary(index: Path) -> Dictionary | None:
    match = _NAME.match(index.stem)
    if match is None or index.suffix != ".index":
        return None
    of, into = (_LANGUAGES.get(code, code) for code in match.groups())
    return Dictionary(index, of, into)


def _number(digits: str) -> int:
    value = 0
    for digit in digits:
        value = 64 * value + _DIGITS[digit]
    return value
