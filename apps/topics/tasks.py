"""What the workers of the background cluster do for topics."""

from __future__ import annotations

import fcntl
import logging
from collections.abc import Callable

from apps.engine.errors import EngineError
from apps.topics import sources, uploads, work
from apps.topics.background import gather_background
from apps.topics.backlinks import scan_web
from apps.topics.definition import settle_targets
from apps.topics.directory_import import remove_rows
from apps.topics.directory_models import Directory
from apps.topics.fetching import fetch_all
from apps.topics.loading import load_examples, load_source_pages
from apps.topics.models import SourceTable, Topic
from apps.topics.negatives import draw_negatives
from apps.topics.target_checks import check_targets
from apps.topics.training import train

log = logging.getLogger("crawlsite.topics")


def run(topic_id: int, number: int) -> str:
    """Does the work that was asked for under that number; a second delivery does nothing."""
    topic = work.claim(topic_id, number)
    if topic is None:
        return "not this work any more"
    try:
        prepare(topic, lambda: work.goes_on(topic_id, number))
    except (EngineError, OSError) as error:
        log.warning("topic %s: %s", topic_id, error)
        Topic.objects.filter(pk=topic_id, work_number=number).update(
            quality={"failure": str(error)}, quality_version=topic.version
        )
    finally:
        work.end(topic_id, number)
    return "done"


def run_here(topic: Topic) -> None:
    """Fetches the examples and trains in this very process, no worker being asked.

    Raises BadWebFile where the topic's web or a stored page cannot be read.
    """
    number = work.renew(topic, Topic.Work.FETCHING)
    claimed = work.claim(topic.pk, number)
    try:
        if claimed is not None:
            prepare(claimed, lambda: work.goes_on(topic.pk, number))
    finally:
        work.end(topic.pk, number)
    topic.refresh_from_db()


def read_here(topic: Topic) -> None:
    """Reads the examples in this very process, for a crawl that is to begin at once.

    Raises BadWebFile as `run_here`.
    """
    load_examples(topic, fetch_all(topic.web), lambda: True)


def prepare(topic: Topic, goes_on: Callable[[], bool]) -> None:
    """Fetches what waits (and gathers a background where that is the work), draws, scans, trains.

    A small recorded web is read through for in-links and back-links; a large one where that is the
    work. Targets are asked last, those that wait for it.
    """
    fetch = fetch_all(topic.web)
    changed = load_examples(topic, fetch, goes_on) > 0
    if topic.work == Topic.Work.GATHERING and goes_on():
        changed |= gather_background(topic, fetch, goes_on) > 0
    if not goes_on():
        return
    changed |= draw_negatives(topic)
    changed |= settle_targets(topic)
    if changed:
        work.new_version(topic)
    scan_web(topic, topic.work == Topic.Work.SCANNING, goes_on)
    load_source_pages(topic, fetch, goes_on)
    if goes_on():
        train(topic)
        check_targets(topic, fetch, goes_on)


def read_list(table_id: int) -> str:
    """Reads a large list into its table, once: the list is locked while that goes on. One that has
    been removed since is nothing."""
    table = SourceTable.objects.filter(pk=table_id, state=SourceTable.State.READING).first()
    if table is None:
        return "not there any more"
    try:
        with sources.table_path(table).open("rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            sources.read_list(table)
    except (BlockingIOError, FileNotFoundError):
        return "read by another worker"
    return "done"


def read_upload(upload_id: int) -> str:
    """Makes a web or a directory of an uploaded file."""
    uploads.read_upload(upload_id)
    return "done"


def remove_directory(directory_id: int) -> str:
    """Deletes the rows of a directory that nobody sees any more."""
    for directory in Directory.objects.filter(pk=directory_id, ready=False):
        remove_rows(directory)
    return "done"
