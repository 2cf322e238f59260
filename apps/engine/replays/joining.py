"""Joins the parts of a web: their strings get numbers of the whole web, their columns are laid
end to end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from apps.engine.model import Ints, Longs
from apps.engine.replays.columns import Column, write_columns
from apps.engine.replays.page_rows import NONE, SIZES, TEXTS, PageRow
from apps.engine.replays.parts import TABLES, Numbers
from apps.engine.replays.prepared_contexts import PREPARED
from apps.engine.replays.strings import Strings, string_columns
from apps.engine.replays.url_index import index_columns

_NUMBERED = {"word": "lexicon", "link_url": "urls"}


def join_parts(parts: Sequence[Path], folder: Path) -> None:
    """Writes the columns of a web from the files of its parts, in order."""
    whole = _Joined(parts)
    write_columns(folder, whole.columns())


class _Joined:
    """The parts and the numbers that their strings get."""

    def __init__(self, parts: Sequence[Path]) -> None:
        self._parts = parts
        self._tables = {name: Numbers() for name in TABLES}
        self._maps: list[dict[str, Ints]] = [self._number(path) for path in parts]

    def _number(self, path: Path) -> dict[str, Ints]:
        """The numbers of a part's strings, by table."""
        maps = {}
        with np.load(path) as part:
            for name, table in self._tables.items():
                strings = Strings(part[f"{name}_bytes"], part[f"{name}_ends"])
                maps[name] = np.array([table[string] for string in strings], np.int32)
        return maps

    def columns(self) -> Iterator[tuple[str, Iterator[Column]]]:
        """Every column in pieces."""
        pages = [*self._pages()]
        yield "pages", (rows.ravel() for rows in pages)
        for names in SIZES.values():
            for name in names:
                yield name, self._column(name)
        for context in PREPARED.values():
            last, *parts = context.columns
            yield last, self._ends(last)
            for name in parts:
                yield name, self._column(name)
        for name, table in self._tables.items():
            data, ends = string_columns(table)
            yield f"{name}_bytes", iter((data,))
            yield f"{name}_ends", iter((ends,))
        urls = [*self._tables["urls"]]
        at = PageRow._fields.index("url")
        hashes, order = index_columns(urls[n] for rows in pages for n in rows[:, at].tolist())
        yield "url_hashes", iter((hashes,))
        yield "url_pages", iter((order,))

    def _pages(self) -> Iterator[Longs]:
        """The rows of each part, with numbers and positions in the whole web."""
        before = dict.fromkeys(SIZES, 0)
        field = PageRow._fields.index
        for path, maps in zip(self._parts, self._maps, strict=True):
            with np.load(path) as part:
                rows = part["pages"]
            rows[:, field("url")] = maps["urls"][rows[:, field("url")]]
            for name in TEXTS:
                column = rows[:, field(name)]
                has_text = column != NONE
                column[has_text] = maps["texts"][column[has_text]]
            for name in SIZES:
                rows[:, field(f"{name}_at")] += before[name]
                before[name] += int(rows[:, field(name)].sum())
            yield rows

    def _ends(self, name: str) -> Iterator[Column]:
        before = 0
        for values in self._column(name):
            yield values + before
            before += int(values[-1])

    def _column(self, name: str) -> Iterator[Column]:
        table = _NUMBERED.get(name)
        for path, maps in zip(self._parts, self._maps, strict=True):
            with np.load(path) as part:
                values = part[name]
            yield values if table is None else maps[table][values]
