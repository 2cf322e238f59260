"""Two selects for the languages of a topic."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict

from apps.engine.representation.language_detection import MOST_LANGUAGES
from apps.topics.messages import LANGUAGES, language_names

_NAMED = sorted(
    ((code, name) for code, name in LANGUAGES.items() if code), key=lambda pair: pair[1]
)


class LanguagesWidget(forms.MultiWidget):
    """The first language, or its detection, and another; their codes with a space between them.

    `detected` is the first select's choice of none. Codes that are in no list stay in the selects,
    and so do the second and third of three.
    """

    def __init__(self, detected: str = LANGUAGES[""]) -> None:
        self.heads = (detected, "and no other")
        super().__init__(
            {
                "": forms.Select(),
                "also": forms.Select({"aria-label": "Second language"}),
            }
        )

    def decompress(self, value: str | None) -> list[str]:
        first, _, others = (value or "").partition(" ")
        return [first, others]

    def id_for_label(self, id_: str) -> str:
        return f"{id_}_0"

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        chosen = self.decompress(value)
        for widget, code, head in zip(self.widgets, chosen, self.heads, strict=True):
            listed = [("", head), *_NAMED]
            new = [] if code in dict(listed) else [(code, language_names(code.split()))]
            assert isinstance(widget, forms.Select)
            widget.choices = [*listed, *new]
        return super().get_context(name, chosen, attrs)

    def value_from_datadict(self, data: Any, files: Any, name: str) -> Any:
        chosen = super().value_from_datadict(data, files, name)
        return " ".join(filter(None, chosen))


def sent_languages(sent: QueryDict) -> str:
    """The codes that a form with this widget sends, up to three."""
    typed = LanguagesWidget().value_from_datadict(sent, {}, "language")
    return " ".join(typed.split()[:MOST_LANGUAGES])
