"""Effects of a label or a settlement: the topic's example, and the counts of its crawls."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from apps.crawls.commands.command import Person, ask
from apps.crawls.errors import CrawlRefused
from apps.crawls.labels.counted import count_label, count_labels, labels_of_topic
from apps.crawls.models import Crawl, Page
from apps.crawls.pages.bodies import stored_answer
from apps.engine.digests import digest
from apps.topics.annotation import is_blind_beside
from apps.topics.examples import labels as topic_labels
from apps.topics.examples.labels import LabelRefused

HEEDED = "label_heeded"


def follow_labels(crawl: Crawl, page: Page) -> None:
    """Makes the page an example of the topic by the label that counts, or no example if none does.

    Raises CrawlRefused if it cannot be one.
    """
    urls = {page.url, page.final_url}
    relevant = count_label(crawl.topic, digest(page.final_url))
    if relevant is None:
        topic_labels.unteach(crawl.topic, urls)
        return
    try:
        topic_labels.teach(crawl.topic, urls, relevant, lambda: stored_answer(crawl, page))
    except LabelRefused as refusal:
        raise CrawlRefused("page", refusal.message) from None


@contextmanager
def send_changes(crawl: Crawl, addresses: Collection[int], by: Person) -> Iterator[None]:
    """A context in which labels change: when it ends, the crawl, and others of its topic in which
    these pages are labelled, count the changes at once."""
    before = {each: _values(each, addresses) for each in _labelling(crawl, addresses)}
    yield
    after = {each: _values(each, addresses) for each in _labelling(crawl, addresses)}
    for each in before | after:
        was, now = before.get(each, {}), after.get(each, {})
        changed = {seq: now.get(seq) for seq in was | now if was.get(seq) != now.get(seq)}
        send_labels(each, changed, by)


def _labelling(crawl: Crawl, addresses: Collection[int]) -> list[Crawl]:
    """The crawl, and all other crawls in which these pages are labelled."""
    labels = labels_of_topic(crawl.topic).filter(address__in=addresses).order_by()
    others = Crawl.objects.filter(pk__in=labels.values("crawl")).exclude(pk=crawl.pk)
    return [crawl, *others.order_by("pk")]


def _values(crawl: Crawl, addresses: Collection[int]) -> dict[int, bool | None]:
    return {seq: label.relevant for seq, label in count_labels(crawl, addresses).items()}


def send_labels(crawl: Crawl, labels: Mapping[int, bool | None], by: Person) -> None:
    """Sends labels of pages to the crawl; None takes one back."""
    if not labels:
        return
    pages = crawl.pages_fetched.filter(seq__in=labels).order_by("seq")
    rows = pages.values_list("seq", "number", "final_url")
    payload: dict[str, Any] = {
        "labels": [[seq, number, url, labels[seq]] for seq, number, url in rows]
    }
    if is_blind_beside(crawl.topic, by):
        payload["hidden"] = True
    ask(crawl, HEEDED, payload, by)
