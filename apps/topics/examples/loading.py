"""Fetching a topic's examples and storing their pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.db.models import QuerySet

from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.engine.model import Document
from apps.engine.parsing.document import parse
from apps.topics.definition.rows import UNFETCHED
from apps.topics.examples.fetching import FetchAll
from apps.topics.examples.page_store import ExampleWriter
from apps.topics.models import (
    BackgroundPage,
    ClassPage,
    Example,
    InputPage,
    StoredPage,
    TargetPage,
    Topic,
)

WAITING = StoredPage.Fetch.WAITING


def load_examples(topic: Topic, fetch_all: FetchAll, heartbeat: Callable[[], bool]) -> int:
    """Fetches the waiting examples, in stored order; returns how many gave a page.

    `heartbeat` is called after each; if it returns False the rest stays waiting.
    """
    return _load(topic, topic.examples.filter(fetch=WAITING), fetch_all, heartbeat)


def load_input_pages(topic: Topic, fetch_all: FetchAll, heartbeat: Callable[[], bool]) -> int:
    """Loads the pages of its corpus and its back-link pages."""
    loaded = 0
    for kind in InputPage.Kind:
        waiting = topic.input_pages.filter(fetch=WAITING, kind=kind)
        loaded += _load(topic, waiting, fetch_all, heartbeat)
    return loaded


def load_target_pages(topic: Topic, fetch_all: FetchAll, heartbeat: Callable[[], bool]) -> int:
    """Loads the targets whose pages LC's judges learn from."""
    return _load(topic, topic.target_pages.filter(fetch=WAITING), fetch_all, heartbeat)


def load_background_pages(topic: Topic, fetch_all: FetchAll, heartbeat: Callable[[], bool]) -> int:
    """Loads the pages drawn as a background."""
    return _load(topic, topic.background_pages.filter(fetch=WAITING), fetch_all, heartbeat)


def load_class_pages(topic: Topic, fetch_all: FetchAll, heartbeat: Callable[[], bool]) -> int:
    """Loads the pages of its directory's classes."""
    return _load(topic, topic.class_pages.filter(fetch=WAITING), fetch_all, heartbeat)


def _load(
    topic: Topic, rows: Iterable[StoredPage], fetch_all: FetchAll, heartbeat: Callable[[], bool]
) -> int:
    waiting = {row.url: row for row in rows}
    loaded = 0
    if not waiting:
        return loaded
    with ExampleWriter(topic.pk) as writer:
        for url, answer in fetch_all(list(waiting)):
            loaded += keep_page(waiting[url], answer, writer)
            if not heartbeat():
                break
    return loaded


def keep_page(
    row: StoredPage, answer: Answer, writer: ExampleWriter, document: Document | None = None
) -> bool:
    """Stores a page, or why it is unusable. True if it can be learned from. `document` is the
    answer as it was parsed before, where the caller holds a write transaction."""
    fields = dict(UNFETCHED)
    if answer.failure or answer.status is None:
        reason = answer.failure or str(Failure.PROTOCOL)
    else:
        document = document or parse(answer)
        fields |= {"title": document.title[:1000], "words": document.visible}
        reason = _unusable(row, answer, document)
    fields |= {"final_url": answer.final_url, "failure": reason[:40]}
    fields["fetch"] = StoredPage.Fetch.FAILED if reason else StoredPage.Fetch.FETCHED
    if not reason:
        record = writer.append(answer)
        fields |= {
            "file": record.file,
            "offset": record.offset,
            "length": record.length,
            "digest": record.digest,
        }
    # A row that was deleted or taken down during the fetch stays so.
    rows = type(row)._default_manager.filter(pk=row.pk)
    rows = rows.exclude(failure=StoredPage.Unusable.TAKEN_DOWN)
    return bool(rows.update(**fields)) and not reason


def _unusable(row: StoredPage, answer: Answer, document: Document) -> str:
    if document.needs_javascript:
        return StoredPage.Unusable.NEEDS_JAVASCRIPT
    if not document.visible or document.has_no_text:
        return StoredPage.Unusable.NO_WORDS
    others = _alike(row).exclude(pk=row.pk)
    if others.filter(final_url=answer.final_url, fetch=StoredPage.Fetch.FETCHED).exists():
        return StoredPage.Unusable.SAME_PAGE
    return ""


def _alike(row: StoredPage) -> QuerySet[Any]:
    """The pages of its topic that a page may not duplicate."""
    if isinstance(row, InputPage):
        return InputPage.objects.filter(topic_id=row.topic_id, kind=row.kind)
    assert isinstance(row, Example | TargetPage | BackgroundPage | ClassPage)
    return type(row).objects.filter(topic_id=row.topic_id)
