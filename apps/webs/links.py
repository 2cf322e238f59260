"""The link graph of a recorded web: computed once, kept in a file, queried by URL."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path

import numpy as np
from django.conf import settings

from apps.engine.errors import BadWebFile
from apps.engine.model import Longs
from apps.engine.networking.webs.virtual_web import Web as EngineWeb
from apps.engine.parsing.document import parse
from apps.stored_files.files import forget, keep, local, names
from apps.webs.models import Web
from apps.webs.opening import open_web

VERSION = 2
ASKED_EVERY = 100
REMEMBERED = 100_000
"""How many links out of the web, or over redirects, are remembered: a large web has millions."""
_TABLES = """
PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;
CREATE TABLE pages (number INTEGER PRIMARY KEY, url TEXT UNIQUE NOT NULL, inlinks INTEGER,
    outlinks INTEGER NOT NULL);
CREATE TABLE links (target INTEGER, source INTEGER, PRIMARY KEY (target, source)) WITHOUT ROWID;
"""
_COUNT = """
UPDATE pages SET inlinks = (SELECT count(*) FROM links WHERE links.target = pages.number)
"""


def links_path(web: Web) -> Path:
    """The path of the file with a recorded web's links, which need not exist; it is fetched if it
    is stored elsewhere."""
    return local(_folder() / f"web-{web.pk}-v{VERSION}.sqlite")


def is_counted(web: Web) -> bool:
    """Whether the web's links have been counted."""
    return links_path(web).is_file()


def link_count(web: Web) -> int | None:
    """How many links lead from one page of the web to another; None until they are counted."""
    path = links_path(web)
    return _all_links(path, path.stat().st_mtime_ns) if path.is_file() else None


@lru_cache(maxsize=200)
def _all_links(path: Path, made: int) -> int:
    """Cached: the file is never changed."""
    base = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    try:
        (links,) = base.execute("SELECT total(outlinks) FROM pages").fetchone()
        return int(links)
    finally:
        base.close()


def remove_links(web_pk: int) -> None:
    """Deletes the links of a web, in every version."""
    for name in _names_of(web_pk):
        forget(_folder() / name)


def _names_of(web_pk: int) -> list[str]:
    prefixes = (f"web-{web_pk}.", f"web-{web_pk}-")
    return [name for name in names(_folder()) if name.startswith(prefixes)]


def _folder() -> Path:
    return Path(settings.DATA_DIR) / "links"


def count_links(web: Web, heartbeat: Callable[[], bool] = lambda: True) -> bool:
    """Reads the whole web once and stores its links; False if `heartbeat` ended it early.

    Counts the distinct pages that link to a page, and those that it links to, without itself; a
    link to a redirect counts for its target, a link out of the web for nothing. A file of another
    version is replaced. Raises BadWebFile.
    """
    if is_counted(web):
        return True
    for name in _names_of(web.pk):
        # Another process may be writing its part at the same time.
        if not name.endswith(".part"):
            forget(_folder() / name)
    path = links_path(web)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    base = sqlite3.connect(part)
    try:
        base.executescript(_TABLES)
        done = _read_through(open_web(web), base, heartbeat)
        base.execute(_COUNT)
        base.commit()
        base.close()
        if done:
            part.rename(path)
            keep(path)
        return done
    finally:
        base.close()
        part.unlink(missing_ok=True)


def _read_through(web: EngineWeb, base: sqlite3.Connection, heartbeat: Callable[[], bool]) -> bool:
    numbers = {url: number for number, url in enumerate(web.urls())}
    base.executemany(
        "INSERT INTO pages VALUES (?, ?, 0, 0)", ((n, url) for url, n in numbers.items())
    )
    position = _positions(web, numbers)
    for source, url in enumerate(numbers):
        answer = web.get(url)
        if not answer.failure:
            targets = {position(link) for link in parse(answer).links.urls} - {None, source}
            base.executemany("INSERT INTO links VALUES (?, ?)", ((t, source) for t in targets))
            base.execute("UPDATE pages SET outlinks = ? WHERE number = ?", (len(targets), source))
        if source % ASKED_EVERY == 0 and not heartbeat():
            return False
    return True


def _positions(web: EngineWeb, numbers: Mapping[str, int]) -> Callable[[str], int | None]:
    """A function that returns the number of the page that a link leads to, or None if it leads to
    no page of the web."""

    @lru_cache(REMEMBERED)
    def elsewhere(link: str) -> int | None:
        page = web.page_at(link)
        return None if page is None else numbers.get(page)

    def position(link: str) -> int | None:
        number = numbers.get(link)
        return elsewhere(link) if number is None else number

    return position


class WebLinks(Mapping[str, int]):
    """In-link counts of a web's pages by URL. Raises BadWebFile if the file is gone."""

    def __init__(self, path: Path) -> None:
        if not path.is_file():
            raise BadWebFile(f"{path.name} is gone: count the web's links again")
        self._base = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False
        )

    def __getitem__(self, url: str) -> int:
        row = self._base.execute("SELECT inlinks FROM pages WHERE url = ?", (url,)).fetchone()
        if row is None:
            raise KeyError(url)
        return int(row[0])

    def __iter__(self) -> Iterator[str]:
        rows = self._base.execute("SELECT url FROM pages ORDER BY number")
        return (url for (url,) in rows)

    def __len__(self) -> int:
        (rows,) = self._base.execute("SELECT count(*) FROM pages").fetchone()
        return int(rows)

    def linking_to(self, url: str, most: int) -> list[str]:
        """Pages that link to a URL, those with the most in-links first."""
        rows = self._base.execute(
            "SELECT citing.url FROM pages AS cited"
            " JOIN links ON links.target = cited.number"
            " JOIN pages AS citing ON citing.number = links.source"
            " WHERE cited.url = ? ORDER BY citing.inlinks DESC, citing.number LIMIT ?",
            (url, most),
        )
        return [number for (number,) in rows]

    def graph(self) -> tuple[Longs, Longs, Longs]:
        """The in-links of all pages, in their order, and of each link the positions of the two
        pages: its source and its target."""
        counts = self._base.execute("SELECT inlinks FROM pages ORDER BY number").fetchall()
        links = self._base.execute("SELECT source, target FROM links").fetchall()
        ends = np.array(links, np.int64).reshape(-1, 2)
        return np.array(counts, np.int64).reshape(-1), ends[:, 0], ends[:, 1]

    def close(self) -> None:
        """Closes the file."""
        self._base.close()
