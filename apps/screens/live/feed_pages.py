"""Rows of the list of pages, chosen from the whole crawl."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db.models import F, QuerySet, Value
from django.db.models.functions import Abs
from django.template.loader import get_template

from apps.crawls.labels.shown import labels_to_show
from apps.crawls.models import Crawl, Label, Page

SHOWN = 60
LOOKED_AT = 10_000
"""The newest pages among which the unsure ones are looked for."""


def page_rows(crawl: Crawl, pages: Sequence[Page], reader: User | None) -> list[str]:
    """The rows of these pages, in their order, each with the label that a reader sees; without
    labels for no reader in particular."""
    template = get_template("live/page_row.html")
    seqs = [page.seq for page in pages]
    labels = labels_to_show(crawl, seqs, reader) if reader else {}
    return [template.render({"page": page, "label": labels.get(page.seq)}) for page in pages]


def chosen_rows(crawl: Crawl, show: str, reader: User) -> list[str]:
    """`unsure`: unlabelled ones of the newest 10,000 pages, τ nearest to 0.5 first; `relevant`:
    relevant ones, newest first; else the newest of all. Sixty at most."""
    return page_rows(crawl, list(_select_pages(crawl, show)[:SHOWN]), reader)


def _select_pages(crawl: Crawl, show: str) -> QuerySet[Page]:
    pages = crawl.pages_fetched.order_by("-seq")
    if show == "relevant":
        return pages.filter(relevant=True)
    if show == "unsure":
        labelled = Label.objects.filter(crawl=crawl, undone_at=None).values("seq")
        newest = pages.filter(seq__gt=crawl.pages - LOOKED_AT)
        unlabelled = newest.exclude(topicality=None).exclude(seq__in=labelled)
        distance = Abs(F("topicality") - Value(0.5))
        return unlabelled.annotate(distance=distance).order_by("distance", "-seq")
    return pages
