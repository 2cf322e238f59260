"""The inputs of a crawl besides its topic, frozen at its start with their provenance."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from apps.crawls.models import Crawl, FrozenInputs
from apps.engine.intelligence.strategies import strategy
from apps.topics.inputs.freezing import freeze, origins


def freeze_inputs(crawl: Crawl, like: Crawl | None = None) -> None:
    """Freezes the crawl's inputs, as they are now or as another crawl of its topic has them.

    A crawl that has been frozen stays unchanged. Raises OSError if the disk is full, BadWebFile if
    the topic's web cannot be read.
    """
    if FrozenInputs.objects.filter(crawl=crawl).exists():
        return
    if like is None:
        needs = strategy(crawl.strategy).build(crawl.parameters).given()
        given = freeze(crawl.topic, needs, crawl.judge)
        pages = crawl.earlier.pages if crawl.earlier else None
    else:
        given, pages = dict(frozen_inputs(like)), like.earlier_pages
        crawl.earlier = like.earlier
    FrozenInputs.objects.create(crawl=crawl, data=given)
    crawl.inputs, crawl.earlier_pages = origins(given), pages
    crawl.save(update_fields=["inputs", "earlier", "earlier_pages"])


def frozen_inputs(crawl: Crawl) -> Mapping[str, Any]:
    """The frozen inputs of the crawl; empty if there are none."""
    found = FrozenInputs.objects.filter(crawl=crawl).first()
    return found.data if found else {}
