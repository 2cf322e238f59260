"""The lines of a digest, one per page."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from apps.watches.changes import describe, previous_versions
from apps.watches.models import Observation

MOST_LINES = 20
"""Pages of each state, and of each watched search, in a digest; the others are counted."""


def lines_of(rows: QuerySet[Observation]) -> list[dict[str, Any]]:
    """The first `MOST_LINES` observations, each with a line about the change."""
    chosen = list(rows.select_related("page", "version").order_by("pk")[:MOST_LINES])
    before = previous_versions(row.version for row in chosen if row.version)
    return [
        {
            "state": row.state,
            "page": row.page_id,
            "title": (row.version.title if row.version else "") or row.page.title or row.page.url,
            "url": row.page.url,
            "line": describe(row, before.get(row.version_id or 0)).text,
        }
        for row in chosen
    ]
