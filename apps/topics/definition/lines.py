"""Reading the lists of a topic: the addresses taken, and each line that is not, with its reason.

`apps.lists` reads the text; here a topic adds what it does not accept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from django.conf import settings

from apps.engine.networking.address_guard import AddressGuard, AddressRefusal
from apps.engine.urls import canonical, host
from apps.lists import counts
from apps.lists.addresses import LONGEST as MAX_URL
from apps.lists.addresses import Fault
from apps.lists.limits import BadList
from apps.lists.reading import Duplicate, ListEntry, RejectedLine, read_list

LABEL_MARK = "label: "
"""Before the label or role of an uploaded row that has no meaning, behind its address."""
HOST_NAME = re.compile(r"(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_]([a-z0-9_-]{0,62}))*$")


class LineFault(StrEnum):
    """Why a line is not accepted."""

    NOT_A_URL = Fault.NO_ADDRESS.value
    TOO_LONG = Fault.TOO_LONG.value
    COMMA = Fault.COMMA.value
    SCHEME = Fault.SCHEME.value
    SCHEME_TWICE = Fault.SCHEME_TWICE.value
    DISGUISED = Fault.DISGUISED.value
    ONLY_A_FEED = Fault.ONLY_A_FEED.value
    SITEMAP_OF_SITEMAPS = Fault.SITEMAP_OF_SITEMAPS.value
    DUPLICATE = "duplicate"
    SEED = "seed"
    POSITIVE = "positive"
    NEGATIVE = "negative"
    EVALUATION = "evaluation"
    NO_COUNT = "no_count"
    TARGET = "target"
    LABEL = "label"
    PRIVATE_ADDRESS = AddressRefusal.PRIVATE_ADDRESS.value
    PRIVATE_NAME = AddressRefusal.PRIVATE_NAME.value
    PORT_ZERO = AddressRefusal.PORT_ZERO.value
    LONG_NAME = AddressRefusal.LONG_NAME.value


@dataclass(frozen=True, slots=True)
class LineError:
    """A line that is not accepted: its number from 1, its text and the reason.

    `line` is the number of the line that a duplicate repeats, `correction` the line as it was
    probably meant.
    """

    number: int
    text: str
    reason: LineFault
    line: int | None = None
    correction: str = ""


@dataclass(frozen=True, slots=True)
class UrlLines:
    """Canonical URLs in the order of their lines, the lines not accepted, the numbers of the lines
    of the URLs, from 1, and the URLs as they are requested."""

    urls: tuple[str, ...] = ()
    errors: tuple[LineError, ...] = ()
    numbers: tuple[int, ...] = ()
    written: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CountLines:
    """Counts by canonical URL, and the lines not accepted."""

    counts: Mapping[str, int] = field(default_factory=dict)
    errors: tuple[LineError, ...] = ()


def storable(text: str) -> str:
    """The text without what databases refuse: NUL and unpaired surrogates."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()


def read_urls(text: str, taken: Mapping[str, LineFault] | None = None) -> UrlLines:
    """The addresses of a text of any format that `apps.lists` reads. A URL in `taken` is refused
    for its reason.

    URLs with a private address or a name of a private network are refused as well, and so are lines
    with a label: an uploaded file has these.
    """
    if not text.strip():
        return UrlLines()
    try:
        reading = read_list(text)
    except BadList:
        return UrlLines((), tuple(_unread_lines(text)))
    errors = _list_errors(reading.refused, reading.duplicates)
    guard = AddressGuard(settings.ALLOWED_ADDRESSES)
    numbers: dict[str, int] = {}
    written: list[str] = []
    for entry in reading.entries:
        reason = _refusal(entry, taken or {}, guard)
        if reason is None:
            numbers[entry.key] = entry.line
            written.append(entry.url)
        else:
            beside = (entry.answer, entry.role) if reason == LineFault.LABEL else ()
            words = (entry.text, *beside, entry.title if entry.title.startswith(LABEL_MARK) else "")
            errors.append(LineError(entry.line, "\t".join(filter(None, words)), reason))
    errors.sort(key=lambda error: error.number)
    return UrlLines(tuple(numbers), tuple(errors), tuple(numbers.values()), tuple(written))


def _refusal(
    entry: ListEntry, taken: Mapping[str, LineFault], guard: AddressGuard
) -> LineFault | None:
    """Why a topic does not accept the entry, or None."""
    if entry.answer or entry.role or entry.title.startswith(LABEL_MARK):
        return LineFault.LABEL
    if entry.key in taken:
        return taken[entry.key]
    refusal = guard.refusal(entry.key)
    return LineFault(refusal.value) if refusal else None


def _list_errors(
    refused: Iterable[RejectedLine], duplicates: Iterable[Duplicate]
) -> list[LineError]:
    """The lines of a list that have no address, or one of an earlier line."""
    return [
        LineError(line.line, line.text, LineFault(line.fault.value), correction=line.correction)
        for line in refused
    ] + [
        LineError(line.line, line.url, LineFault.DUPLICATE, line.first_line) for line in duplicates
    ]


def _unread_lines(text: str) -> list[LineError]:
    """An error for each line of a text that cannot be read as a list."""
    return [
        LineError(number, line.strip(), LineFault.NOT_A_URL)
        for number, line in enumerate(text.splitlines(), 1)
        if line.strip()
    ]


def read_counts(text: str) -> CountLines:
    """An address and a count a line, in any format that `apps.lists` reads."""
    if not text.strip():
        return CountLines()
    try:
        reading = counts.read_counts(text)
    except BadList:
        return CountLines({}, tuple(_unread_lines(text)))
    errors = [
        *_list_errors(reading.refused, reading.duplicates),
        *(
            LineError(row.line, ",".join(row.cells), LineFault.NO_COUNT)
            for row in reading.uncounted
        ),
    ]
    return CountLines(reading.counts, tuple(sorted(errors, key=lambda error: error.number)))


def read_keywords(text: str) -> tuple[str, ...]:
    """The distinct keywords between commas or line ends, in order."""
    pieces = (" ".join(piece.split()) for piece in text.replace(",", "\n").splitlines())
    return tuple(dict.fromkeys(piece for piece in pieces if piece))


def host_name(text: str) -> str | None:
    """The host in a text, alone or in a URL, in the form of `urls.host` without a port; None if
    there is none."""
    text = text.strip().strip('"').rstrip(".").lower()
    if "://" not in text:
        text = f"http://{text}/" if text.isascii() is False or HOST_NAME.match(text) else ""
    url = canonical(text) if text and len(text) <= MAX_URL else None
    return host(url).partition(":")[0] if url else None
