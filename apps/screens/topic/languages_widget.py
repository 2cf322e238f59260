"""Two selects for the languages of a topic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms

from apps.topics.messages import LANGUAGES, language_names

_NAMED = sorted(
    ((code, name) for code, name in LANGUAGES.items() if code), key=lambda pair: pair[1]
)


class LanguagesWidget(forms.MultiWidget):
    """The first language, or its detection, and another; their codes with a space between them.

    Codes that are in no list stay in the selects, and so do the second and third of three.
    """

    def __init__(self) -> None:
        super().__init__({
            "": forms.Select(),
            "also": forms.Select({"aria-label": "Second language"}),
        })

    def decompress(self, value: str | None) -> list[str]:
        first, _, others = (value or "").partition(" ")
        return [first, others]

    def id_for_label(self, id_: str) -> str:
        return f"{id_}_0"

    def get_context(self, name: str, value: Any, attrs: Mapping[str, Any] | None) -> dict[str, Any]:
        chosen = self.decompress(value)
        heads = (LANGUAGES[""], "and no other")
        for widget, code, head in zip(self.widgets, chosen, heads, strict=True):
            known = [("", head), *_NAMED]
            new = [] if code in dict(known) else [(code, language_names(code.split()))]
            widget.choices = [*known, *new]
        return super().get_context(name, chosen, attrs)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> str:
        chosen = super().value_from_datadict(data, files, name)
        return " ".join(filter(None, chosen))
