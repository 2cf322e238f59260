"""Retrains a crawl on the labels of its pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.crawls.commands.command import Command, Person, ask, when
from apps.crawls.errors import CrawlRefused
from apps.crawls.labels.counted import CountedLabel, count_labels, in_force
from apps.crawls.models import Change, Crawl, Label
from apps.engine.codes import State
from apps.jobs import queue
from apps.topics.models import Topic

KIND = "labels"


def retrain(crawl: Crawl, by: Person = None) -> None:
    """Retrains the crawl on the labels as they are now. Raises CrawlRefused if it has already.

    The quality of the topic's classifier is measured again as well, in the background.
    """
    if not pending(crawl):
        raise CrawlRefused("labels", "There is no new label to learn from.")
    with transaction.atomic():
        # A change that is not applied yet is replaced: each change names all labels.
        Change.objects.filter(crawl=crawl, kind=KIND, applied=False).delete()
        ask(crawl, KIND, _payload(crawl), by)
    queue.enqueue(crawl.topic, work_wanted=Topic.Work.FETCHING)


def pending(crawl: Crawl, counted: Mapping[int, CountedLabel] | None = None) -> int:
    """How many pages have another label than in the last change the crawl was sent; `counted` are
    its `count_labels`, if they have been read."""
    counted = count_labels(crawl) if counted is None else counted
    now = {seq: label.relevant for seq, label in counted.items()}
    before = dict(
        Label.objects.filter(pk__in=_labels_of_last(crawl)).values_list("seq", "relevant")
    )
    return sum(now.get(seq) != before.get(seq) for seq in now.keys() | before.keys())


def is_asked(crawl: Crawl) -> bool:
    """Whether the crawl was sent labels that it has not learned from yet."""
    return crawl.changes.filter(kind=KIND, applied=False).exists()


def _payload(crawl: Crawl) -> dict[str, Any]:
    """The labels that count, now and before. `given`, and `given_before`, are all labels in force,
    where other ones than those count: an undo goes back to them."""
    before, now = _labels_of_last(crawl), sorted(count_labels(crawl).values(), key=_key)
    keys = [each.pk for each in now]
    new = [each for each in now if each.pk not in before]
    payload = {
        "labels": keys,
        "before": before,
        "yes": sum(each.relevant for each in new),
        "no": sum(not each.relevant for each in new),
        "withdrawn": len(set(before) - set(keys)),
    }
    given = list(in_force(crawl).order_by("id").values_list("pk", flat=True))
    given_before = _last(crawl).get("given", before)
    if (given, given_before) != (keys, before):
        payload |= {"given": given, "given_before": given_before}
    return payload


def _key(label: CountedLabel) -> int:
    return label.pk


def _labels_of_last(crawl: Crawl) -> list[int]:
    """The labels in the last change the crawl was sent."""
    return list(_last(crawl).get("labels", ()))


def _last(crawl: Crawl) -> dict[str, Any]:
    """The examples that the crawl was last sent to learn from; empty if none."""
    last = crawl.changes.filter(kind=KIND).order_by("-id").first()
    return last.payload if last else {}


def _act(crawl: Crawl, value: str, by: Person) -> str:
    retrain(crawl, by)
    return "" if crawl.state == State.RUNNING else when(crawl)


RETRAIN = Command(
    name="retrain",
    title="Retrain now",
    does="Lets the crawl learn from the new labels without waiting for five.",
    act=_act,
)
