"""Lists a page at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from django.db.models import QuerySet
from ninja import Query, Schema
from pydantic import Field, StringConstraints

MOST = 200
# A word to filter by: no database takes NUL, and none of ours is longer.
Word = Annotated[str, StringConstraints(max_length=100, pattern="^[^\\x00]*$")]


class Paging(Schema):
    """Which page of a list, from 1, and how long a page is."""

    page: int = Field(1, ge=1, le=1_000_000, description="Which page, from 1.")
    size: int = Field(50, ge=1, le=MOST, description=f"Rows a page, up to {MOST}.")

    @property
    def rows(self) -> slice:
        return slice((self.page - 1) * self.size, self.page * self.size)


PagingQuery = Query[Paging]


def paged(
    rows: QuerySet[Any] | Sequence[Any], paging: Paging, show: Callable[[Any], Any]
) -> dict[str, Any]:
    """`{"count", "page", "size", "items"}`: how many there are in all, and those of one page."""
    count = rows.count() if isinstance(rows, QuerySet) else len(rows)
    return listed(count, paging, [show(row) for row in rows[paging.rows]])


def listed(count: int, paging: Paging, items: list[Any]) -> dict[str, Any]:
    """The same where the page has been cut out already."""
    return {"count": count, "page": paging.page, "size": paging.size, "items": items}


class Page(Schema):
    """What every list answers with, beside its `items`."""

    count: int
    page: int
    size: int
