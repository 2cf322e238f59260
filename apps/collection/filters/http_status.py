"""The filter by HTTP status."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from django.db.models import Q
from django.urls import reverse

from apps.collection.filters.of_crawls import OfCrawls
from apps.crawls.models import Crawl
from apps.figures.quantities import number_of
from apps.schemas.numbers import whole_number
from apps.search.filter import Field
from apps.search.panels import CheckBoxes, PanelNote
from apps.search.values import CountedValues


class HttpStatus(OfCrawls, CountedValues[int]):
    """Filters by the status code of the answer."""

    id = "http"
    title = "HTTP status"
    sentence = (
        "The status code of the answer. Answers of 4xx and 5xx are not pages; they are listed"
        " among the crawl’s failed requests."
    )
    unknown = "is not an HTTP status; it has three digits, as in 200"
    fields = (Field("http", "HTTP status codes, as in 200.", list[int]),)
    example = "http=200&http=404"
    columns = ("http_status",)

    def parse(self, text: str) -> int | None:
        code = whole_number(text)
        return code if code is not None and 100 <= code <= 599 else None

    def words(self, key: int) -> str:
        """`200 OK`; only the number if no standard names it."""
        return f"{key} {HTTPStatus(key).phrase}" if key in {*HTTPStatus} else str(key)

    def condition(self, value: tuple[int, ...]) -> Q:
        return Q(http_status__in=value)

    def values_of(self, row: tuple[Any, ...]) -> Iterable[int]:
        return row

    def panel(self, value: tuple[int, ...], counts: Mapping[Any, int]) -> CheckBoxes | None:
        panel = super().panel(value, counts)
        return panel and replace(panel, note=_failures(self.context.crawls, self.context.only))


def _failures(crawls: Iterable[Crawl], only: Crawl | None) -> PanelNote | None:
    """A note on how many requests yielded no page; for one crawl it links to them."""
    failed = sum(crawl.failed for crawl in crawls)
    if not failed:
        return None
    words = f"{number_of(failed, 'request')} gave no page"
    if only is None:
        return PanelNote(words)
    return PanelNote(words, "what failed", reverse("live:failures", args=[only.pk]))


HTTP_STATUS = HttpStatus()
