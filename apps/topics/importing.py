"""Making a topic from a file, and fetching its pages."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from apps.engine.answers import Answer
from apps.jobs import queue
from apps.topics import tasks
from apps.topics.definition.rows import unfetch
from apps.topics.definition.schemas import Definition, TopicFile
from apps.topics.examples.loading import keep_page
from apps.topics.examples.page_store import ExampleWriter
from apps.topics.hosts import replace_all
from apps.topics.inputs import inlinks
from apps.topics.inputs.lists import add_rows, current, remove_list
from apps.topics.messages import OVERLAPS
from apps.topics.models import Example, InputPage, InputTable, Topic
from apps.topics.services import Saved, TopicRefused, create_topic, edit_topic


def import_topic(
    owner: User,
    file: TopicFile,
    web_id: int | None = None,
    *,
    replace: bool = False,
    is_demo: bool = False,
    in_background: bool = False,
    train_later: bool = False,
    fetch: Callable[[Topic], None] = tasks.run_here,
) -> Saved:
    """Saves the topic of a file, of that web, and prepares its examples.

    Its pages are fetched, by `fetch`, and the classifier is trained before this returns. With
    `replace` a topic of the same name is updated and all its pages are read again. The result has
    the lines that were not accepted; with `in_background`, for a person who waits at a screen,
    nothing is fetched or trained here and those lines stay in the topic's form. With `train_later`
    pages are read here and the background trains. Raises TopicRefused, BadWebFile.
    """
    with transaction.atomic():
        saved = _save(owner, file.definition(web_id), replace, is_demo)
        topic = saved.topic
        if not in_background:
            Topic.objects.filter(pk=topic.pk).update(typed={})
            topic.refresh_from_db()
    _keep_brought_pages(topic, file)
    _keep_tables(topic, file)
    if file.decisions is not None:
        replace_all(topic, file.decisions, owner)
    if in_background:
        queue.enqueue(topic, work_wanted=Topic.Work.FETCHING)
    elif train_later:
        tasks.read_here(topic)
        queue.enqueue(topic, work_wanted=Topic.Work.TRAINING)
    else:
        fetch(topic)
    return saved


def _save(owner: User, definition: Definition, replace: bool, is_demo: bool) -> Saved:
    name = definition.name
    topic = Topic.objects.filter(owner=owner, name=name).first()
    if topic is None:
        return create_topic(owner, definition, is_demo=is_demo)
    if not replace:
        raise TopicRefused(
            "name",
            f"There is a topic {name} already. Replace it (--replace), or give the one in"
            " the file another name.",
        )
    saved = edit_topic(topic, definition)
    unfetch(saved.topic)
    return saved


def _keep_brought_pages(topic: Topic, file: TopicFile) -> None:
    with ExampleWriter(topic.pk) as writer:
        brought = file.pages
        for rows in (topic.examples, topic.input_pages):
            for row in rows.filter(url__in=list(brought)):
                keep_page(row, _answer(row.url, brought[row.url]), writer)


def _keep_tables(topic: Topic, file: TopicFile) -> None:
    """Makes the file's traffic and directory the topic's own lists; empty ones remove them."""
    sites = file.sites
    given: dict[str, Iterable[tuple[str, int]] | None] = {
        InputTable.Kind.TRAFFIC: None if file.traffic is None else file.traffic.items(),
        InputTable.Kind.SITES: None if sites is None else [(site, 1) for site in sites],
    }
    for kind, rows in given.items():
        if rows is None:
            continue
        if rows:
            add_rows(topic.owner, topic, kind, "the topic’s file", rows)
        for old in topic.tables.filter(kind=kind) if not rows else ():
            remove_list(old)


def _answer(url: str, html: str) -> Answer:
    return Answer(
        url,
        url,
        status=200,
        headers=(("Content-Type", "text/html; charset=utf-8"),),
        body=html.encode("utf-8", "replace"),
        fetched_at=time.time(),
    )


def import_report(saved: Saved) -> dict[str, Any]:
    """The result of `import_topic` as JSON.

    `inputs` lists the topic's inputs with their pages and rows; `status` which in-link counts a
    crawl would use, and how many positive examples they cover. `overlaps` lists what was removed
    because another list has it, `skipped` the lines that are not URLs or are duplicates, `failed`
    the examples and input pages without a usable page; `quality` has the guiding classifier's
    cross-validated shares, None if it could not be trained.
    """
    topic = saved.topic
    taken = [
        {"list": name, "url": e.text, "reason": str(e.reason)}
        for name, errors in saved.errors.items()
        for e in errors
    ]
    models = (topic.quality or {}).get("models")
    return {
        "topic": topic.pk,
        "name": topic.name,
        "owner": topic.owner.get_username(),
        "web": topic.web.name if topic.web else None,
        "version": topic.version,
        "seeds": topic.seeds.count(),
        "targets": topic.targets.count(),
        "inlinks": topic.inlink_counts.count(),
        "examples": _example_counts(topic),
        "inputs": _input_counts(topic),
        "status": _status(topic),
        "overlaps": [line for line in taken if line["reason"] in OVERLAPS],
        "skipped": [line for line in taken if line["reason"] not in OVERLAPS],
        "failed": [
            *topic.examples.filter(fetch=Example.Fetch.FAILED).values("url", "failure"),
            *topic.input_pages.filter(fetch=InputPage.Fetch.FAILED).values("url", "failure"),
        ],
        "quality": {k: models[0][k]["mean"] for k in ("accuracy", "precision", "recall", "f1")}
        if models
        else None,
        "advice": (topic.quality or {}).get("advice", []),
    }


def _input_counts(topic: Topic) -> dict[str, int]:
    pages = {
        kind.value: topic.input_pages.filter(kind=kind, fetch=InputPage.Fetch.FETCHED).count()
        for kind in InputPage.Kind
    }
    tables = {"traffic": InputTable.Kind.TRAFFIC, "directory": InputTable.Kind.SITES}
    current_tables = {name: current(topic, kind) for name, kind in tables.items()}
    return pages | {name: table.rows if table else 0 for name, table in current_tables.items()}


def _status(topic: Topic) -> dict[str, Any] | None:
    chosen = inlinks.choose(topic)
    return (
        None
        if chosen is None
        else {
            "source": chosen.of,
            "examples": chosen.examples,
            "positives": chosen.positives,
        }
    )


def _example_counts(topic: Topic) -> dict[str, int]:
    train, judge = Example.Role.TRAIN, Example.Role.EVALUATE
    return {
        "positives": topic.examples.filter(role=train, relevant=True).count(),
        "negatives": topic.examples.filter(role=train, relevant=False).count(),
        "evaluation_positives": topic.examples.filter(role=judge, relevant=True).count(),
        "evaluation_negatives": topic.examples.filter(role=judge, relevant=False).count(),
        "fetched": topic.examples.filter(fetch=Example.Fetch.FETCHED).count(),
        "waiting": topic.examples.filter(fetch=Example.Fetch.WAITING).count(),
    }
