"""References to stored pages that outlive the topic they come from."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from apps.engine.model import Document
from apps.engine.networking.page_store.store import Record
from apps.stored_files.files import keep, local
from apps.topics.examples.page_store import page_store, read_document, topic_folder
from apps.topics.models import StoredPage, Topic

FETCHED = StoredPage.Fetch.FETCHED
Reference = dict[str, Any]


def link_file(topic_id: int, path: Path) -> str:
    """Links the file into the topic's folder (or copies it if the disk cannot link).

    Returns its name there. Raises OSError, StoreDown.
    """
    folder = topic_folder(topic_id)
    folder.mkdir(parents=True, exist_ok=True)
    own = folder / path.name
    if not own.exists():
        try:
            os.link(local(path), own)
        except FileExistsError:
            pass
        except OSError:
            part = own.with_name(f"{own.name}.{os.getpid()}.part")
            shutil.copyfile(path, part)
            part.rename(own)
        keep(own)
    return own.name


def references(topic: Topic, rows: Iterable[Any]) -> list[Reference]:
    """The positions of the pages of fetched rows, of this topic or of others."""
    stored = []
    for row in rows:
        if row.topic_id != topic.pk:
            link_file(topic.pk, topic_folder(row.topic_id) / row.file)
        stored.append(
            {
                "url": row.url,
                "file": row.file,
                "offset": row.offset,
                "length": row.length,
                "digest": row.digest,
            }
        )
    return stored


def documents(topic_id: int, wanted: Iterable[Mapping[str, Any]]) -> Iterator[Document]:
    """The parsed pages, in order. Raises BadWebFile if one is gone."""
    store = page_store(topic_id)
    try:
        for reference in wanted:
            record = Record(
                reference["file"], reference["offset"], reference["length"], reference["digest"]
            )
            yield read_document(store, record)
    finally:
        store.close()
