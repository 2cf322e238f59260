"""Whole numbers of a column, as either locale writes them: 1,234 and 1.234 and 1 234 and 10.0."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

LARGEST = 2**31 - 1
_SPACES = re.compile(r"(?<=\d)[\s'’_](?=\d{3}\b)")
_GROUPED = {mark: re.compile(rf"\d{{1,3}}(?:{re.escape(mark)}\d{{3}})+") for mark in ",."}
_ZERO_FRACTION = {mark: re.compile(rf"\d+{re.escape(mark)}0+") for mark in ",."}
_BOTH = re.compile(r"(\d{1,3}(?:([,.])\d{3})+)(?!\2)[,.]0+")


class NumberReader:
    """Reads the numbers of one column, whose locale a sample of its cells shows.

    A mark groups thousands if each of the sample's numbers with it has groups of three digits, else
    it separates a fraction, which has to be zero.
    """

    def __init__(self, sample: Iterable[str]) -> None:
        texts = [_plain(cell) for cell in sample]
        self._grouping = {mark for mark in ",." if _groups_thousands(texts, mark)}

    def read(self, cell: str) -> int | None:
        """A number from 0 to `LARGEST`, None for a cell without one."""
        return _read_number(_plain(cell), self._grouping)


def read_numbers(cells: Sequence[str]) -> list[int | None]:
    """The number of each cell of a column, None for cells without one."""
    reader = NumberReader(cells)
    return [reader.read(cell) for cell in cells]


def _plain(cell: str) -> str:
    return _SPACES.sub("", cell.strip().strip('"').strip())


def _groups_thousands(texts: Sequence[str], mark: str) -> bool:
    other = "," if mark == "." else "."
    marked = [text for text in texts if mark in text and other not in text]
    return bool(marked) and all(_GROUPED[mark].fullmatch(text) for text in marked)


def _read_number(text: str, grouping: set[str]) -> int | None:
    if both := _BOTH.fullmatch(text):
        text = both[1].replace(both[2], "")
    for mark in ",.":
        if mark in grouping and _GROUPED[mark].fullmatch(text):
            text = text.replace(mark, "")
        elif _ZERO_FRACTION[mark].fullmatch(text):
            text = text.partition(mark)[0]
    if not (text.isascii() and text.isdigit() and len(text) <= 10):
        return None
    number = int(text)
    return number if number <= LARGEST else None
