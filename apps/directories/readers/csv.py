"""A directory as a table: an address and a topic a row, and where there are any, title and
description.

The columns are recognised as in every list; the topic is the column named so, else the first one
beside the addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from apps.directories.readers.listing import BadDirectoryFile, Listed, Progress, category_path
from apps.lists.addresses import Address, read_cell
from apps.lists.columns import TITLE_NAMES
from apps.lists.limits import BadList
from apps.lists.streaming import TableStream, open_table
from apps.lists.table import TableRow, cell_of

_TOPIC_NAMES = frozenset(
    "topic topics category categories kategorie rubrik catégorie categoria categoría path".split()
)
_DESCRIPTION_NAMES = frozenset("description beschreibung descripción descrizione text".split())
_TITLE_NAMES = TITLE_NAMES - _DESCRIPTION_NAMES
_NAMES = (_TOPIC_NAMES, _TITLE_NAMES, _DESCRIPTION_NAMES)
_BETWEEN = re.compile(r"\s*(?:[>›»]|::)\s*")


def read_csv(path: Path, progress: Progress | None = None) -> Iterator[Listed]:
    """Each row as a page, in order; levels of a topic are separated by `/`, `>` or `::`.

    Raises BadDirectoryFile, with the line, if a row has no topic or the file cannot be read.
    """
    try:
        with open_table(path, progress or (lambda read, of: None)) as table:
            cells = _find_columns(path, table)
            for row in table.rows:
                yield _page(path, row, cells)
    except BadList as error:
        raise BadDirectoryFile(f"{path.name}: {error} Nothing was kept.") from None


@dataclass(frozen=True, slots=True)
class _Cells:
    """The numbers of the columns; 0 is no column."""

    address: int
    topic: int
    title: int
    description: int


def _find_columns(path: Path, table: TableStream) -> _Cells:
    columns = table.columns
    if columns is None:
        raise BadDirectoryFile(
            f"{path.name} has no topics: write url,topic and, if you like, title,description a"
            " line. Nothing was kept."
        )
    meant = frozenset().union(*_NAMES)
    unnamed = [each.number for each in columns.others if each.heading.lower() not in meant]
    numbers: list[int] = []
    for names in _NAMES:
        free = (number for number in unnamed if number not in numbers)
        numbers.append(columns.find_heading(names) or next(free, 0))
    return _Cells(columns.address, *numbers)


def _page(path: Path, row: TableRow, cells: _Cells) -> Listed:
    text, topic = cell_of(row, cells.address), cell_of(row, cells.topic)
    if not text or not topic:
        raise BadDirectoryFile(
            f"{path.name}, line {row.line:,}: write url,topic and, if you like, title,description."
            " Nothing was kept."
        )
    address = read_cell(text)
    return Listed(
        category_path(_BETWEEN.sub("/", topic)),
        address.url if isinstance(address, Address) else text,
        cell_of(row, cells.title),
        cell_of(row, cells.description),
    )
