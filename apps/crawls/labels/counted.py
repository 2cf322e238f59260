"""Which label of a page counts where several people have labelled it.

A settlement comes first, then the topic's rule, by default the majority. In a crawl a person's
label is the one they gave there, else their last one in another crawl of the topic; for the topic
it is their last one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import QuerySet

from apps.crawls.models import Crawl, Label, Settlement
from apps.topics.models import Topic

Answers = Mapping[int | None, bool] | Mapping[int, bool]
"""Whether a page is on the topic, by the keys of people; None for those without an account."""


@dataclass(frozen=True, slots=True)
class CountingRule:
    """How answers to one page become the label that counts; `first` is a person's key."""

    rule: str = Topic.LabelRule.MAJORITY
    first: int | None = None

    @classmethod
    def of(cls, topic: Topic) -> CountingRule:
        return cls(topic.label_rule, topic.label_first_id)

    def value(self, answers: Answers) -> bool | None:
        """The label that counts; None if none does: a tie trains nothing."""
        if self.rule == Topic.LabelRule.FIRST and self.first is not None and self.first in answers:
            return answers[self.first]
        yes = sum(answers.values())
        no = len(answers) - yes
        if self.rule == Topic.LabelRule.AGREED:
            return None if len(answers) < 2 or (yes and no) else yes > no
        return None if yes == no else yes > no


class CountedLabel(NamedTuple):
    """A label's columns, as in Label: of some hundred labels, reading these takes a fifth of what
    reading whole rows takes."""

    pk: int
    seq: int
    address: int
    by_id: int | None
    relevant: bool
    settlement_id: int | None


def in_force(crawl: Crawl) -> QuerySet[Label]:
    """The labels that have not been removed, those of settlements among them."""
    return Label.objects.filter(crawl=crawl, undone_at=None)


def labels_of_topic(topic: Topic) -> QuerySet[Label]:
    """People's labels in force in all crawls of a topic, in the order in which they were given."""
    labels = Label.objects.filter(crawl__topic=topic, crawl__deleted_at=None)
    return labels.filter(undone_at=None, settlement=None).order_by("id")


def labelled_pages(crawl: Crawl) -> int:
    """How many pages of a crawl anybody has labelled."""
    return in_force(crawl).order_by().values("seq").distinct().count()


def count_labels(crawl: Crawl, addresses: Collection[int] | None = None) -> dict[int, CountedLabel]:
    """The label that counts for each labelled page of a crawl, by page number: the first label with
    the value that counts. Of the pages at `addresses`, or of all. A page without one does not train
    this crawl."""
    labels = in_force(crawl).order_by("id")
    if addresses is not None:
        labels = labels.filter(address__in=addresses)
    pages: dict[int, list[CountedLabel]] = defaultdict(list)
    for row in labels.values_list(*CountedLabel._fields):
        label = CountedLabel(*row)
        pages[label.seq].append(label)
    if not pages:
        return {}
    settled = _settled(crawl.topic, labels)
    elsewhere = _elsewhere(crawl, labels)
    rule = CountingRule.of(crawl.topic)
    counted = {}
    for seq, given in pages.items():
        address = given[0].address
        answers = {each.by_id: each.relevant for each in given if each.settlement_id is None}
        value = (
            settled[address]
            if address in settled
            else rule.value({**elsewhere.get(address, {}), **answers})
        )
        if agreeing := [each for each in given if each.relevant == value]:
            counted[seq] = agreeing[0]
    return counted


def count_label(topic: Topic, address: int) -> bool | None:
    """The label of an address that counts for its topic, or None."""
    settlement = Settlement.objects.filter(topic=topic, address=address, undone_at=None).first()
    if settlement is not None:
        return settlement.relevant
    labels = labels_of_topic(topic).filter(address=address)
    return CountingRule.of(topic).value(dict(labels.values_list("by_id", "relevant")))


def _settled(topic: Topic, labels: QuerySet[Label]) -> dict[int, bool | None]:
    """How the labelled pages were settled, by address."""
    settlements = Settlement.objects.filter(topic=topic, undone_at=None)
    addresses = labels.order_by().values("address")
    return dict(settlements.filter(address__in=addresses).values_list("address", "relevant"))


def _elsewhere(crawl: Crawl, labels: QuerySet[Label]) -> dict[int, dict[int | None, bool]]:
    """People's answers in other crawls of the topic, by address."""
    answers: dict[int, dict[int | None, bool]] = defaultdict(dict)
    others = labels_of_topic(crawl.topic).exclude(crawl=crawl)
    others = others.filter(address__in=labels.order_by().values("address"))
    for address, person, relevant in others.values_list("address", "by_id", "relevant"):
        answers[address][person] = relevant
    return answers
