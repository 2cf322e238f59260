"""Settling a page that people label differently, for all crawls of its topic."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from apps.crawls.commands.command import Person
from apps.crawls.commands.labelling.label_effects import follow_labels, send_changes
from apps.crawls.errors import CrawlRefused
from apps.crawls.labels.counted import in_force, labels_of_topic
from apps.crawls.models import Crawl, Label, Page, Settlement
from apps.topics.definition.lines import storable
from apps.topics.lock import lock_topic
from apps.topics.models import Topic

LONGEST_NOTE = 1_000


def settle(
    topic: Topic, address: int, relevant: bool | None, by: Person, note: str = ""
) -> Settlement:
    """Settles a labelled page as on the topic or not, or leaves it open (None), so that it trains
    nothing. People's labels stay.

    Raises CrawlRefused if nobody has labelled the page, it is settled already, or its host has been
    taken down.
    """
    with transaction.atomic():
        lock_topic(topic.pk)
        labels = _newest_in_each_crawl(topic, address)
        if not labels:
            raise CrawlRefused("page", "Nobody has labelled this page.")
        if (present := settlement_of(topic, address)) is not None:
            who = present.by.get_username() if present.by else "somebody"
            raise CrawlRefused("page", f"This page is settled by {who}: undo that first.")
        crawl, seq = labels[0].crawl, labels[0].seq
        page = Page.every.get(crawl=crawl, seq=seq)
        if page.hidden:
            raise CrawlRefused("page", "The host of this page has been taken down.")
        with send_changes(crawl, {address}, by):
            settlement = Settlement.objects.create(
                topic=topic,
                address=address,
                url=page.final_url,
                relevant=relevant,
                by=by,
                note=storable(note.strip())[:LONGEST_NOTE],
            )
            for label in labels:
                carry_settlement(label.crawl, label.seq, address)
            follow_labels(crawl, page)
    return settlement


def undo_settlement(settlement: Settlement, by: Person) -> None:
    """Opens a settled page again. Raises CrawlRefused if that was done already."""
    topic, address = settlement.topic, settlement.address
    with transaction.atomic():
        lock_topic(topic.pk)
        rows = Label.objects.filter(settlement=settlement, undone_at=None)
        label = rows.first() or labels_of_topic(topic).filter(address=address).first()
        undone = Settlement.objects.filter(pk=settlement.pk, undone_at=None)
        if label is None:
            undone.update(undone_at=timezone.now())
            return
        with send_changes(label.crawl, {address}, by):
            if not undone.update(undone_at=timezone.now()):
                raise CrawlRefused("page", "This page is open already.")
            rows.update(undone_at=timezone.now())
            follow_labels(label.crawl, Page.every.get(crawl=label.crawl, seq=label.seq))


def settlement_of(topic: Topic, address: int) -> Settlement | None:
    """How the page at an address is settled at present."""
    settlements = Settlement.objects.filter(topic=topic, address=address, undone_at=None)
    return settlements.select_related("by").first()


def carry_settlement(crawl: Crawl, seq: int, address: int) -> None:
    """Sends a crawl the settlement of a page labelled in it, if there is one."""
    settlement = settlement_of(crawl.topic, address)
    if settlement is None or settlement.relevant is None:
        return
    if in_force(crawl).filter(seq=seq).exclude(settlement=None).exists():
        return
    Label.objects.create(
        crawl=crawl,
        seq=seq,
        address=address,
        relevant=settlement.relevant,
        by=settlement.by,
        settlement=settlement,
    )


def _newest_in_each_crawl(topic: Topic, address: int) -> list[Label]:
    """The last label of the page in each crawl of the topic."""
    labels = labels_of_topic(topic).filter(address=address).select_related("crawl")
    return list({label.crawl_id: label for label in labels}.values())
