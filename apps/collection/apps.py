"""The app; it is notified of deleted crawls and of the topicality of pages at the end of a crawl,
and asked what watched searches match."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.apps import AppConfig
from django.db.models.signals import post_delete

if TYPE_CHECKING:
    from apps.crawls.models import Crawl
    from apps.watches.models import WatchVisit
    from apps.watches.search_news import SearchMatches


class CollectionConfig(AppConfig):
    name = "apps.collection"

    def ready(self) -> None:
        from apps.crawls.models import Crawl
        from apps.crawls.signals import topicality_changed
        from apps.watches.signals import matches_asked

        post_delete.connect(_sweep, sender=Crawl, dispatch_uid="collection-sweep")
        topicality_changed.connect(_order, dispatch_uid="collection-order")
        matches_asked.connect(_match, dispatch_uid="collection-match")


def _sweep(**_: Any) -> None:
    from apps.collection.tasks import ask_for_sweep

    ask_for_sweep()


def _order(crawl: Crawl, **_: Any) -> None:
    from apps.collection.indexing.index import order_pages

    order_pages(crawl)


def _match(visit: WatchVisit, goes_on: Callable[[], bool], **_: Any) -> list[SearchMatches]:
    from apps.collection.saved_searches.watched import match_visit

    return list(match_visit(visit, goes_on))
