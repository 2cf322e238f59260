"""Writing the events of a crawl."""

from __future__ import annotations

from typing import Any

from django.utils import timezone

from apps.crawls.models import Crawl, Event


def write_event(
    crawl: Crawl,
    kind: str,
    payload: dict[str, Any],
    *,
    request: int,
    pages: int,
    by_id: int | None = None,
) -> None:
    """Appends one event; only the crawl's runner writes events while it runs."""
    last = crawl.events.order_by("-seq").values_list("seq", flat=True).first() or 0
    Event.objects.create(
        crawl=crawl,
        seq=last + 1,
        request=request,
        pages=pages,
        kind=kind,
        payload=payload,
        by_id=by_id,
        at=timezone.now(),
    )
