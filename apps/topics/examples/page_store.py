"""The stored pages of a topic's examples: WARC files in the topic's folder."""

from __future__ import annotations

import uuid
from pathlib import Path
from types import TracebackType
from typing import Self

from django.conf import settings

from apps.engine.answers import Answer
from apps.engine.model import Document
from apps.engine.networking.page_store.store import PageStore, PageStoreWriter, Record
from apps.engine.parsing.contexts.layout import with_layout_later
from apps.engine.parsing.main_text import parse_judged
from apps.stored_files.files import forget, is_elsewhere, keep, local


def topic_folder(topic_id: int) -> Path:
    """The folder of the topic's files, which need not exist yet."""
    return Path(settings.DATA_DIR) / "topics" / str(topic_id)


def topic_file(topic_id: int, name: str) -> Path:
    """The path of one of the topic's files, fetched to this machine if it is stored elsewhere."""
    return local(topic_folder(topic_id) / name)


def page_store(topic_id: int) -> PageStore:
    """The topic's pages for reading."""
    return PageStore(topic_folder(topic_id), local)


def read_document(store: PageStore, record: Record, main_text: bool = False) -> Document:
    """The parsed page, with its main text if it is judged by that, and without its tree, which is
    six times as large as the rest: the page is read again if its layout is asked for.

    Raises BadWebFile if it is gone or damaged.
    """

    def read() -> Document:
        return parse_judged(store.read(record), main_text)

    def read_again() -> Document:
        try:
            return read()
        finally:
            store.close()

    return with_layout_later(read(), read_again)


def delete_pages(topic_id: int) -> None:
    """Deletes every stored page of the topic."""
    forget(topic_folder(topic_id))


class ExampleWriter:
    """Writes pages into a new file of the topic, made with the first page; a context manager.

    In a store each page is a file of its own: a file is stored whole, and a row names a page at
    once.
    """

    def __init__(self, topic_id: int) -> None:
        self._folder = topic_folder(topic_id)
        self._writer: PageStoreWriter | None = None

    def append(self, answer: Answer) -> Record:
        """The stored page, durable on return. Raises OSError if the disk is full, StoreDown."""
        if self._writer is None:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._writer = PageStoreWriter(self._folder / f"examples-{uuid.uuid4().hex}.warc.gz")
        record = self._writer.append(answer)
        self._writer.sync()
        if is_elsewhere():
            self._writer.close()
            keep(self._writer.path)
            self._writer = None
        return record

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._writer is not None:
            self._writer.close()
