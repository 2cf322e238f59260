"""Saved searches: the form that saves one, and their rows in the list of collections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django import forms
from django.contrib.auth.models import AbstractUser

from apps.collection.filters.query import Filters
from apps.collection.saved_searches import Counted, counted_searches, save_search
from apps.collection.schemas import SearchName
from apps.collection.scope import Scope
from apps.schemas.input import Refused
from apps.screens.collection.choices import ORDERS, chips
from apps.screens.schema_fields import text


class SaveForm(forms.Form):
    """The name of a new search."""

    name = text(SearchName, "name", widget=forms.TextInput(attrs={
        "placeholder": "Transplant survival", "autocomplete": "off",
    }))  # fmt: skip

    def save(self, user: AbstractUser, scope: Scope, filters: Filters) -> bool:
        """Whether the search is saved; otherwise the field says why not."""
        if not self.is_valid():
            return False
        try:
            save_search(user, scope, filters, self.cleaned_data["name"])
        except Refused as refused:
            self.add_error("name", refused.message)
        return self.is_valid()


@dataclass(frozen=True, slots=True)
class SavedRow:
    """A saved search in the list; `typed` and `error` are those of a name that was refused."""

    counted: Counted
    asks_for: str
    typed: str
    error: str

    @property
    def collection(self) -> str:
        """`Seagrass restoration, crawl #3`."""
        search = self.counted.search
        of = f", crawl #{search.crawl_number}" if search.crawl_number is not None else ""
        return f"{self.counted.scope.topic.name}{of}"


def saved_rows(
    user: AbstractUser, refused: Mapping[int, tuple[str, str]] | None = None
) -> list[SavedRow]:
    """The person's saved searches by name; `refused` has by key the name that was typed and what is
    wrong with it."""
    return [
        SavedRow(counted, asks_for(counted), *(refused or {}).get(counted.search.pk, ("", "")))
        for counted in counted_searches(user)
    ]


def asks_for(counted: Counted) -> str:
    """A search in words: `“transplant survival”, relevant, order: newest`."""
    filters = counted.filters
    words = [f"“{filters.words}”"] if filters.words else []
    words += [chip.words for chip in chips(counted.scope, filters)]
    order = [f"order: {ORDERS[filters.order].lower()}"] if filters.order else []
    return ", ".join(words + order)
