"""A page as a person reads it, and its packed form."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import date
from typing import Literal

from apps.engine.parsing.opt_outs.form import OptOutSign

VERSION = 6
"""Raise it when the same page would be read differently: collections then read their pages anew."""
LONGEST = 200_000
"""Characters of a page's text that are kept."""

Kind = Literal["heading", "paragraph", "item", "quote", "code", "row"]
Precision = Literal["day", "month"]
Source = Literal["head", "page", "address", "title", "file"]


@dataclass(frozen=True, slots=True)
class Block:
    """A paragraph, a heading of `level` 1 to 6, an item of a list, or a row of a table, whose cells
    stand between tabs; `level` is 1 for a row of headings, else 0."""

    kind: Kind
    text: str
    level: int = 0


@dataclass(frozen=True, slots=True)
class Dated:
    """The day of publication, or the first of a month; `source` names what it was read from: the
    page's head, a mark in its text, its address, the lines at its title, or a document's file."""

    day: date
    source: Source
    precision: Precision = "day"


@dataclass(frozen=True, slots=True)
class Article:
    """A page as it is read. `languages` are codes (ISO 639-1) with their shares of the text, the
    largest first; `author` is the one that its head or the file declares, else empty. `signs` are
    those of opt-outs, in the page and its headers."""

    blocks: tuple[Block, ...] = ()
    title: str = ""
    author: str = ""
    languages: tuple[tuple[str, float], ...] = ()
    dated: Dated | None = None
    signs: tuple[OptOutSign, ...] = ()

    @property
    def text(self) -> str:
        """Paragraphs with an empty line between them; items and rows have a line each."""
        return text_of(self.blocks)

    @property
    def language(self) -> str:
        """The main language, or empty."""
        return self.languages[0][0] if self.languages else ""


@dataclass(frozen=True, slots=True)
class Marks:
    """The fields by which lists of pages are filtered: the main language (ISO 639-1), empty if
    undetected, and the day of publication."""

    language: str = ""
    dated: Dated | None = None


def text_of(blocks: Sequence[Block]) -> str:
    """The blocks as plain text."""
    return "".join(_lines(blocks))


def _lines(blocks: Sequence[Block]) -> Iterator[str]:
    before: Block | None = None
    for block in blocks:
        if before is not None:
            together = block.kind == before.kind and block.kind in ("item", "row")
            yield "\n" if together else "\n\n"
        yield block.text
        before = block


def cut(blocks: Sequence[Block], most: int = LONGEST) -> tuple[Block, ...]:
    """The first blocks, of so many characters together; the last one may be cut."""
    chosen, left = [], most
    for block in blocks:
        if left <= 0:
            break
        chosen.append(replace(block, text=block.text[:left]))
        left -= len(block.text)
    return tuple(chosen)


def pack(blocks: Sequence[Block]) -> bytes:
    """The blocks as compressed JSON."""
    rows = [list(asdict(block).values()) for block in blocks]
    return zlib.compress(json.dumps(rows, ensure_ascii=False).encode("utf-8", "replace"))


def unpack(packed: bytes) -> tuple[Block, ...]:
    """The blocks that `pack` packed."""
    return tuple(Block(*row) for row in json.loads(zlib.decompress(packed)))
