"""The versions of watched pages of a host that was taken down."""

from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.db.models import QuerySet

from apps.crawls.models import Crawl
from apps.dossiers.models import TakeDown, WithheldVersion
from apps.main_text.article import pack
from apps.topics.models import Topic
from apps.watches.models import PageVersion

CHUNK = 500
Heartbeat = Callable[[], bool]


def versions_of(host: str, topics: QuerySet[Topic]) -> QuerySet[PageVersion]:
    """The versions of the host's pages that the topics' watches have, with a content."""
    rows = PageVersion.objects.filter(page__host=host, page__watch__topic__in=topics.values("pk"))
    return rows.exclude(pk__in=WithheldVersion.objects.values("version")).order_by()


def hide(row: TakeDown, crawls: QuerySet[Crawl], heartbeat: Heartbeat) -> bool:
    """Moves the content of all versions out of their rows."""
    topics = Topic.objects.all() if row.everywhere else Topic.objects.filter(pk__in=row.topics)
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
    return True


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
    return True


def erase(row: TakeDown, crawls: QuerySet[Crawl], heartbeat: Heartbeat) -> bool:
    """Deletes the content; the empty rows stay withheld."""
    row.withheld.update(title="", blocks=pack(()))
    return heartbeat()
