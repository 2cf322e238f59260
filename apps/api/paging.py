"""Lists one page at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Annotated, Any

from django.db.models import QuerySet
from ninja import Query, Schema
from pydantic import Field, StringConstraints

MOST = 200
# A word to filter by: databases refuse NUL, and no stored word is longer.
Word = Annotated[str, StringConstraints(max_length=100, pattern="^[^\\x00]*$")]


class Paging(Schema):
    """The number of a page of a list, from 1, and its length."""

    page: int = Field(1, ge=1, le=1_000_000, description="The number of the page, from 1.")
    size: int = Field(50, ge=1, le=MOST, description=f"Rows a page, up to {MOST}.")

    @property
    def rows(self) -> slice:
        return slice((self.page - 1) * self.size, self.page * self.size)


PagingQuery = Query[Paging]


def paged(
    rows: QuerySet[Any] | Sequence[Any], paging: Paging, show: Callable[[Any], Any]
) -> dict[str, Any]:
    """`{"count", "page", "size", "items"}`: the total number, and the items of one page."""
    count = rows.count() if isinstance(rows, QuerySet) else len(rows)
    return page_of(count, paging, [show(row) for row in rows[paging.rows]])


def page_of(count: int, paging: Paging, items: list[Any]) -> dict[str, Any]:
    """A page of items that the caller has already cut from the list."""
    return {"count": count, "page": paging.page, "size": paging.size, "items": items}


class ListPage(Schema):
    """The fields that every list returns besides its `items`."""

    count: int
    page: int
    size: int
