"""Saved searches: the form that saves one, and their rows in the list of collections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django import forms
from django.contrib.auth.models import User

from apps.collection.saved_searches.schemas import SearchName
from apps.collection.saved_searches.searches import CountedSearch, counted_searches, save_search
from apps.collection.search import CollectionSearch
from apps.schemas.refused import Refused
from apps.screens.schema_fields import text


class SaveForm(forms.Form):
    """The name of a new search."""

    name = text(
        SearchName,
        "name",
        widget=forms.TextInput(
            attrs={
                "placeholder": "Transplant survival",
                "autocomplete": "off",
            }
        ),
    )

    def save(self, user: User, search: CollectionSearch) -> bool:
        """Whether the search is saved; otherwise the field says why not."""
        if not self.is_valid():
            return False
        try:
            save_search(user, search, self.cleaned_data["name"])
        except Refused as refused:
            self.add_error("name", refused.message)
        return self.is_valid()


@dataclass(frozen=True, slots=True)
class SavedRow:
    """A saved search in the list; `typed` and `error` are those of a name that was refused."""

    counted: CountedSearch
    asks_for: str
    typed: str
    error: str

    @property
    def collection(self) -> str:
        """`Seagrass restoration, crawl #3`."""
        number = self.counted.saved.crawl_number
        crawl = f", crawl #{number}" if number is not None else ""
        return f"{self.counted.search.context.topic.name}{crawl}"


def saved_rows(user: User, refused: Mapping[int, tuple[str, str]] | None = None) -> list[SavedRow]:
    """The person's saved searches by name; `refused` has by key the name that was typed and what is
    wrong with it."""
    return [
        SavedRow(counted, asks_for(counted), *(refused or {}).get(counted.saved.pk, ("", "")))
        for counted in counted_searches(user)
    ]


def asks_for(counted: CountedSearch) -> str:
    """A search in words: `“transplant survival”, relevant, order: newest`."""
    search = counted.search
    words = [f"“{search.words}”"] if search.words else []
    words += [chip.words for chip in search.chips()]
    order = [f"order: {search.orders[search.order].lower()}"] if search.order else []
    return ", ".join(words + order)
