"""Settling pages that the person sees."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import Http404

from apps.agreement.answers import page_seen
from apps.crawls.commands.labelling.settling import settle, undo_settlement
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Settlement
from apps.topics.models import Topic


def settle_seen(
    topic: Topic, address: int, relevant: bool | None, by: User, note: str = ""
) -> Settlement:
    """Settles a page, as `settle`; one of crawls that the person may not see is refused like one
    that nobody has labelled. Raises CrawlRefused."""
    if page_seen(topic, address, by) is None:
        raise CrawlRefused("page", "Nobody has labelled this page.")
    return settle(topic, address, relevant, by, note)


def undo_seen(settlement: Settlement, by: User) -> None:
    """Opens a settled page again. Raises CrawlRefused if that was done already, and Http404 if
    somebody else settled a page that the person may not see."""
    seen = page_seen(settlement.topic, settlement.address, by)
    if seen is None and settlement.by_id != by.pk:
        raise Http404
    undo_settlement(settlement, by)
