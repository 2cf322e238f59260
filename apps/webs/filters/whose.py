"""The filter by whose a web is."""

from __future__ import annotations

from collections.abc import Mapping

from django.db.models import Q

from apps.search.filter import Field
from apps.search.list_filters import States

WORDS = {"yours": "Yours", "others": "Others’"}


class Whose(States):
    """Filters by whether a web is the reader's own, who is the `user` of the context, or not."""

    id = "whose"
    title = "Whose"
    sentence = "Webs of your own, or of others and everybody."
    fields = (Field("whose", "yours or others."),)
    example = "whose=yours"

    @property
    def groups(self) -> Mapping[str, tuple[str, Q]]:  # type: ignore[override]
        yours = Q(owner=(self.context or {}).get("user"))
        conditions = {"yours": yours, "others": ~yours}
        return {name: (words, conditions[name]) for name, words in WORDS.items()}

    def chip(self, key: str) -> str:
        return WORDS[key].lower()


WHOSE = Whose()
