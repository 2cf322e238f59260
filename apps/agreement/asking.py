"""Asks everybody who labels a topic for the same pages, those that nobody has labelled too."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from enum import StrEnum

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Exists, F, FloatField, Min, OuterRef, Q, QuerySet
from django.db.models.functions import Abs

from apps.agreement.answers import PageAnswers, page_seen
from apps.agreement.models import LabelRequest
from apps.collection.indexing.index import list_pages
from apps.collection.models import Entry
from apps.crawls.labels.counted import labels_of_topic
from apps.crawls.models import Crawl, Page, Settlement
from apps.crawls.selectors import commonly_visible_crawls
from apps.schemas.refused import Refused
from apps.topics.lock import lock_topic
from apps.topics.models import Topic

ASKED_AT_ONCE = 20
MOST_ASKED = 200
"""Pages of one request, and those that may wait for labels."""
DRAWN_FROM = 50_000
"""A draw is among so many pages, the newest."""


class PageChoice(StrEnum):
    """Which pages all are asked to label."""

    RANDOM = "random"
    UNCERTAIN = "uncertain"


def ask_everybody(
    topic: Topic, how: str, by: User, number: int = ASKED_AT_ONCE, after: int | None = None
) -> int:
    """Asks for the labels of so many pages that nobody has labelled: drawn at random, or those of
    whose topicality the crawls are least certain, in crawls that all of them may see. Returns how
    many there were.

    `after` is the last request that the person saw, 0 for none: sent twice it asks once. Raises
    Refused, as where somebody else has asked since.
    """
    if how not in [*PageChoice]:
        raise Refused("how", "Choose pages drawn at random, or uncertain ones.")
    for crawl in commonly_visible_crawls(topic):
        list_pages(crawl)
    while (asked := _ask_for(topic, PageChoice(how), by, number, after)) is None:
        continue
    return asked


def _ask_for(topic: Topic, how: PageChoice, by: User, number: int, after: int | None) -> int | None:
    """Draws the pages before anything is locked, since that reads all of the topic's; None if
    some of them were labelled, asked for or hidden meanwhile."""
    entries = _choose(topic, how, number)
    chosen = [address for address, _, _ in entries]
    with transaction.atomic():
        lock_topic(topic.pk)
        last = LabelRequest.objects.filter(topic=topic).last()
        if after is not None and last is not None and last.pk != after:
            if last.by_id == by.pk:
                return 0
            raise Refused("how", "Somebody else has asked for pages meanwhile: look at them first.")
        labelled = labels_of_topic(topic).order_by().values("address")
        waiting = standing_requests(topic).exclude(address__in=labelled).count()
        if waiting + number > MOST_ASKED:
            raise Refused("how", f"{waiting} pages that were asked for have no label yet.")
        if not _are_free(topic, chosen):
            return None
        # A request for a page that was hidden since gives way to one for its address.
        LabelRequest.objects.filter(topic=topic, address__in=chosen).delete()
        LabelRequest.objects.bulk_create(
            LabelRequest(topic=topic, crawl_id=crawl, seq=seq, address=address, by=by)
            for address, crawl, seq in entries
        )
    if not entries:
        raise Refused("how", "Every page that all of you see has a label, or is asked for already.")
    return len(entries)


def withdraw(topic: Topic) -> int:
    """Asks for no page any more that nobody has labelled; returns how many there were."""
    labelled = labels_of_topic(topic).order_by().values("address")
    rows = LabelRequest.objects.filter(topic=topic).exclude(address__in=labelled)
    return rows.delete()[0]


def last_request(topic: Topic) -> int:
    """The key of the newest request; 0 for none."""
    row = LabelRequest.objects.filter(topic=topic).last()
    return row.pk if row else 0


def standing_requests(topic: Topic) -> QuerySet[LabelRequest]:
    """The requests for pages that are shown, in crawls visible to everybody who may label the
    topic."""
    crawls = commonly_visible_crawls(topic).values("pk")
    shown = Page.objects.filter(crawl=OuterRef("crawl"), seq=OuterRef("seq"))
    return LabelRequest.objects.filter(Exists(shown), topic=topic, crawl__in=crawls)


def requests_to(person: User, topic: Topic, pages: Iterable[PageAnswers]) -> list[LabelRequest]:
    """The pages that a person is asked for and has not labelled, in the order of asking."""
    done = {page.address for page in pages if person.pk in page.labels or page.settlement}
    return [row for row in standing_requests(topic) if row.address not in done]


def page_to_answer(topic: Topic, address: int, person: User) -> tuple[Crawl, int] | None:
    """The crawl and the number of the page that a person labels at an address: the one that all are
    asked for, else one that they see and somebody has labelled; None without any."""
    request = standing_requests(topic).filter(address=address).select_related("crawl").first()
    if request is not None:
        return request.crawl, request.seq
    if not labels_of_topic(topic).filter(address=address).exists():
        return None
    position = page_seen(topic, address, person)
    return (Crawl.objects.get(pk=position[0]), position[1]) if position else None


def as_answers(rows: Sequence[LabelRequest], pages: Iterable[PageAnswers]) -> list[PageAnswers]:
    """The answers that people have given so far to the pages of these requests."""
    answered = {page.address: page for page in pages}
    return [
        answered.get(row.address)
        or PageAnswers(row.address, row.crawl_id, row.seq, {}, "", "", None)
        for row in rows
    ]


def _choose(topic: Topic, how: PageChoice, number: int) -> list[tuple[int, int, int]]:
    """Address, crawl and number of the pages."""
    entries = _unlabelled(topic)
    if how == PageChoice.UNCERTAIN:
        doubt = Abs(F("topicality") - 0.5, output_field=FloatField())
        entries = entries.exclude(topicality=None).order_by(doubt, "pk")
        rows = entries.values_list("address", "crawl_id", "seq")[: 3 * number]
        return _each_once(rows)[:number]
    newest = entries.order_by("-pk").values_list("address", "crawl_id", "seq")[:DRAWN_FROM]
    pages = _each_once(newest)
    return random.SystemRandom().sample(pages, min(number, len(pages)))


def _each_once(rows: Iterable[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    return [*{address: (address, crawl, seq) for address, crawl, seq in rows}.values()]


def _are_free(topic: Topic, addresses: Sequence[int]) -> bool:
    """Whether pages that were drawn are still shown, without label, settlement and request."""
    shown = Entry.objects.filter(topic=topic, address__in=addresses).order_by()
    taken = (
        labels_of_topic(topic),
        Settlement.objects.filter(topic=topic, undone_at=None),
        standing_requests(topic),
    )
    return {*addresses} == {*shown.values_list("address", flat=True)} and not any(
        rows.filter(address__in=addresses).exists() for rows in taken
    )


def _unlabelled(topic: Topic) -> QuerySet[Entry]:
    """The pages of the topic without a label, a settlement or a request, one of near-duplicates;
    none that the topic has as an example or a target, and none that only some may see."""
    crawls = list(commonly_visible_crawls(topic).values_list("pk", flat=True))
    settled = Settlement.objects.filter(topic=topic, undone_at=None)
    entries = Entry.objects.filter(crawl__in=crawls)
    # The first page of a group may be in a crawl that only some see.
    grouped = entries.exclude(fold=None).exclude(fold__in=entries.order_by().values("pk"))
    firsts = grouped.order_by().values("fold").annotate(first=Min("pk")).values("first")
    one_of_each = Q(fold=None) | Q(fold=F("page_id")) | Q(pk__in=firsts)
    return (
        entries.filter(one_of_each, example=False, target=False)
        .exclude(address__in=labels_of_topic(topic).order_by().values("address"))
        .exclude(address__in=settled.values("address"))
        .exclude(address__in=standing_requests(topic).order_by().values("address"))
    )
