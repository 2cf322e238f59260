"""Reading pasted lists with one entry a line: the good lines, and each bad one with its error."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from django.conf import settings

from apps.engine.networking.address_guard import AddressGuard, Refusal
from apps.engine.urls import canonical, host

MAX_URL = 2_000
_SECOND_URL = re.compile(r"\s\S*://")
MAX_COUNT = 2**31 - 1
HOST_NAME = re.compile(
    r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))*$"
)


class BadLine(StrEnum):
    """Why a line is not accepted."""

    NOT_A_URL = "not_a_url"
    TOO_LONG = "too_long"
    DUPLICATE = "duplicate"
    SEED = "seed"
    POSITIVE = "positive"
    NEGATIVE = "negative"
    EVALUATION = "evaluation"
    NO_COUNT = "no_count"
    TARGET = "target"
    TWO_URLS = "two_urls"
    LABEL = "label"
    PRIVATE_ADDRESS = Refusal.PRIVATE_ADDRESS.value
    PRIVATE_NAME = Refusal.PRIVATE_NAME.value
    PORT_ZERO = Refusal.PORT_ZERO.value
    LONG_NAME = Refusal.LONG_NAME.value


@dataclass(frozen=True, slots=True)
class LineError:
    """A line that is not accepted: its number from 1, its text and the reason.

    `line` is the number of the line that a duplicate repeats.
    """

    number: int
    text: str
    reason: BadLine
    line: int | None = None


@dataclass(frozen=True, slots=True)
class UrlLines:
    """Canonical URLs in the order of their lines, the lines not accepted, and the numbers of the
    lines of the URLs, from 1."""

    urls: tuple[str, ...] = ()
    errors: tuple[LineError, ...] = ()
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CountLines:
    """Counts by canonical URL, and the lines not accepted."""

    counts: Mapping[str, int] = field(default_factory=dict)
    errors: tuple[LineError, ...] = ()


def storable(text: str) -> str:
    """The text without what databases refuse: NUL and unpaired surrogates."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def read_urls(text: str, taken: Mapping[str, BadLine] | None = None) -> UrlLines:
    """One URL a line; blank lines are skipped. A URL in `taken` is refused for its reason.

    URLs with a private address or a name of a private network are refused as well.
    """
    taken = taken or {}
    guard = AddressGuard(settings.ALLOWED_ADDRESSES)
    seen: dict[str, int] = {}
    errors = []
    for number, line in _lines(text):
        url = _url(line)
        if isinstance(url, BadLine):
            errors.append(LineError(number, line, url))
        elif url in seen:
            errors.append(LineError(number, line, BadLine.DUPLICATE, seen[url]))
        elif url in taken:
            errors.append(LineError(number, line, taken[url]))
        elif refusal := guard.refusal(url):
            errors.append(LineError(number, line, BadLine(refusal.value)))
        else:
            seen[url] = number
    return UrlLines(tuple(seen), tuple(errors), tuple(seen.values()))


def read_counts(text: str) -> CountLines:
    """`url,count` a line; a first line without a count is a heading."""
    counts: dict[str, int] = {}
    seen: dict[str, int] = {}
    errors = []
    for number, line in _lines(text):
        address, _, figure = line.replace("\t", ",").rpartition(",")
        count = read_count(figure)
        url = _url(address.strip().strip('"'))
        if number == 1 and count is None and isinstance(url, BadLine):
            continue
        if count is None:
            errors.append(LineError(number, line, BadLine.NO_COUNT))
        elif isinstance(url, BadLine):
            errors.append(LineError(number, line, url))
        elif url in seen:
            errors.append(LineError(number, line, BadLine.DUPLICATE, seen[url]))
        else:
            seen[url], counts[url] = number, count
    return CountLines(counts, tuple(errors))


def read_keywords(text: str) -> tuple[str, ...]:
    """The distinct keywords between commas or line ends, in order."""
    pieces = (" ".join(piece.split()) for piece in text.replace(",", "\n").splitlines())
    return tuple(dict.fromkeys(piece for piece in pieces if piece))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The non-blank lines with their numbers, with any kind of line end."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line.strip()


def _url(text: str) -> str | BadLine:
    if len(text) > MAX_URL:
        return BadLine.TOO_LONG
    if _SECOND_URL.search(text):
        return BadLine.TWO_URLS
    if "\t" in text:
        return BadLine.LABEL
    return canonical(text) or BadLine.NOT_A_URL


def read_count(text: str) -> int | None:
    """A whole number from 0 that the database can hold, or None."""
    digits = text.strip().strip('"')
    if not (digits.isascii() and digits.isdigit()):
        return None
    return int(digits) if int(digits) <= MAX_COUNT else None

def host_name(text: str) -> str | None:
    """The host in a text, alone or in a URL, in the form of `urls.host` without a port; None if
    there is none."""
    text = text.strip().strip('"').rstrip(".").lower()
    if "://" not in text:
        text = f"http://{text}/" if text.isascii() is False or HOST_NAME.match(text) else ""
    url = canonical(text) if text and len(text) <= MAX_URL else None
    return host(url).partition(":")[0] if url else None
