"""Keeps the versions of a watch within its limits: the oldest are deleted first, of each page never
its first and its last."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F, Max, Min, Sum
from django.db.models.functions import Length

from apps.watches.models import PageVersion, Watch, WatchedPage


def thin_page(page: WatchedPage, most: int) -> int:
    """Deletes the oldest versions of a page beyond so many; returns how many."""
    numbers = list(page.versions.order_by("number").values_list("number", flat=True))
    surplus = numbers[1:-1][: max(0, len(numbers) - max(most, 2))]
    if surplus:
        page.versions.filter(number__in=surplus).delete()
    return len(surplus)


def thin_watch(watch: Watch) -> int:
    """Deletes the oldest versions of all pages until their text takes no more than the limit of the
    watch, if it has one; returns how many."""
    if watch.most_bytes is None:
        return 0
    excess, thinned = bytes_of(watch) - watch.most_bytes, 0
    for pk, size in _oldest(watch):
        if excess <= 0:
            break
        PageVersion.objects.filter(pk=pk).delete()
        excess, thinned = excess - size, thinned + 1
    return thinned


def bytes_of(watch: Watch) -> int:
    """What the texts of all versions take."""
    versions = PageVersion.objects.filter(page__watch=watch)
    return versions.aggregate(size=Sum(Length("blocks")))["size"] or 0


def _oldest(watch: Watch) -> Iterator[tuple[int, int]]:
    """The versions between the first and the last of their pages, the oldest first, with their
    sizes."""
    ends = watch.pages.annotate(first=Min("versions__number"), last=Max("versions__number"))
    several = ends.filter(last__gt=F("first") + 1).values_list("pk", "first", "last")
    inner = {page: range(first + 1, last) for page, first, last in several}
    rows = PageVersion.objects.filter(page__in=inner).order_by("at", "pk")
    sizes = rows.annotate(size=Length("blocks")).values_list("pk", "page", "number", "size")
    return ((pk, size) for pk, page, number, size in list(sizes) if number in inner[page])
