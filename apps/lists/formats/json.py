"""JSON and JSON lines: addresses, or objects that have one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from apps.lists.formats.format import Choices
from apps.lists.limits import BadList, check_nesting
from apps.lists.table import Table, TableRow, limited

_START = re.compile(r'\s*[\[{]\s*(?:["{}\]]|\[\s*["\[{])')


class Json:
    id = "json"
    title = "JSON"

    def recognises(self, text: str) -> bool:
        return _START.match(text) is not None

    def read(self, text: str, choices: Choices) -> Table:
        values = list(_values(text))
        keys = tuple(dict.fromkeys(key for _, v in values if isinstance(v, dict) for key in v))
        rows = (
            TableRow(line, tuple(_text(value.get(key)) for key in keys))
            if isinstance(value, dict)
            else TableRow(line, (_text(value),))
            for line, value in values
        )
        read = tuple(limited(rows))
        return Table(read, keys or ("Address",), lines_in_all=len(read))


def _values(text: str) -> Iterator[tuple[int, Any]]:
    """The entries with their lines: of an array, or of lines with one value each."""
    _check_depth(text)
    try:
        whole = json.loads(text)
    except ValueError as error:
        if text.lstrip().startswith("[") or not isinstance(error, json.JSONDecodeError):
            raise _damaged(getattr(error, "lineno", 1)) from None
        yield from _lines(text)
        return
    yield from enumerate(_list_in(whole), 1)


def _lines(text: str) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            try:
                yield number, json.loads(line)
            except ValueError:  # a number of thousands of digits is one, too
                raise _damaged(number) from None


def _list_in(value: Any) -> list[Any]:
    """The value if it is a list, else the longest list in the object, else the object itself."""
    if isinstance(value, list):
        return value
    lists = [v for v in value.values() if isinstance(v, list)] if isinstance(value, dict) else []
    return max(lists, key=len, default=[value])


def _text(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _check_depth(text: str) -> None:
    depth = 0
    for char in text:
        if char in "[{":
            depth += 1
            check_nesting(depth)
        elif char in "]}":
            depth = max(0, depth - 1)


def _damaged(line: int) -> BadList:
    return BadList(f"Its JSON is damaged at line {line:,}. Correct or export it again.")
