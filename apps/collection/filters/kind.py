"""The filter by what a page is: a web page, or a document of some kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q

from apps.engine.kinds import DocumentKind
from apps.figures.kinds import KIND_WORDS
from apps.search.filter import Field
from apps.search.values import CountedValues, any_of


class KindOfPage(CountedValues[str]):
    """Filters by whether it is a page, a PDF, or another document."""

    id = "kind"
    title = "Kind"
    sentence = "Web pages, PDF, Word and other documents."
    unknown = "is no kind of page"
    fields = (Field("kind", f"{', '.join(DocumentKind)}."),)
    example = "kind=pdf"
    columns = ("kind",)

    def parse(self, text: str) -> str | None:
        return text if text in KIND_WORDS else None

    def words(self, key: str) -> str:
        return KIND_WORDS[DocumentKind(key)]

    def condition(self, value: tuple[str, ...]) -> Q:
        return any_of(Q(kind=key) for key in value)

    def values_of(self, row: tuple[Any, ...]) -> Iterable[str]:
        (kind,) = row
        return (kind,)

    def offered(self, value: tuple[str, ...], counts: Mapping[str, int]) -> Iterable[str]:
        """The kinds that there are, once there are documents."""
        present = {kind for kind, pages in counts.items() if pages} | {*value}
        return (
            [kind for kind in DocumentKind if kind in present]
            if present - {DocumentKind.PAGE}
            else []
        )


PAGE_KIND = KindOfPage()
