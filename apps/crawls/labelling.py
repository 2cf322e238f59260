"""Labels of crawled pages: y or n, taken back by the same key, and what they change.

A label becomes an example of the topic at once. A crawl learns from them after five, or when it is
told to: the change `labels` names all labels that hold from then on.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import transaction
from django.utils import timezone

from apps.crawls.models import Change, Crawl, Label, Page
from apps.crawls.services import CrawlRefused, ask
from apps.crawls.stored import stored_answer
from apps.topics import labels as topic_labels
from apps.topics import work
from apps.topics.labels import LabelRefused
from apps.topics.models import Topic

ENOUGH = 5
KIND = "labels"


@dataclass(frozen=True, slots=True)
class Labelled:
    """What a page's label is now (None: none), and how many pages wait to be learned from."""

    relevant: bool | None
    pending: int
    asked: bool


def label(crawl: Crawl, seq: int, relevant: bool, by: AbstractUser | None = None) -> Labelled:
    """Labels page `seq`; the label it has already is taken back. Retrains once five are new.

    Raises CrawlRefused where there is no such page or it cannot teach.
    """
    page = crawl.pages_fetched.filter(seq=seq).first()
    if page is None:
        raise CrawlRefused("page", f"The crawl has no page {seq}.")
    with transaction.atomic():
        present = _in_force(crawl).filter(seq=seq).first()
        if present is not None:
            _withdraw(crawl, present, page)
        now = relevant if present is None or present.relevant != relevant else None
        if now is not None:
            _give(crawl, page, now, by)
    waiting = pending(crawl)
    if waiting >= ENOUGH:
        retrain(crawl, by)
    return Labelled(now, waiting if waiting < ENOUGH else 0, waiting >= ENOUGH)


def retrain(crawl: Crawl, by: AbstractUser | None = None) -> None:
    """Has the crawl learn from the labels as they are now. Raises CrawlRefused if it has."""
    if not pending(crawl):
        raise CrawlRefused("labels", "There is no new label to learn from.")
    _ask_to_learn(crawl, by)


def pending(crawl: Crawl) -> int:
    """How many pages have another label than the crawl was last told of."""
    now = dict(_in_force(crawl).values_list("seq", "relevant"))
    told = dict(Label.objects.filter(pk__in=_told(crawl)).values_list("seq", "relevant"))
    return sum(now.get(seq) != told.get(seq) for seq in now.keys() | told.keys())


def go_back(crawl: Crawl, wanted: Collection[int], held: Collection[int],
            by: AbstractUser | None = None) -> None:
    """Has the labels `wanted` hold in place of `held`, for an undo; later ones stay.

    Raises CrawlRefused where nothing would change.
    """
    with transaction.atomic():
        for each in _in_force(crawl).filter(pk__in=set(held) - set(wanted)):
            _withdraw(crawl, each, crawl.pages_fetched.get(seq=each.seq))
        taken = set(_in_force(crawl).values_list("seq", flat=True))
        for each in crawl.labels.filter(pk__in=wanted).exclude(undone_at=None):
            if each.seq not in taken:
                _give_again(crawl, each)
    retrain(crawl, by)


def is_asked(crawl: Crawl) -> bool:
    """Whether the crawl has been told of labels and has not learned from them yet."""
    return crawl.changes.filter(kind=KIND, applied=False).exists()


def labels_of(crawl: Crawl, seqs: Collection[int]) -> dict[int, bool]:
    """The labels in force of some pages."""
    return dict(_in_force(crawl).filter(seq__in=seqs).values_list("seq", "relevant"))


def _payload(told: list[int], now: list[Label]) -> dict[str, Any]:
    new = [each for each in now if each.pk not in told]
    return {
        "labels": [each.pk for each in now],
        "before": told,
        "yes": sum(each.relevant for each in new),
        "no": sum(not each.relevant for each in new),
        "withdrawn": len(set(told) - {each.pk for each in now}),
    }


def _in_force(crawl: Crawl) -> Any:
    return Label.objects.filter(crawl=crawl, undone_at=None)


def _told(crawl: Crawl) -> list[int]:
    """The labels that the crawl was last told of."""
    last = crawl.changes.filter(kind=KIND).order_by("-id").first()
    return list(last.payload["labels"]) if last else []


def _give(crawl: Crawl, page: Page, relevant: bool, by: AbstractUser | None) -> None:
    before = _teach(crawl, page, relevant)
    Label.objects.create(
        crawl=crawl, seq=page.seq, relevant=relevant, by=by, example_before=before
    )


def _give_again(crawl: Crawl, label: Label) -> None:
    page = crawl.pages_fetched.get(seq=label.seq)
    label.example_before = _teach(crawl, page, label.relevant)
    label.undone_at = None
    label.save(update_fields=["example_before", "undone_at"])


def _teach(crawl: Crawl, page: Page, relevant: bool) -> dict[str, Any] | None:
    try:
        return topic_labels.teach(
            crawl.topic, _addresses(page), relevant, lambda: stored_answer(crawl, page)
        )
    except LabelRefused as refusal:
        raise CrawlRefused("page", refusal.message) from None


def _withdraw(crawl: Crawl, label: Label, page: Page) -> None:
    label.undone_at = timezone.now()
    label.save(update_fields=["undone_at"])
    topic_labels.unteach(crawl.topic, _addresses(page), label.example_before)


def _addresses(page: Page) -> set[str]:
    return {page.url, page.final_url}


def _ask_to_learn(crawl: Crawl, by: AbstractUser | None) -> None:
    """The topic's quality is measured anew as well, in the background."""
    with transaction.atomic():
        # What nobody has learned yet is overtaken: each change names all labels.
        Change.objects.filter(crawl=crawl, kind=KIND, applied=False).delete()
        ask(crawl, KIND, _payload(_told(crawl), list(_in_force(crawl).order_by("id"))), by)
    work.ask(crawl.topic, Topic.Work.FETCHING)
