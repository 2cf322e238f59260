"""The filter by the day of publication."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from django.db.models import Q

from apps.search.published import UNDATED, Period, PublicationDay
from apps.search.sql import raw
from apps.webs.pages.filters.page_filter import PageFilter, Select

_MONTH = "12 * substr(published, 1, 4) + substr(published, 6, 2) - 1"


class WebPageDay(PublicationDay, PageFilter[Period]):
    """The publication days of a web's pages, whose days are texts."""

    def within_days(self, low: date | None, high: date | None) -> Q:
        return raw(
            "published BETWEEN %s AND %s",
            ((low or date.min).isoformat(), (high or date.max).isoformat()),
        )

    def without_date(self) -> Q:
        return Q(published=None)

    def counts(self, select: Select) -> Mapping[int, int]:
        return dict(
            select(
                f"SELECT coalesce({_MONTH}, {UNDATED}) AS month, count(*) FROM matched"
                " JOIN pages ON number = page GROUP BY month ORDER BY month"
            )
        )


PUBLISHED = WebPageDay()
