"""The interface of a format of lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from apps.lists.table import Table


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices of a person that override what the reader recognised; empty means as recognised.

    `delimiter` is one of the delimited format's, or `lines` for one address a line. `column`,
    `title`, `answer` and `count` number columns from 1; 0 means none, -1 recognised.
    """

    delimiter: str = ""
    encoding: str = ""
    heading: bool | None = None
    sheet: str = ""
    column: int = -1
    title: int = -1
    answer: int = -1
    count: int = -1


class TextFormat(Protocol):
    """A format of text: `recognises` looks at the start, `read` makes the table."""

    id: str
    title: str

    def recognises(self, text: str) -> bool: ...

    def read(self, text: str, choices: Choices) -> Table:
        """Raises BadList if the text is damaged or beyond a limit."""
