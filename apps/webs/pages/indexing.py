"""The index of a recorded web's pages: titles, addresses, labels, words, languages and dates.

A recorded web never changes, so it is indexed once, in the background, into an SQLite file that is
renamed when it is complete. A file of another version is ignored; the next index
replaces it.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path

from django.conf import settings

from apps.engine.networking.webs.virtual_web import Web as EngineWeb
from apps.engine.parsing.words import words
from apps.engine.representation.language_detection import detect_language
from apps.engine.urls import host
from apps.main_text.article import Marks
from apps.main_text.reader import READER
from apps.search.query import LONGEST_WORD
from apps.search.stems import stemming
from apps.stored_files.files import forget, keep, local, names
from apps.stored_pages.page_text import page_text
from apps.webs.models import Web
from apps.webs.opening import open_web

VERSION = 4
REPORT_EVERY = 100
"""Pages between two reports of progress."""
LANGUAGE_PAGES = 200
"""Pages by which the language is detected: a web has one stemmer."""
STEMS_KEPT = 200_000
_TABLES = """
PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE pages (number INTEGER PRIMARY KEY, url TEXT NOT NULL, host TEXT NOT NULL,
    title TEXT NOT NULL, words INTEGER NOT NULL, language TEXT NOT NULL, published TEXT,
    precision TEXT NOT NULL);
CREATE TABLE labels (number INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL);
CREATE TABLE labelled (label INTEGER, page INTEGER, PRIMARY KEY (label, page)) WITHOUT ROWID;
CREATE VIRTUAL TABLE page_words USING fts5(title, text, address, content='',
    tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co M*'");
"""
_INDEXES = """
CREATE UNIQUE INDEX pages_by_url ON pages (url);
CREATE INDEX pages_by_host ON pages (host);
CREATE INDEX labels_of_page ON labelled (page, label);
"""


@dataclass(frozen=True, slots=True)
class _IndexedPage:
    """A page as it is indexed."""

    url: str
    labels: tuple[str, ...]
    title: str
    text: list[str]
    marks: Marks


def index_path(web: Web) -> Path:
    """The path of a web's index, which need not exist; it is fetched if it is stored elsewhere.
    With other labels it is another file."""
    labels = f"-{web.added_labels}" if web.added_labels else ""
    return local(_folder() / f"web-{web.pk}-v{VERSION}{labels}.sqlite")


def is_indexed(web: Web) -> bool:
    """Whether the web's pages can be searched."""
    return index_path(web).is_file()


def remove_index(web_pk: int) -> None:
    """Deletes every version of a web's index."""
    for name in names(_folder()):
        if name.startswith(f"web-{web_pk}-v"):
            forget(_folder() / name)


def write_index(web: Web, heartbeat: Callable[[int], bool] = lambda done: True) -> bool:
    """Indexes the whole web; False if `heartbeat`, called with the number of pages done, ended it.

    A page that cannot be read keeps its address and labels. Raises BadWebFile.
    """
    opened = open_web(web)
    remove_index(web.pk)
    _folder().mkdir(parents=True, exist_ok=True)
    part = index_path(web).with_suffix(".part")
    base = sqlite3.connect(part)
    try:
        base.executescript(_TABLES)
        done = _write_pages(opened, base, heartbeat)
        base.executescript(_INDEXES)
        base.commit()
        base.close()
        if done:
            path = part.rename(part.with_suffix(".sqlite"))
            keep(path)
        return done
    finally:
        base.close()
        part.unlink(missing_ok=True)


def write_relabelled(
    old: Web, new: Web, added: Iterable[tuple[str, str]], taken: Iterable[tuple[str, str]] = ()
) -> None:
    """Writes the index of a web anew after labels (URL, label) were added and others taken away. A
    label without pages keeps its number."""
    part = index_path(new).with_suffix(".part")
    shutil.copyfile(index_path(old), part)
    base = sqlite3.connect(part)
    try:
        base.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF;")
        numbers = dict(base.execute("SELECT name, number FROM labels"))
        base.executemany(
            "DELETE FROM labelled WHERE page = (SELECT number FROM pages WHERE url = ?)"
            " AND label = (SELECT number FROM labels WHERE name = ?)",
            ((storable(url), storable(label)) for url, label in taken),
        )
        base.executemany(
            "INSERT OR IGNORE INTO labelled SELECT ?, number FROM pages WHERE url = ?",
            ((numbers.setdefault(label, len(numbers)), storable(url)) for url, label in added),
        )
        base.executemany(
            "INSERT OR IGNORE INTO labels (name, number) VALUES (?, ?)", numbers.items()
        )
        base.commit()
        base.close()
        keep(part.rename(part.with_suffix(".sqlite")))
    finally:
        base.close()
        part.unlink(missing_ok=True)


def storable(text: str) -> str:
    """The text without what databases refuse: NUL and unpaired surrogates."""
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


def _folder() -> Path:
    return Path(settings.DATA_DIR) / "web_pages"


def _write_pages(
    web: EngineWeb, base: sqlite3.Connection, heartbeat: Callable[[int], bool]
) -> bool:
    pages = _read_pages(web)
    first = list(islice(pages, LANGUAGE_PAGES))
    language = detect_language(page.text for page in first) or ""
    base.execute("INSERT INTO about VALUES ('language', ?)", (language,))
    stem = lru_cache(STEMS_KEPT)(stemming(language))
    numbers: dict[str, int] = {}
    for number, page in enumerate(_chained(first, pages)):
        _write(base, number, page, stem)
        for label in dict.fromkeys(page.labels):
            base.execute(
                "INSERT INTO labelled VALUES (?, ?)",
                (numbers.setdefault(label, len(numbers)), number),
            )
        if number % REPORT_EVERY == 0 and not heartbeat(number):
            return False
    base.executemany("INSERT INTO labels VALUES (?, ?)", ((n, s) for s, n in numbers.items()))
    return True


def _read_pages(web: EngineWeb) -> Iterator[_IndexedPage]:
    for url in web.urls():
        answer = web.get(url)
        read = page_text(answer)
        labels = tuple(map(storable, web.labels(url)))
        marks = (READER.read_marks(answer) if read.text else None) or Marks()
        title, text = storable(read.title), words(storable(read.text))
        yield _IndexedPage(storable(url), labels, title, text, marks)


def _chained(first: Sequence[_IndexedPage], rest: Iterator[_IndexedPage]) -> Iterator[_IndexedPage]:
    yield from first
    yield from rest


def _write(
    base: sqlite3.Connection, number: int, page: _IndexedPage, stem: Callable[[str], str]
) -> None:
    dated = page.marks.dated
    base.execute(
        "INSERT INTO pages VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(number, page.url, host(page.url), page.title, len(page.text)),
            page.marks.language,
            *((dated.day.isoformat(), dated.precision) if dated else (None, "")),
        ),
    )
    base.execute(
        "INSERT INTO page_words (rowid, title, text, address) VALUES (?, ?, ?, ?)",
        (
            number,
            *(_stems(listed, stem) for listed in (words(page.title), page.text, words(page.url))),
        ),
    )


def _stems(listed: Sequence[str], stem: Callable[[str], str]) -> str:
    return " ".join(stem(word) if len(word) <= LONGEST_WORD else "" for word in listed)
