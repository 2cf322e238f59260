"""The pages that the measures over a crawl's records read: all, or a sample of a stated size."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from django.db.models import Model, QuerySet

from apps.crawls.models import Crawl

MOST = 20_000
"""The pages of a crawl up to which all are read."""
DRAWN = 5_000
"""How many are read of a larger one: shares over them have a standard error of .7 % at most."""

Row = TypeVar("Row", bound=Model)


def stored_pages(crawl: Crawl) -> int:
    """How many pages of the crawl are stored."""
    return crawl.pages_fetched.order_by("-seq").values_list("seq", flat=True).first() or 0


def draw_pages(rows: QuerySet[Row], pages: int) -> QuerySet[Row]:
    """The rows of the crawl's `pages` pages, by `seq`, or those of 5,000 pages, evenly spread from
    the first to the last, if it has more than 20,000."""
    rows = rows.filter(seq__lte=pages).order_by("seq")
    if pages <= MOST:
        return rows
    return rows.filter(seq__in=np.linspace(1, pages, DRAWN).astype(int).tolist())
