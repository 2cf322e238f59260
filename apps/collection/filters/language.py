"""The filter by the language of a page's text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from apps.collection.models import UNDETERMINED
from apps.search.filter import Field
from apps.search.languages import language_code, language_name
from apps.search.panels import CheckBoxes, Option
from apps.search.values import MostFrequent

UNSURE, UNREAD = "unsure", "unread"
KEYS = {UNSURE: UNDETERMINED, UNREAD: ""}
"""What the address calls pages without a language, and their language in the entries."""
WORDS = {UNDETERMINED: "not sure", "": "not read yet"}


class Language(MostFrequent[str]):
    """By the main language of the page's text."""

    id = "language"
    title = "Language"
    sentence = (
        "The main language of the page’s text, by its letters, not by what the page declares; "
        "“not sure” has too few of them; “not read yet” is read while you wait."
    )
    unknown = "is not a language; give a code as in de, a name as in German, unsure or unread"
    fields = (Field("language", "Codes of languages (ISO 639-1), unsure or unread."),)
    example = "language=de&language=unsure"
    column = "language"
    offers = 8
    most = 50

    def parse(self, text: str) -> str | None:
        return KEYS[name] if (name := text.strip().lower()) in KEYS else language_code(text)

    def words(self, key: str) -> str:
        return WORDS[key] if key in WORDS else language_name(key)

    def chip(self, key: str) -> str:
        return f"language {self.words(key)}" if key in WORDS else self.words(key)

    def pairs(self, value: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        for key in value:
            yield self.name, _text(key)

    def option(self, key: str, value: tuple[str, ...], counts: Mapping[str, int]) -> Option:
        return replace(super().option(key, value, counts), value=_text(key))

    def panel(self, value: tuple[str, ...], counts: Mapping[Any, int]) -> CheckBoxes | None:
        if not value and not any(counts):
            return None  # no page has been read
        panel = super().panel(value, counts)
        return panel and replace(panel, another="another language")


def _text(key: str) -> str:
    return next((text for text, named in KEYS.items() if named == key), key)


LANGUAGE = Language()
