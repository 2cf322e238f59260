"""What of an address filters nothing because it cannot be understood, and what contradicts itself.

A list leaves such values out and says so; a download, which nobody would look through, is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from apps.collection.filters import (
    LABELS,
    Filters,
    Order,
    Parameters,
    Role,
    day,
    decimal,
    is_http_status,
    is_number,
    is_verdict,
)
from apps.collection.scope import Scope

LONGEST = 40
_DAY = "is no day; write it as 2026-05-01"
_NUMBER = "is no number"
_ROLE = "is no role; known are target, seed and example"
_SHARE = "is no topicality; it lies between 0 and 1"


@dataclass(frozen=True, slots=True)
class Misread:
    """A sentence about one field, named as in the address."""

    field: str
    message: str


class SearchRefused(Exception):
    """A search that cannot be carried out as it was asked; `field` and `message` as in Misread."""

    def __init__(self, misread: Misread) -> None:
        super().__init__(misread.message)
        self.field = misread.field
        self.message = misread.message


def misread(query: Parameters, filters: Filters, scope: Scope) -> tuple[Misread, ...]:
    """What is wrong with a query string that `filters` were read from; empty where nothing is."""
    return (*_unknown(query, scope), *_contradictions(filters))


def refuse_misread(query: Parameters, filters: Filters, scope: Scope) -> None:
    """Raises SearchRefused for the first thing wrong."""
    for first in misread(query, filters, scope):
        raise SearchRefused(first)


def _unknown(query: Parameters, scope: Scope) -> Iterator[Misread]:
    for field, (understood, words) in _rules(scope).items():
        for value in query.getlist(field):
            if value and not understood(value):
                cut = f"{value[:LONGEST]}…" if len(value) > LONGEST else value
                yield Misread(field, f"“{cut}” {words}.")


def _rules(scope: Scope) -> Mapping[str, tuple[Callable[[str], object], str]]:
    """By field what a value must be, and what is said where it is not."""
    verdicts = "is no verdict; known are relevant, not, none, and votes as in 3of3"
    return {
        "verdict": (lambda text: text == "relevant" or is_verdict(text), verdicts),
        "label": (LABELS.__contains__, "is no label; known are y, n and none"),
        "crawl": (lambda text: is_number(text) and int(text) in scope.crawl_ids,
                  "is the number of no crawl of this collection"),
        "http": (is_http_status, "is no HTTP status; it has three digits, as in 200"),
        "role": ({*Role}.__contains__, _ROLE),
        "without": ({*Role}.__contains__, _ROLE),
        "tau_from": (_is_share, _SHARE),
        "tau_to": (_is_share, _SHARE),
        "status_from": (_is_decimal, _NUMBER),
        "status_to": (_is_decimal, _NUMBER),
        "since": (day, _DAY),
        "until": (day, _DAY),
        "order": ({*Order}.__contains__, "is no order; known are best, topicality, status, newest"),
    }


def _is_decimal(text: str) -> bool:
    return decimal(text) is not None


def _is_share(text: str) -> bool:
    value = decimal(text)
    return value is not None and 0 <= value <= 1


def _contradictions(filters: Filters) -> Iterator[Misread]:
    low, high = filters.status_from, filters.status_to
    if low is not None and high is not None and low > high:
        yield Misread("status_from", f"No status is at least {low:g} and at most {high:g}.")
    if filters.since and filters.until and filters.since > filters.until:
        yield Misread("since", f"No day is since {filters.since} and until {filters.until}.")
