"""A part of a web's pages, parsed: arrays with numbers of the part's own strings."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from apps.engine.answers import Answer
from apps.engine.frontier.page_text import PageText
from apps.engine.model import Document, Links, Spans
from apps.engine.parsing.contexts.dom_offsets import OffsetSpans
from apps.engine.parsing.contexts.layout import Layout, without_tree
from apps.engine.replays.columns import Column
from apps.engine.replays.page_rows import (
    FAILED,
    NOFOLLOW,
    NOINDEX,
    NONE,
    PARSED,
    SIZES,
    TRUNCATED,
    UNREAD,
    WIDTH,
    WITH_BODY,
    PageRow,
)
from apps.engine.replays.prepared_contexts import PREPARED, Key
from apps.engine.replays.strings import string_columns

TABLES = ("lexicon", "urls", "texts")
_NAMED = ("title", "base", "canonical", "refresh", "encoding", "agent_robots")
ANSWER = ("status", "headers", "hops", "failure", "detail", "truncated", "seconds", "retry_after")
"""The stored fields of an answer."""


class Numbers(dict[str, int]):
    """Numbers strings from 0 in the order of their first look-up."""

    def __missing__(self, string: str) -> int:
        number = self[string] = len(self)
        return number


class WebPart:
    """Collects parsed pages in their order."""

    def __init__(self) -> None:
        self._tables = {name: Numbers() for name in TABLES}
        self._rows: list[PageRow] = []
        self._contexts: dict[Key, list[Spans | OffsetSpans | None]] = {key: [] for key in PREPARED}
        self._sizes = dict.fromkeys(SIZES, 0)
        self._columns: dict[str, list[Column]] = {c: [] for cs in SIZES.values() for c in cs}

    def unread(self, url: str, labels: Sequence[str]) -> None:
        """Adds a page that is read and parsed at each fetch."""
        self._add(PageRow(self._tables["urls"][url], UNREAD), labels)

    def failed(self, answer: Answer, labels: Sequence[str]) -> None:
        """Adds an answer that is not a page, such as a picture."""
        self._add(self._row(answer, FAILED), labels)

    def page(
        self, answer: Answer, document: Document, labels: Sequence[str], with_body: bool
    ) -> None:
        """Adds a page; `with_body`: its body is needed beside its document."""
        document = without_tree(document) if len(document.links.target) else document
        row = self._row(answer, WITH_BODY if with_body else PARSED)
        sizes = self._add_columns(document)
        starts = {f"{name}_at": self._sizes[name] for name in sizes}
        for name, size in sizes.items():
            self._sizes[name] += size
        self._add(row._replace(**self._fields(document), **sizes, **starts), labels, document)

    def arrays(self) -> dict[str, Column]:
        """The part as arrays by name."""
        arrays: dict[str, Column] = {"pages": np.array(self._rows, np.int64).reshape(-1, WIDTH)}
        for name, pieces in self._columns.items():
            kind = np.bool_ if name == "link_nofollow" else np.int32
            arrays[name] = np.concatenate([np.empty(0, kind), *pieces])
        for key, context in PREPARED.items():
            arrays |= context.arrays(self._contexts[key])
        for name, table in self._tables.items():
            arrays[f"{name}_bytes"], arrays[f"{name}_ends"] = string_columns(table)
        return arrays

    def _add(self, row: PageRow, labels: Sequence[str], document: Document | None = None) -> None:
        names = self._tables["texts"][json.dumps(labels)] if labels else NONE
        self._rows.append(row._replace(labels=names))
        for key, context in PREPARED.items():
            self._contexts[key].append(None if document is None else context.compute(document))

    def _row(self, answer: Answer, state: int) -> PageRow:
        fields = json.dumps({name: getattr(answer, name) for name in ANSWER})
        return PageRow(self._tables["urls"][answer.url], state, self._tables["texts"][fields])

    def _fields(self, document: Document) -> dict[str, int]:
        """The fields of a document's row, except for its positions in the columns."""
        texts = self._tables["texts"]
        base = None if document.base_url == document.url else document.base_url
        named = (
            document.title,
            base,
            document.canonical,
            document.refresh,
            document.encoding,
            document.agent_robots,
        )
        numbers = [NONE if string is None else texts[string] for string in named]
        text = PageText(document.url, document.words[: document.visible], document.links.urls)
        return {
            **dict(zip(_NAMED, numbers, strict=True)),
            "visible": document.visible,
            "text_start": document.text_start,
            "scripts": document.scripts,
            "numbers": document.numbers,
            "flags": NOINDEX * document.noindex
            + NOFOLLOW * document.nofollow
            + TRUNCATED * document.truncated,
            "mark": _signed(text.mark),
            "distinct": text.size,
        }

    def _add_columns(self, document: Document) -> dict[str, int]:
        """Adds the document's arrays; returns the number of entries of each kind."""
        links = document.links
        tree = document.tree if isinstance(document.tree, Layout) else None
        columns = {
            "word": self._numbers("lexicon", document.words),
            "link_url": self._numbers("urls", links.urls),
            **_link_columns(links, tree),
            **_layout_columns(tree),
        }
        for name, values in columns.items():
            self._columns[name].append(values)
        return {name: len(columns[first]) for name, (first, *_) in SIZES.items()}

    def _numbers(self, table: str, strings: Sequence[str]) -> Column:
        return np.fromiter(map(self._tables[table].__getitem__, strings), np.int32, len(strings))


def _link_columns(links: Links, tree: Layout | None) -> dict[str, Column]:
    position = links.anchor_start if links.position is None else links.position
    return {
        "link_nofollow": links.nofollow,
        "anchor_target": links.target,
        "anchor_start": links.anchor_start,
        "anchor_end": links.anchor_end,
        "anchor_position": position,
        "anchor_element": np.full(len(links.target), NONE, np.int32)
        if tree is None
        else tree.links,
    }


def _layout_columns(tree: Layout | None) -> dict[str, Column]:
    if tree is None:
        names = (*SIZES["elements"], *SIZES["leaves"], *SIZES["outer"])
        return dict.fromkeys(names, np.empty(0, np.int32))
    return {
        "element_parent": tree.parent,
        "element_start": tree.start,
        "element_end": tree.end,
        "element_leaf_start": tree.leaf_start,
        "element_leaf_end": tree.leaf_end,
        "leaf_word": tree.leaf_word,
        "outer_anchor": tree.anchors,
    }


def _signed(mark: int) -> int:
    """A 64-bit hash as a column of signed numbers holds it."""
    return mark - 2**64 if mark >= 2**63 else mark
