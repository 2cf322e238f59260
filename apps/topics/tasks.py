"""The background jobs of topics."""

from __future__ import annotations

import logging
from collections.abc import Callable

from apps.engine.errors import EngineError
from apps.jobs import queue
from apps.topics.definition.rows import settle_targets
from apps.topics.examples.fetching import fetch_all
from apps.topics.examples.gathering import gather_background
from apps.topics.examples.loading import (
    load_class_pages,
    load_examples,
    load_input_pages,
    load_target_pages,
)
from apps.topics.examples.negatives import ask_the_others, draw_negatives, waits_for_others
from apps.topics.inputs import lists
from apps.topics.inputs.backlink_scan import scan_web
from apps.topics.inputs.catalogue import list_of
from apps.topics.inputs.directory_classes import want_class_pages
from apps.topics.inputs.table_list import TableList
from apps.topics.models import Example, InputTable, Topic
from apps.topics.snapshots import is_outdated
from apps.topics.targets import check_targets
from apps.topics.training import train
from apps.topics.versions import new_version

log = logging.getLogger("crawlsite.topics")


def prepare_topic(topic: Topic) -> None:
    """Does the work that was queued; pages that cannot be read are reported in the topic's quality.

    The last of the topics made together to be fetched queues the draw of the others' negatives.
    """
    fetching = topic.examples.filter(fetch=Example.Fetch.WAITING).exists()
    try:
        prepare(topic, lambda: queue.heartbeat(topic))
    except (EngineError, OSError) as error:
        log.warning("topic %s: %s", topic.pk, error)
        queue.fail(
            topic, str(error), quality={"failure": str(error)}, quality_version=topic.version
        )
    ask_the_others(topic, fetched=fetching)


def read_list(table: InputTable) -> None:
    """Reads a list that was too large to be read when it was added."""
    added = list_of(table.kind)
    assert isinstance(added, TableList)
    lists.read_list(table, added.format)


def run_here(topic: Topic, report: Callable[[], object] = lambda: None) -> None:
    """Fetches the examples and trains in this process, without a worker; `report` is called after
    each page.

    Raises BadWebFile if the topic's web or a stored page cannot be read.
    """
    queue.claim_here(topic, work_wanted=Topic.Work.FETCHING)

    def heartbeat() -> bool:
        report()
        return queue.heartbeat(topic)

    try:
        prepare(Topic.objects.get(pk=topic.pk), heartbeat)
    finally:
        queue.finish(topic)
    topic.refresh_from_db()


def read_here(topic: Topic) -> None:
    """Reads the examples in this process, for a crawl that starts at once.

    Raises BadWebFile as `run_here`.
    """
    load_examples(topic, fetch_all(topic.web), lambda: True)


def prepare(topic: Topic, heartbeat: Callable[[], bool]) -> None:
    """Fetches what waits (and gathers a background if that is the work), draws, scans, trains.

    A small recorded web is scanned for in-links and back-links; a large one if that is the work.
    Waiting targets are checked last.
    """
    fetch = fetch_all(topic.web)
    changed = load_examples(topic, fetch, heartbeat) > 0
    if topic.work == Topic.Work.GATHERING and heartbeat():
        changed |= gather_background(topic, fetch, heartbeat) > 0
    load_target_pages(topic, fetch, heartbeat)
    if not heartbeat() or waits_for_others(topic):
        return
    changed |= draw_negatives(topic)
    changed |= settle_targets(topic)
    if changed or is_outdated(topic):
        new_version(topic)
    scan_web(topic, topic.work == Topic.Work.SCANNING, heartbeat)
    load_input_pages(topic, fetch, heartbeat)
    if topic.work == Topic.Work.CLASSES:
        want_class_pages(topic)
    if heartbeat():
        train(topic, compare_all=topic.work == Topic.Work.TRAINING)
        check_targets(topic, fetch, heartbeat)
        load_class_pages(topic, fetch, heartbeat)
