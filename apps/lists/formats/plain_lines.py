"""Plain text: one address a line, several, or addresses within sentences.

A heading and comments are passed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from apps.lists.addresses import ADDRESS_NAMES, clean
from apps.lists.formats.format import Choices
from apps.lists.table import Table, TableRow, limited

_COMMENT = re.compile(r"#|;|//(?:\s|$)|%")
_COMMENT_AFTER = re.compile(r"\s+#(?:\s.*)?$")
_BULLET = re.compile(r"(?:[-*+•‣◦·–—]|\d{1,6}[.)])\s+")


class PlainLines:
    id = "lines"
    title = "Lines"

    def recognises(self, text: str) -> bool:
        return True

    def read(self, text: str, choices: Choices) -> Table:
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        rows = list(plain_rows(lines))
        return Table(
            tuple(limited(row for row, is_passed in rows if not is_passed)),
            lines=True,
            lines_in_all=len(lines) - (not lines[-1]),
            passed=tuple(row for row, is_passed in rows if is_passed),
        )


def plain_rows(lines: Iterable[str]) -> Iterator[tuple[TableRow, bool]]:
    """Each line that is not empty, and whether it is passed: a comment, or the heading."""
    is_start = True
    for number, line in enumerate(lines, 1):
        content = clean(line)
        is_heading = is_start and content.strip('"').lower() in ADDRESS_NAMES
        if is_heading or _COMMENT.match(content):
            yield TableRow(number, (content,)), True
        elif content:
            is_start = False
            yield TableRow(number, (_without_marks(content),)), False


def _without_marks(line: str) -> str:
    """The line without the bullet before it and the comment after it."""
    return _COMMENT_AFTER.sub("", _BULLET.sub("", line, count=1))
