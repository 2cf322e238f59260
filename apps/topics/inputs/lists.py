"""Lists that an analyst adds to one topic or to all of theirs: added, read, replaced, removed."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterable, Set
from pathlib import Path
from typing import IO, Any

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet

from apps.engine.urls import host
from apps.jobs import queue
from apps.jobs.models import Job
from apps.stored_files.files import forget, keep
from apps.topics.examples.page_store import delete_pages
from apps.topics.inputs.tables.files import TableWriter, new_path, table_file, tables_folder
from apps.topics.inputs.tables.lines import BadTable
from apps.topics.inputs.tables.parsing import ListFormat
from apps.topics.inputs.tables.reading import ListRemoved, read_table
from apps.topics.models import InputTable, Topic

# Smaller files are read at once, in the request.
AT_ONCE_BYTES = 8 * 2**20
FULL = "The disk is full: free some space, then add the list again."

State = Job.State


def store(topic: Topic, kind: str, name: str, data: IO[bytes], *, for_owner: bool) -> InputTable:
    """Stores a list that is still to be read, for the topic or for all of its owner's.

    The previous list stays in use until the new one has been read, or if it cannot be read. Raises
    OSError if the disk is full.
    """
    raw = new_path("list")
    raw.parent.mkdir(parents=True, exist_ok=True)
    with raw.open("wb") as file:
        shutil.copyfileobj(data, file)
    keep(raw)
    return InputTable.objects.create(
        owner=topic.owner,
        topic=None if for_owner else topic,
        kind=kind,
        name=name[:200],
        file=raw.name,
    )


def is_large(table: InputTable) -> bool:
    """Whether reading a stored list takes too long for a request."""
    return table_path(table).stat().st_size > AT_ONCE_BYTES


def read_list(table: InputTable, format: ListFormat) -> None:
    """Reads a stored list into its table, and records the outcome in its row."""
    raw, path = table_path(table), new_path()
    try:
        taken = read_table(raw, path, format, hosts_of(table), lambda: queue.heartbeat(table))
    except ListRemoved:
        return
    except BadTable as error:
        settled = queue.fail(table, str(error))
    except (OSError, sqlite3.Error):
        settled = queue.fail(table, FULL)
    else:
        settled = queue.finish(
            table,
            file=path.name,
            rows=taken.rows,
            skipped=taken.errors.skipped,
            errors=list(taken.errors.first),
        )
    if settled:
        forget(raw)
        _replace_others(table)
    else:
        forget(path)


def add_rows(
    owner: User, topic: Topic, kind: str, name: str, rows: Iterable[tuple[str, int]]
) -> InputTable:
    """Replaces a topic's table by valid rows."""
    path = new_path()
    writer = TableWriter(path)
    writer.add(rows)
    table = InputTable(
        owner=owner,
        topic=topic,
        kind=kind,
        name=name[:200],
        file=path.name,
        job_state=State.DONE,
        rows=writer.finish(),
    )
    table.save()
    _replace_others(table)
    return table


def _replace_others(table: InputTable) -> None:
    """Removes the lists that a newly read one replaces, and older failures."""
    table.refresh_from_db()
    settled = (State.DONE, State.FAILED) if table.job_state == State.DONE else (State.FAILED,)
    stale = of_same_list(table).exclude(pk=table.pk).filter(job_state__in=settled)
    with transaction.atomic():
        files = list(stale.values_list("file", flat=True))
        stale.delete()
    _unlink(files)


def of_same_list(table: InputTable) -> QuerySet[InputTable]:
    """All lists of its kind for the same topic, or for all of the owner's."""
    return InputTable.objects.filter(owner_id=table.owner_id, topic=table.topic_id, kind=table.kind)


def remove_list(table: InputTable) -> None:
    """Removes a list. Crawls that were started with it keep it."""
    _unlink([table.file])
    table.delete()


def forget_files(topic: Topic) -> None:
    """Deletes the lists and pages of a topic that is being deleted."""
    _unlink(topic.tables.values_list("file", flat=True))
    delete_pages(topic.pk)


def _unlink(files: Iterable[str]) -> None:
    for name in files:
        forget(tables_folder() / name)


def lists_for(topic: Topic, kind: str) -> list[InputTable]:
    """The lists of a kind, read or not: the topic's own, then its owner's for all topics, the
    newest first."""
    whose = Q(topic=topic) | Q(topic=None, owner_id=topic.owner_id)
    tables = InputTable.objects.filter(whose, kind=kind)
    return sorted(tables, key=lambda table: table.topic_id is None)


def current(topic: Topic, kind: str) -> InputTable | None:
    """The list in use for a topic: its own, else its owner's for all topics."""
    return next(filter(has_been_read, lists_for(topic, kind)), None)


def has_been_read(table: InputTable) -> bool:
    """Whether it is complete, and so in use unless a newer one is."""
    return table.job_state == State.DONE


def current_of(topic: Topic, kind: str) -> InputTable | None:
    """The topic's own list, if it has been read."""
    return topic.tables.filter(kind=kind, job_state=State.DONE).first()


def table_path(table: InputTable) -> Path:
    """The path of a list's table."""
    return table_file(table.file)


def hosts_of(table: InputTable) -> Set[str]:
    """The topics' hosts: their rows are stored however long a list is."""
    topics = Topic.objects.filter(owner_id=table.owner_id)
    if table.topic_id is not None:
        topics = topics.filter(pk=table.topic_id)
    return {name for topic in topics for url in _urls(topic) if (name := host(url))}


def _urls(topic: Topic) -> Iterable[str]:
    rows: Any
    for rows in (topic.seeds, topic.targets, topic.examples, topic.input_pages):
        yield from rows.values_list("url", flat=True)
    for rows in (topic.examples, topic.input_pages):
        yield from rows.exclude(final_url="").values_list("final_url", flat=True)
