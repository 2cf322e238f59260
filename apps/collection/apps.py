"""The app; it is notified of deleted crawls."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_delete


class CollectionConfig(AppConfig):
    name = "apps.collection"

    def ready(self) -> None:
        from apps.crawls.models import Crawl

        post_delete.connect(_sweep, sender=Crawl, dispatch_uid="collection-sweep")


def _sweep(**_: Any) -> None:
    from apps.collection.tasks import ask_for_sweep

    ask_for_sweep()
