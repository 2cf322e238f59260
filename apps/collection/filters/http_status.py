"""The filter by HTTP status."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from django.urls import reverse

from apps.collection.filters.filter import Condition, Field, among
from apps.collection.filters.panels import CheckBoxes, Note
from apps.collection.filters.values import CountedValues
from apps.collection.scope import Scope
from apps.figures.quantities import number_of
from apps.schemas.numbers import whole_number


class HttpStatus(CountedValues[int]):
    """By the status code of the answer."""

    id = "http"
    title = "HTTP status"
    sentence = (
        "The status code of the answer. Answers of 4xx and 5xx are not pages; they are listed"
        " among the crawl’s failed requests."
    )
    unknown = "is not an HTTP status; it has three digits, as in 200"
    fields = (Field("http", "HTTP status codes, as in 200.", list[int]),)
    columns = ("http_status",)

    def parse(self, text: str) -> int | None:
        code = whole_number(text)
        return code if code is not None and 100 <= code <= 599 else None

    def words(self, key: int, scope: Scope) -> str:
        """`200 OK`; only the number if no standard names it."""
        return f"{key} {HTTPStatus(key).phrase}" if key in {*HTTPStatus} else str(key)

    def condition(self, value: tuple[int, ...], scope: Scope) -> Condition:
        return among("e.http_status", value)

    def values_of(self, row: tuple[Any, ...], scope: Scope) -> Iterable[int]:
        return row

    def panel(
        self, value: tuple[int, ...], counts: Mapping[Any, int], scope: Scope
    ) -> CheckBoxes | None:
        panel = super().panel(value, counts, scope)
        return panel and replace(panel, note=_failures(scope))


def _failures(scope: Scope) -> Note | None:
    """A note on how many requests yielded no page; for one crawl it links to them."""
    failed = sum(crawl.failed for crawl in scope.crawls)
    if not failed:
        return None
    words = f"{number_of(failed, 'request')} gave no page"
    if scope.only is None:
        return Note(words)
    return Note(words, "what failed", reverse("live:failures", args=[scope.only.pk]))


HTTP_STATUS = HttpStatus()
