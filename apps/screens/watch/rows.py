"""The observations of visits, as rows with a one-line summary of the change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone

from apps.crawls.labels.counted import labels_of_topic
from apps.crawls.selectors import editable_crawls
from apps.engine.digests import digest
from apps.watches.changes import describe, previous_versions
from apps.watches.digests import NEWS
from apps.watches.models import Observation, PageState, PageVersion, TaughtBlock, Watch, WatchedPage
from apps.watches.text_changes.headlines import Headline

SIGNS = {
    PageState.NEW: "+",
    PageState.CHANGED: "~",
    PageState.GONE: "−",
    PageState.SAME: "=",
    PageState.NOT_REACHED: "?",
}
STATES = (*NEWS, PageState.SAME, PageState.NOT_REACHED)
"""In the order of the screen."""
WORDS = {
    PageState.NEW: "new",
    PageState.CHANGED: "changed",
    PageState.GONE: "gone",
    PageState.SAME: "the same",
    PageState.NOT_REACHED: "not reached",
}


@dataclass(frozen=True, slots=True)
class LabelledCopy:
    """The last copy of a page: page `seq` of `crawl`, and the reader's label of it."""

    crawl: int
    seq: int
    label: bool | None


@dataclass(frozen=True, slots=True)
class SightingRow:
    """One page at one visit; `before` is the version before a change, to compare with, `mine` the
    copy that the reader may label. With `is_denied` somebody has said that it was no change, with
    `is_claimed` that it was one."""

    seen: Observation
    line: Headline
    before: PageVersion | None
    mine: LabelledCopy | None = None
    is_denied: bool = False
    is_claimed: bool = False

    @property
    def page(self) -> WatchedPage:
        return self.seen.page

    @property
    def label(self) -> bool | None:
        return self.mine.label if self.mine else None

    @property
    def sign(self) -> str:
        return SIGNS[PageState(self.seen.state)]

    @property
    def word(self) -> str:
        """`changed, no longer relevant`, where both versions were judged, differently."""
        word, version = WORDS[PageState(self.seen.state)], self.seen.version
        is_change = self.seen.state == PageState.CHANGED
        verdicts = {version.relevant, self.before.relevant} if version and self.before else {None}
        if not is_change or version is None or verdicts != {True, False}:
            return word
        return f"{word}, {'now' if version.relevant else 'no longer'} relevant"

    @property
    def title(self) -> str:
        version = self.seen.version
        return (version.title if version else "") or self.seen.page.title or self.seen.page.url

    @property
    def path(self) -> str:
        """The address behind its host."""
        return self.seen.page.url.partition(self.seen.page.host)[2]

    @property
    def relevant(self) -> bool | None:
        version = self.seen.version
        return version.relevant if version else self.seen.page.relevant

    @property
    def stored(self) -> str:
        """The address of the stored copy's page; empty if its crawl is deleted."""
        version = self.seen.version
        if version is None or version.crawl_id is None or version.seq is None:
            return ""
        return reverse("page:page", args=[version.crawl_id, version.seq])


def sightings(
    watch: Watch, states: Sequence[str], since: datetime | None, day: date | None
) -> QuerySet[Observation]:
    """The observations of visits in one of the states, newest first: since a time, or on a day in
    the reader's time zone."""
    rows = Observation.objects.filter(visit__watch=watch, state__in=states)
    if day is not None:
        begin = timezone.make_aware(datetime.combine(day, time()))
        rows = rows.filter(at__gte=begin, at__lt=begin + timedelta(days=1))
    elif since is not None:
        rows = rows.filter(at__gt=since)
    return rows.select_related("page", "visit__watch__topic", "version").order_by("-at", "-pk")


def sighting_rows(seen: Sequence[Observation], reader: User | None = None) -> list[SightingRow]:
    """The rows of some observations, with the versions before theirs, and the labels of a reader
    who may label their pages."""
    changed = [each for each in seen if each.state == PageState.CHANGED]
    before = previous_versions(each.version for each in changed if each.version)
    copies = _copies(seen, reader) if reader and seen else {}
    taught = set(
        TaughtBlock.objects.filter(observation__in=seen).values_list("observation", "is_change")
    )
    return [
        SightingRow(
            each,
            _line(each, before.get(each.version_id or 0)),
            before.get(each.version_id or 0),
            copies.get(each.page_id),
            (each.pk, False) in taught,
            (each.pk, True) in taught,
        )
        for each in seen
    ]


def _copies(seen: Sequence[Observation], reader: User) -> dict[int, LabelledCopy]:
    """The last copies of the pages of one topic that the reader may label, by page."""
    pages = {each.page_id: each.page for each in seen}
    crawls = {page.crawl_id for page in pages.values() if page.crawl_id}
    editable = set(editable_crawls(reader).filter(pk__in=crawls).values_list("pk", flat=True))
    addresses = {pk: digest(page.final_url or page.url) for pk, page in pages.items()}
    labels = labels_of_topic(seen[0].visit.watch.topic)
    mine = labels.filter(by=reader, address__in=addresses.values())
    own = dict(mine.values_list("address", "relevant"))
    return {
        pk: LabelledCopy(page.crawl_id, page.seq, own.get(addresses[pk]))
        for pk, page in pages.items()
        if page.crawl_id in editable and page.seq is not None
    }


def _line(seen: Observation, before: PageVersion | None) -> Headline:
    """The change of the page, in one line."""
    if seen.state in (*NEWS, PageState.NOT_REACHED):
        return describe(seen, before)
    links = seen.new_links
    return Headline(f"{links:,} new link{'' if links == 1 else 's'}") if links else Headline()
