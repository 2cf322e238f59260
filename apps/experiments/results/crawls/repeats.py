"""Crawls of one set-up: how the pages of the last differ from those of the first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, Q, Subquery

from apps.collection.models import Entry
from apps.crawls.models import Crawl, FailedRequest, Page
from apps.experiments.results.crawls.page_sets import PageSets
from apps.experiments.results.crawls.set_ups import SettingDifference

SEED = "random_seed"
GONE = ("http_404", "http_410")


@dataclass(frozen=True, slots=True)
class Repeat:
    """The pages of crawl `last` beside those of crawl `first`, by their numbers.

    `new` pages are only in the last, `changed` and `same` in both, with other or the same bytes;
    `gone` are those of the first that the last got 404 or 410 for, `not_reached` its others.
    `other_seed` is whether the random seeds differ, `unlisted` how many pages of all crawls are
    not indexed yet and counted nowhere.
    """

    first: int
    last: int
    times: int
    other_seed: bool
    new: int
    changed: int
    same: int
    gone: int
    not_reached: int
    unlisted: int

    @property
    def differs(self) -> bool:
        return bool(self.new or self.changed or self.gone or self.not_reached)


def repeat_of(
    crawls: Sequence[Crawl], settings: Sequence[SettingDifference], pages: PageSets | None
) -> Repeat | None:
    """The repeat that crawls of one topic are; None if they differ in more than the random seed, or
    have no pages."""
    if pages is None or not pages.different or {setting.name for setting in settings} - {SEED}:
        return None
    first, *_, last = sorted(crawls, key=lambda crawl: crawl.pk)
    shared = pages.shared(first.pk, last.pk)
    changed = _changed(first, last)
    gone = min(_count_gone(first, last), shared.first_alone)
    return Repeat(
        first.pk,
        last.pk,
        len(crawls),
        bool(settings),
        shared.second_alone,
        changed,
        shared.both - changed,
        gone,
        shared.first_alone - gone,
        pages.unlisted,
    )


def _changed(first: Crawl, last: Crawl) -> int:
    """How many addresses both have, with other bytes; counted by the database."""
    twin = Entry.objects.filter(topic=first.topic_id, crawl=first, address=OuterRef("address"))
    digest = Page.objects.values("digest")
    return (
        Entry.objects.filter(crawl=last)
        .annotate(twin=Subquery(twin.order_by().values("page_id")[:1]))
        .filter(twin__isnull=False)
        .annotate(
            now=Subquery(digest.filter(pk=OuterRef("page_id"))),
            then=Subquery(digest.filter(pk=OuterRef("twin"))),
        )
        .filter(~Q(now=F("then")))
        .count()
    )


def _count_gone(first: Crawl, last: Crawl) -> int:
    """How many pages of the first are no more, by the answers that the last got."""
    was = Page.objects.filter(crawl=first, host=OuterRef("host"), url=OuterRef("url"))
    return FailedRequest.objects.filter(Exists(was), crawl=last, kind__in=GONE).count()
