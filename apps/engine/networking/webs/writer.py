"""Writes a recorded web from pages and redirects into a directory."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from apps.engine.answers import Answer, Headers
from apps.engine.durable import sync
from apps.engine.errors import BadURL, BadWebFile
from apps.engine.networking.page_store.store import PageStoreWriter, Record
from apps.engine.networking.webs.virtual_web import INDEX, VERSION
from apps.engine.urls import canonical, host

PAGES = "pages.warc.gz"

_SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE hosts (host TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE pages (
    number INTEGER PRIMARY KEY, url TEXT NOT NULL UNIQUE, file TEXT NOT NULL,
    offset INTEGER NOT NULL, length INTEGER NOT NULL, digest TEXT NOT NULL,
    topics TEXT NOT NULL, split TEXT
);
CREATE TABLE redirects (source TEXT PRIMARY KEY, target TEXT NOT NULL) WITHOUT ROWID;
"""
# Headers that describe the transferred body and not the stored one.
_OF_THE_WIRE = frozenset({"content-encoding", "content-length", "transfer-encoding"})


class VirtualWebWriter:
    """Writes a web next to its directory and moves it there when it is complete.

    As a context manager it finishes at the end, or removes everything after an exception. Raises
    BadWebFile if the directory exists.
    """

    def __init__(self, directory: Path | str) -> None:
        self.directory = Path(directory)
        if self.directory.exists() and any(self.directory.iterdir()):
            raise BadWebFile(f"{self.directory.name} exists already: choose another name")
        self._part = self.directory.with_name(self.directory.name + ".part")
        shutil.rmtree(self._part, ignore_errors=True)
        self._part.mkdir(parents=True)
        self._pages = PageStoreWriter(self._part / PAGES)
        self._index = sqlite3.connect(self._part / INDEX)
        self._index.executescript("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;" + _SCHEMA)
        self._hosts: set[str] = set()
        self._linked: dict[Path, str] = {}

    def add(
        self,
        url: str,
        body: str | bytes,
        topics: Iterable[str] = (),
        split: str | None = None,
        headers: Mapping[str, str] | Headers = (),
        fetched_at: float = 0.0,
    ) -> bool:
        """Adds a page. Returns False if its URL exists already (the first page stays).

        Text is stored as UTF-8 with a matching Content-Type, bytes unchanged with their headers.
        Raises BadURL if the URL is not http(s).
        """
        url = _canonical(url)
        if self._holds(url):
            return False
        answer = Answer(
            url,
            url,
            status=200,
            headers=stored_headers(headers, recoded=isinstance(body, str)),
            body=body.encode("utf-8", "replace") if isinstance(body, str) else body,
            fetched_at=fetched_at,
        )
        self._insert(url, self._pages.append(answer), topics, split)
        return True

    def add_answer(self, answer: Answer) -> bool:
        """Adds a page as it was fetched, with its document if it was converted, under its
        canonical URL. Returns False if that exists already."""
        if self._holds(answer.url):
            return False
        self._insert(answer.url, self._pages.append(answer), (), None)
        return True

    def add_stored(self, url: str, file: Path, record: Record, topics: Iterable[str] = ()) -> bool:
        """Adds a page that is stored in another store's file. Returns False if its URL exists
        already.

        The file is hard-linked into the web, so that the web outlives the other store without a
        copy; it is copied if the disk has no hard links. Raises BadURL if the URL is not http(s),
        OSError if the file is missing.
        """
        url = _canonical(url)
        if self._holds(url):
            return False
        if file not in self._linked:
            taken = file.name in self._linked.values()
            name = f"{len(self._linked)}-{file.name}" if taken else file.name
            _link(file, self._part / name)
            self._linked[file] = name
        self._insert(url, replace(record, file=self._linked[file]), topics, None)
        return True

    def redirect(self, source: str, target: str) -> bool:
        """Adds a redirect. Returns False if the source exists already or equals the target.

        Raises BadURL if a URL is not http(s).
        """
        source, target = _canonical(source), _canonical(target)
        if source == target or self._holds(source):
            return False
        self._index.execute("INSERT INTO redirects VALUES (?, ?)", (source, target))
        self._hosts.add(host(source))
        return True

    @property
    def hosts(self) -> int:
        """The number of hosts so far."""
        return len(self._hosts)

    def finish(self) -> None:
        """Completes the web so that it can be opened."""
        self._index.executemany("INSERT INTO hosts VALUES (?)", ((h,) for h in sorted(self._hosts)))
        self._index.execute("INSERT INTO meta VALUES ('version', ?)", (str(VERSION),))
        self._index.commit()
        self._index.close()
        self._pages.close()
        sync(self._part / INDEX)
        self._part.rename(self.directory)
        sync(self.directory.parent)

    def abort(self) -> None:
        """Removes everything that was written."""
        self._index.close()
        self._pages.close()
        shutil.rmtree(self._part, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.finish()
        else:
            self.abort()

    def _insert(self, url: str, record: Record, topics: Iterable[str], split: str | None) -> None:
        self._index.execute(
            "INSERT INTO pages (url, file, offset, length, digest, topics, split)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                url,
                record.file,
                record.offset,
                record.length,
                record.digest,
                json.dumps(list(topics)),
                split,
            ),
        )
        self._hosts.add(host(url))

    def _holds(self, url: str) -> bool:
        query = (
            "SELECT 1 FROM pages WHERE url = :url"
            " UNION ALL SELECT 1 FROM redirects WHERE source = :url"
        )
        return self._index.execute(query, {"url": url}).fetchone() is not None


def _canonical(url: str) -> str:
    spelling = canonical(url)
    if spelling is None:
        raise BadURL(f"{url[:200]} is not an http(s) URL")
    return spelling


def stored_headers(headers: Mapping[str, str] | Headers, recoded: bool = False) -> Headers:
    """The headers without those of the transfer; of a body that was `recoded`, as UTF-8."""
    pairs = headers.items() if isinstance(headers, Mapping) else headers
    stored = [(name, value) for name, value in pairs if name.lower() not in _OF_THE_WIRE]
    if not recoded:
        return tuple(stored)
    given = next((value for name, value in stored if name.lower() == "content-type"), "")
    kind = given.partition(";")[0].strip() or "text/html"
    others = [(name, value) for name, value in stored if name.lower() != "content-type"]
    return (("Content-Type", f"{kind}; charset=utf-8"), *others)


def _link(file: Path, name: Path) -> None:
    try:
        name.hardlink_to(file)
    except FileNotFoundError:
        raise
    except OSError:
        shutil.copyfile(file, name)
        sync(name)
