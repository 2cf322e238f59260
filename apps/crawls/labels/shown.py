"""Which labels a person sees: their own, and those of others as far as they want to see them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User

from apps.crawls.labels.counted import count_labels, in_force, labels_of_topic
from apps.crawls.models import Crawl
from apps.crawls.selectors import editable_crawls
from apps.topics.annotation import hides_others
from apps.topics.models import Topic


@dataclass(frozen=True, slots=True)
class GivenLabel:
    """Another person's label of a page; `name` is empty for an account that was deleted."""

    name: str
    relevant: bool
    note: str
    at: datetime


def own_labels(topic: Topic, addresses: Collection[int], person: User) -> dict[int, bool | None]:
    """A person's labels, None for none, of those pages that somebody else has labelled."""
    labels = labels_of_topic(topic).filter(address__in=addresses).exclude(by=None)
    own, others = {}, set()
    for address, by, relevant in labels.values_list("address", "by_id", "relevant"):
        if by == person.pk:
            own[address] = relevant
        else:
            others.add(address)
    return {address: own.get(address) for address in others}


def labels_to_show(crawl: Crawl, seqs: Collection[int], person: User) -> dict[int, bool]:
    """The labels of a crawl's pages for a person who looks at the list of its pages: to one who may
    label, pages that others have labelled show their own label only."""
    labels = in_force(crawl).filter(seq__in=seqs)
    pages = dict(labels.values_list("seq", "address"))
    counted = count_labels(crawl, set(pages.values())) if pages else {}
    shown = {seq: label.relevant for seq, label in counted.items() if seq in pages}
    if not pages or not editable_crawls(person).filter(pk=crawl.pk).exists():
        return shown
    own = own_labels(crawl.topic, set(pages.values()), person)
    for seq, address in pages.items():
        if address in own:
            shown.pop(seq, None)
            if (relevant := own[address]) is not None:
                shown[seq] = relevant
    return shown


def labels_of_others(topic: Topic, address: int, person: User) -> tuple[GivenLabel, ...]:
    """The others' labels of a page that a person sees: all if they have labelled it themselves, or
    do not hide others' labels; else none."""
    labels = list(labels_of_topic(topic).filter(address=address).select_related("by"))
    last = {label.by_id: label for label in labels}
    if person.pk not in last and hides_others(topic, person):
        return ()
    return tuple(
        GivenLabel(each.by.get_username() if each.by else "", each.relevant, each.note, each.at)
        for key, each in last.items()
        if key != person.pk
    )
