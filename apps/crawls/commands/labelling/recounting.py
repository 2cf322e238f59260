"""Which of several people's labels count: the rule of a topic, and what follows when it changes."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib.auth.models import User
from django.db import transaction

from apps.crawls.commands.command import Person
from apps.crawls.commands.labelling.label_effects import HEEDED, follow_labels, send_labels
from apps.crawls.commands.labelling.labels import learn
from apps.crawls.errors import CrawlRefused
from apps.crawls.labels.counted import count_labels, labels_of_topic
from apps.crawls.models import Crawl, Label, LabelRecount
from apps.jobs import queue
from apps.topics.lock import lock_topic
from apps.topics.models import Topic

BATCH = 50


def choose_rule(topic: Topic, rule: str, by: User) -> None:
    """Sets which labels count; with `FIRST` those of `by` come first. The topic's examples and its
    crawls follow in the background. Raises CrawlRefused for an unknown rule."""
    if rule not in Topic.LabelRule.values:
        names = ", ".join(Topic.LabelRule.values)
        raise CrawlRefused("rule", f"Give one of the rules: {names}.")
    first = by if rule == Topic.LabelRule.FIRST else None
    if (topic.label_rule, topic.label_first_id) == (rule, first.pk if first else None):
        return
    with transaction.atomic():
        lock_topic(topic.pk)
        topic.label_rule, topic.label_first = rule, first
        topic.save(update_fields=["label_rule", "label_first"])
        row, _ = LabelRecount.objects.update_or_create(topic=topic, defaults={"by": by})
        queue.enqueue(row)


def recount_labels(job: LabelRecount) -> None:
    """Brings the examples of the topic in line with its labels, page by page, then its crawls.

    After a kill it starts again; what is in line already stays as it is.
    """
    labels = labels_of_topic(job.topic).select_related("crawl")
    pages = list({label.address: label for label in labels}.values())
    for start in range(0, len(pages), BATCH):
        _follow(job.topic, pages[start : start + BATCH])
        if not queue.heartbeat(job):
            return
    for crawl in Crawl.objects.filter(pk__in=labels.order_by().values("crawl")):
        resend_labels(crawl, job.by)
        learn(crawl, job.by)
        if not queue.heartbeat(job):
            return


def resend_labels(crawl: Crawl, by: Person) -> None:
    """Sends a crawl the labels that count now, to replace those that it was sent last."""
    now = {seq: label.relevant for seq, label in count_labels(crawl).items()}
    last: dict[int, bool | None] = {}
    changes = crawl.changes.filter(kind=HEEDED).order_by("id")
    for payload in changes.values_list("payload", flat=True):
        last |= {seq: relevant for seq, _, _, relevant in payload["labels"]}
    changed = {seq: now.get(seq) for seq in last | now if last.get(seq) != now.get(seq)}
    send_labels(crawl, changed, by)


def _follow(topic: Topic, labels: Sequence[Label]) -> None:
    with transaction.atomic():
        lock_topic(topic.pk)
        topic.refresh_from_db(fields=["label_rule", "label_first"])
        for label in labels:
            page = label.crawl.pages_fetched.filter(seq=label.seq).first()
            if page is None:
                continue
            try:
                follow_labels(label.crawl, page)
            except CrawlRefused:
                continue  # a page that measures, or judges, since it was labelled
