"""The filter by the language of a page's text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from apps.search.filter import Field
from apps.search.languages import language_code, language_name
from apps.search.panels import CheckBoxes, Option
from apps.search.values import MostFrequent

UNSURE = "unsure"


class Language(MostFrequent[str]):
    """By the main language of the page's text."""

    id = "language"
    title = "Language"
    sentence = (
        "The main language of the page’s text, by its letters, not by what the page declares; "
        "“not sure” has too few of them, or has not been read yet."
    )
    unknown = "is not a language; give a code as in de, a name as in German, or unsure"
    fields = (Field("language", "Codes of languages (ISO 639-1), or unsure."),)
    example = "language=de&language=unsure"
    column = "language"
    offers = 8
    most = 50

    def parse(self, text: str) -> str | None:
        return "" if text.strip().lower() == UNSURE else language_code(text)

    def words(self, key: str) -> str:
        return language_name(key) if key else "not sure"

    def chip(self, key: str) -> str:
        return self.words(key) if key else "language not sure"

    def pairs(self, value: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        for key in value:
            yield self.name, key or UNSURE

    def option(self, key: str, value: tuple[str, ...], counts: Mapping[str, int]) -> Option:
        return replace(super().option(key, value, counts), value=key or UNSURE)

    def panel(self, value: tuple[str, ...], counts: Mapping[Any, int]) -> CheckBoxes | None:
        if not value and not any(counts):
            return None  # no page has been read
        panel = super().panel(value, counts)
        return panel and replace(panel, another="another language")


LANGUAGE = Language()
