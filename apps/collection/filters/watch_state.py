"""The filter by what the topic's watch has seen of a page last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Count, Q

from apps.collection.filters.of_crawls import OfCrawls
from apps.search.filter import Field
from apps.search.panels import CheckBoxes, Option, PanelNote
from apps.search.sql import raw
from apps.search.values import Values
from apps.watches.models import PageState, Watch, WatchedPage

WORDS = {
    PageState.NEW: "new",
    PageState.CHANGED: "changed",
    PageState.GONE: "gone",
    PageState.SAME: "the same",
    PageState.NOT_REACHED: "not reached",
}


class WatchState(OfCrawls, Values[PageState]):
    """Filters by the state at the last visit that asked for the page."""

    id = "state"
    title = "Watch"
    sentence = (
        "What the topic’s watch has seen of the page at the last visit that asked for it: new,"
        " changed, gone, same or not_reached. It lists the copy that the watch had last."
    )
    unknown = "is no state of a watch"
    fields = (Field("state", "new, changed, gone, same or not_reached."),)
    example = "state=changed&state=gone"

    def parse(self, text: str) -> PageState | None:
        return PageState(text) if text in PageState.values else None

    def words(self, key: PageState) -> str:
        return WORDS[key]

    def chip(self, key: PageState) -> str:
        return f"watch: {WORDS[key]}"

    def condition(self, value: tuple[PageState, ...]) -> Q:
        page, watch = WatchedPage._meta.db_table, Watch._meta.db_table
        states = ", ".join(["%s"] * len(value))
        return raw(
            f"(e.crawl_id, e.seq) IN (SELECT {page}.crawl_id, {page}.seq FROM {page}"
            f" JOIN {watch} ON {watch}.id = {page}.watch_id WHERE {watch}.topic_id = %s"
            f" AND {watch}.deleted_at IS NULL AND {page}.is_watched"
            f" AND {page}.state IN ({states}))",
            (self.context.topic.pk, *(key.value for key in value)),
        )

    def panel(self, value: tuple[PageState, ...], counts: Mapping[Any, int]) -> CheckBoxes | None:
        watched = self._watched()
        keys = [key for key in WORDS if key in value or watched.get(key)]
        if not keys:
            return None
        options = tuple(
            Option(key.value, WORDS[key], watched.get(key, 0), key in value) for key in keys
        )
        return CheckBoxes(self.title, self.name, options, note=PanelNote("of the whole watch"))

    def _watched(self) -> Mapping[str, int]:
        """How many pages of the topic's watch are in each state."""
        rows = WatchedPage.objects.filter(
            watch__topic=self.context.topic, watch__deleted_at=None, is_watched=True
        )
        counted: Iterable[tuple[str, int]] = rows.values_list("state").annotate(Count("pk"))
        return dict(counted)


WATCH_STATE = WatchState()
