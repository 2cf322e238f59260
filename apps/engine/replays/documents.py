"""Reads pages from columns as the documents that parsing them gives."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from functools import partial
from itertools import count
from pathlib import Path

from apps.engine.answers import Answer
from apps.engine.model import Document, Links, PreparedPage
from apps.engine.numbered_words import NumberedWords
from apps.engine.parsing.contexts.layout import Layout
from apps.engine.replays.columns import Column, read_columns
from apps.engine.replays.page_rows import (
    FAILED,
    NOFOLLOW,
    NOINDEX,
    NONE,
    TRUNCATED,
    UNREAD,
    WIDTH,
    WITH_BODY,
    PageRow,
)
from apps.engine.replays.prepared_contexts import prepared_context
from apps.engine.replays.strings import Strings
from apps.engine.replays.url_index import UrlIndex

_KEYS = count()
_UNSIGNED = 2**64 - 1
_LABELS = PageRow._fields.index("labels")


class Documents:
    """The pages of a prepared web. Raises OSError or ValueError if the folder is damaged."""

    def __init__(self, folder: Path) -> None:
        columns = self._columns = read_columns(folder)
        self._pages = columns["pages"].reshape(-1, WIDTH)
        self._lexicon, self._urls, self._texts = (
            _strings(columns, name) for name in ("lexicon", "urls", "texts")
        )
        self._index = UrlIndex(
            columns["url_hashes"],
            columns["url_pages"],
            self._urls,
            self._pages[:, PageRow._fields.index("url")],
        )
        self._answers: dict[int, Answer] = {}
        self._labels: dict[int, tuple[str, ...]] = {}
        self._web = next(_KEYS)

    def answer(self, url: str) -> Answer | None:
        """The answer of the page at this URL, without its body but with its document.

        None if there is no such page, or if its answer needs its body: see `document`.
        """
        page = self._index.page(url)
        if page is None:
            return None
        row = self._row(page)
        if row.state in (WITH_BODY, UNREAD):
            return None
        stored = self._answer(row.answer)
        document = None if row.state == FAILED else self._document(page, row, url)
        return Answer(
            url,
            url,
            stored.status,
            stored.headers,
            b"",
            stored.hops,
            stored.failure,
            stored.detail,
            stored.truncated,
            time.time(),
            stored.seconds,
            stored.retry_after,
            document,
        )

    def document(self, url: str) -> Document | None:
        """The document of the page at this URL, or None if it has none."""
        page = self._index.page(url)
        row = None if page is None else self._row(page)
        if page is None or row is None or row.state in (FAILED, UNREAD):
            return None
        return self._document(page, row, url)

    def labels(self, url: str) -> tuple[str, ...]:
        """The topic labels of the page at this URL; empty if there are none."""
        page = self._index.page(url)
        number = NONE if page is None else int(self._pages[page, _LABELS])
        if number == NONE:
            return ()
        if number not in self._labels:
            self._labels[number] = tuple(json.loads(self._texts[number]))
        return self._labels[number]

    def _row(self, page: int) -> PageRow:
        return PageRow._make(self._pages[page].tolist())

    def _answer(self, number: int) -> Answer:
        """The stored answer of this number; many pages share one."""
        answer = self._answers.get(number)
        if answer is None:
            fields = json.loads(self._texts[number])
            headers = tuple((name, value) for name, value in fields.pop("headers"))
            hops = tuple(fields.pop("hops"))
            answer = self._answers[number] = Answer("", "", headers=headers, hops=hops, **fields)
        return answer

    def _document(self, page: int, row: PageRow, url: str) -> Document:
        words = self._columns["word"][row.words_at : row.words_at + row.words]
        links = self._links(row)
        contexts = partial(prepared_context, self._columns, page, links)
        return Document(
            url=url,
            base_url=url if row.base == NONE else self._texts[row.base],
            title=self._texts[row.title],
            words=NumberedWords(words, self._lexicon),
            visible=row.visible,
            text_start=row.text_start,
            links=links,
            tree=self._layout(row) if row.elements else None,
            canonical=self._text(row.canonical),
            refresh=self._text(row.refresh),
            noindex=bool(row.flags & NOINDEX),
            nofollow=bool(row.flags & NOFOLLOW),
            scripts=row.scripts,
            numbers=row.numbers,
            truncated=bool(row.flags & TRUNCATED),
            encoding=self._texts[row.encoding],
            agent_robots=self._text(row.agent_robots),
            text_mark=(row.mark & _UNSIGNED, row.distinct),
            prepared=PreparedPage((self._web, page), contexts),
        )

    def _text(self, number: int) -> str | None:
        return None if number == NONE else self._texts[number]

    def _links(self, row: PageRow) -> Links:
        columns = self._columns
        links = slice(row.links_at, row.links_at + row.links)
        anchors = slice(row.anchors_at, row.anchors_at + row.anchors)
        return Links(
            self._urls.several(columns["link_url"][links]),
            columns["anchor_target"][anchors],
            columns["anchor_start"][anchors],
            columns["anchor_end"][anchors],
            (),
            columns["link_nofollow"][links],
            columns["anchor_position"][anchors],
        )

    def _layout(self, row: PageRow) -> Layout:
        columns = self._columns
        elements = slice(row.elements_at, row.elements_at + row.elements)
        return Layout(
            parent=columns["element_parent"][elements],
            start=columns["element_start"][elements],
            end=columns["element_end"][elements],
            leaf_start=columns["element_leaf_start"][elements],
            leaf_end=columns["element_leaf_end"][elements],
            leaf_word=columns["leaf_word"][row.leaves_at : row.leaves_at + row.leaves],
            links=columns["anchor_element"][row.anchors_at : row.anchors_at + row.anchors],
            anchors=columns["outer_anchor"][row.outer_at : row.outer_at + row.outer],
        )


def _strings(columns: Mapping[str, Column], name: str) -> Strings:
    return Strings(columns[f"{name}_bytes"], columns[f"{name}_ends"])
