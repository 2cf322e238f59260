"""Filters by the language of a page's text, of any list of pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from apps.search.filter import Field
from apps.search.languages import language_code, language_name
from apps.search.panels import CheckBoxes, Option
from apps.search.values import MostFrequent

UNSURE = "unsure"
"""What the address calls pages whose language does not show."""


class PageLanguage(MostFrequent[str]):
    """Filters by the main language of the page's text.

    `keys` maps an address's words for “no language” to the value of the column, `named` has the
    words on screens.
    """

    id = "language"
    title = "Language"
    sentence = (
        "The main language of the page’s text, by its letters, not by what the page declares; "
        "“not sure” has too few of them."
    )
    unknown = "is not a language; give a code as in de, a name as in German, or unsure"
    fields = (Field("language", "Codes of languages (ISO 639-1), or unsure."),)
    example = "language=de&language=unsure"
    column = "language"
    offers = 8
    most = 50
    keys: ClassVar[Mapping[str, str]] = {UNSURE: ""}
    named: ClassVar[Mapping[str, str]] = {"": "not sure"}

    def parse(self, text: str) -> str | None:
        name = text.strip().lower()
        return self.keys[name] if name in self.keys else language_code(text)

    def words(self, key: str) -> str:
        return self.named[key] if key in self.named else language_name(key)

    def chip(self, key: str) -> str:
        return f"language {self.words(key)}" if key in self.named else self.words(key)

    def pairs(self, value: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        for key in value:
            yield self.name, self._text(key)

    def option(self, key: str, value: tuple[str, ...], counts: Mapping[str, int]) -> Option:
        return replace(super().option(key, value, counts), value=self._text(key))

    def panel(self, value: tuple[str, ...], counts: Mapping[Any, int]) -> CheckBoxes | None:
        if not value and not any(counts):
            return None  # no page has a language
        panel = super().panel(value, counts)
        return panel and replace(panel, another="another language")

    def _text(self, key: str) -> str:
        return next((text for text, named in self.keys.items() if named == key), key)
