"""The interface of a form of opt-out, and the sign of one in a page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from apps.engine.answers import Headers

LONGEST_TEXT = 300
Position = Literal["header", "page"]
SignParts = tuple[Position, str, bool]
"""The position of a sign, its wording, and whether it reserves something."""


class HeadLink(NamedTuple):
    """A link element: its rel in lower case, its type and its address as written."""

    rel: tuple[str, ...]
    type: str
    href: str


@dataclass(frozen=True, slots=True)
class PageHead:
    """The parts of a page that may have opt-outs: the headers of the answer, the meta elements as
    (name in lower case, content), and the link elements."""

    headers: Headers
    metas: Sequence[tuple[str, str]] = ()
    links: Sequence[HeadLink] = ()

    def header_values(self, name: str) -> Iterator[str]:
        """The values of all headers of a name in lower case."""
        return (value for key, value in self.headers if key.lower() == name)

    def meta_values(self, name: str) -> Iterator[str]:
        """The contents of all meta elements of a name in lower case."""
        return (content for key, content in self.metas if key == name)


class OptOutSign(NamedTuple):
    """One sign: the id of its form, its position, its wording, and whether it reserves
    something."""

    form: str
    place: Position
    text: str
    reserves: bool


@dataclass(frozen=True, slots=True)
class OptOutForm:
    """A form. `read` yields its signs."""

    id: str
    title: str
    sentence: str
    read: Callable[[PageHead], Iterator[SignParts]]

    def signs(self, head: PageHead) -> Iterator[OptOutSign]:
        """The signs of this form, without control characters."""
        for place, text, reserves in self.read(head):
            yield OptOutSign(self.id, place, " ".join(text.split())[:LONGEST_TEXT], reserves)
