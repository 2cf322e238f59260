"""The versions of watched pages of a host that was taken down, and what the pages' titles and
digests have of them."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.db.models import QuerySet

from apps.crawls.models import Crawl
from apps.dossiers.models import TakeDown, WithheldVersion
from apps.main_text.article import pack
from apps.topics.models import Topic
from apps.watches.digests import rewrite_lines
from apps.watches.models import PageVersion, WatchedPage
from apps.watches.selectors import pages_of_host

CHUNK = 500
Heartbeat = Callable[[], bool]


def versions_of(host: str, topics: QuerySet[Topic]) -> QuerySet[PageVersion]:
    """The versions of the host's pages that the topics' watches have, with a content."""
    rows = PageVersion.objects.filter(page__in=pages_of_host(host, topics).values("pk"))
    return rows.exclude(pk__in=WithheldVersion.objects.values("version")).order_by()


def hide(row: TakeDown, crawls: QuerySet[Crawl], heartbeat: Heartbeat) -> bool:
    """Moves the content of all versions out of their rows, and out of titles and digests."""
    topics = row.concerned_topics
    while chunk := list(versions_of(row.host, topics)[:CHUNK]):
        with transaction.atomic():
            WithheldVersion.objects.bulk_create(
                WithheldVersion(
                    take_down=row, version=each, title=each.title, blocks=bytes(each.blocks)
                )
                for each in chunk
            )
            PageVersion.objects.filter(pk__in=[each.pk for each in chunk]).update(
                title="", blocks=pack(())
            )
        if not heartbeat():
            return False
    _pages_of(row).update(title="")
    rewrite_lines(row.host, topics)
    return heartbeat()


def show(row: TakeDown, crawls: QuerySet[Crawl], heartbeat: Heartbeat) -> bool:
    """Puts the content back."""
    while chunk := list(row.withheld.order_by("pk")[:CHUNK]):
        with transaction.atomic():
            for each in chunk:
                PageVersion.objects.filter(pk=each.version_id).update(
                    title=each.title, blocks=bytes(each.blocks)
                )
            WithheldVersion.objects.filter(pk__in=[each.pk for each in chunk]).delete()
        if not heartbeat():
            return False
    for page in _pages_of(row).filter(title=""):
        if last := page.versions.order_by("-number").first():
            WatchedPage.objects.filter(pk=page.pk).update(title=last.title)
    rewrite_lines(row.host, row.concerned_topics)
    return heartbeat()


def pass_on(row: TakeDown, other: TakeDown) -> None:
    """Hands what this take-down withheld to another take-down of the host, for its topics."""
    held = row.withheld.filter(version__page__watch__topic__in=other.concerned_topics.values("pk"))
    WithheldVersion.objects.filter(pk__in=list(held.values_list("pk", flat=True))).update(
        take_down=other
    )


def erase(row: TakeDown, crawls: QuerySet[Crawl], heartbeat: Heartbeat) -> bool:
    """Deletes the content; the empty rows stay withheld."""
    row.withheld.update(title="", blocks=pack(()))
    return heartbeat()


def _pages_of(row: TakeDown) -> QuerySet[WatchedPage]:
    return pages_of_host(row.host, row.concerned_topics)
