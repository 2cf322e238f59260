"""Suggested corrections of lines that were not accepted."""

from __future__ import annotations

import re
from dataclasses import dataclass

from apps.engine.urls import canonical
from apps.topics.definition.lines import BadLine, LineError

_SECOND = re.compile(r"\s+(?=\S*://)")
_HOST = re.compile(r"[^\s/,]+\.[A-Za-z]{2,}(?:[:/?#]\S*)?")
_COMMA = re.compile(r"^(\w+://)?([^/?#]*)")


@dataclass(frozen=True, slots=True)
class Correction:
    """A verb, and the text that replaces the line; None removes the line."""

    verb: str
    text: str | None


REMOVE = Correction("Remove the line", None)


def correction(error: LineError) -> Correction:
    """The correction of a line."""
    if error.reason == BadLine.TWO_URLS:
        return Correction("Write one a line", _SECOND.sub("\n", error.text))
    if error.reason == BadLine.NOT_A_URL:
        return _address(error.text) or REMOVE
    return REMOVE


def _address(text: str) -> Correction | None:
    dotted = _COMMA.sub(lambda start: start.group().replace(",", "."), text, count=1)
    plain = dotted if "://" in dotted else f"https://{dotted}"
    if not _HOST.fullmatch(plain.partition("://")[2]) or canonical(plain) is None:
        return None
    verb = "Use a dot" if dotted != text else "Add https://"
    return Correction(verb, plain)
