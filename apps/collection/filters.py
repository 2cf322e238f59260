"""What is asked of a collection, as it stands in the address: words, filters, order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from enum import StrEnum
from typing import Any, Protocol
from urllib.parse import urlencode

from apps.collection.models import BINS

LONGEST = 400
MOST_HOSTS = 50


class Order(StrEnum):
    """How the pages found are ordered; best match needs words."""

    BEST = "best"
    TOPICALITY = "topicality"
    STATUS = "status"
    NEWEST = "newest"


class Role(StrEnum):
    """What a page is to its topic."""

    TARGET = "target"
    SEED = "seed"
    EXAMPLE = "example"


LABELS = ("y", "n", "none")
NOT, UNJUDGED = "not", "none"
"""Verdicts besides those of the votes in favour (`3of3`)."""


class Parameters(Protocol):
    """A query string: Django's QueryDict."""

    def get(self, key: str, default: str = "") -> Any: ...
    def getlist(self, key: str) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class Filters:
    """A search. Empty tuples and None filter nothing; several values of one filter are joined by
    "or". `tau_from` and `tau_to` are twentieths of topicality, from 0 to 20.

    `relevant` asks for every relevant page whatever its votes; `answers` are HTTP status codes;
    `without` leaves roles out.
    """

    words: str = ""
    relevant: bool = False
    verdicts: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    crawls: tuple[int, ...] = ()
    hosts: tuple[str, ...] = ()
    answers: tuple[int, ...] = ()
    roles: tuple[Role, ...] = ()
    without: tuple[Role, ...] = ()
    tau_from: int = 0
    tau_to: int = BINS
    status_from: float | None = None
    status_to: float | None = None
    since: date | None = None
    until: date | None = None
    order: Order | None = None

    @property
    def ordered(self) -> Order:
        """The order that holds: best match where there are words, else topicality."""
        order = self.order or (Order.BEST if self.words else Order.TOPICALITY)
        return Order.TOPICALITY if order is Order.BEST and not self.words else order

    @property
    def any(self) -> bool:
        """Whether anything is filtered at all."""
        return self != Filters(order=self.order)

    def query(self, **changes: Any) -> str:
        """The query string of this search with some fields changed, filters in a fixed order."""
        return urlencode(_pairs(replace(self, **changes)), doseq=True)

    def hidden(self) -> list[tuple[str, str]]:
        """The same as pairs for the hidden fields of a form."""
        return [(name, value) for name, values in _pairs(self).items() for value in values]


def read_filters(query: Parameters) -> Filters:
    """The search of a query string; what cannot be understood is left out, never an error."""
    ends = _twentieths(query, "tau_from", 0), _twentieths(query, "tau_to", BINS)
    tau_from = min(*ends, BINS - 1)
    return Filters(
        words=" ".join(query.get("q", "").replace("\0", " ").split())[:LONGEST],
        relevant="relevant" in query.getlist("verdict") or query.get("relevant", "") == "1",
        verdicts=_known(query.getlist("verdict"), is_verdict),
        labels=_known(_labels(query), LABELS.__contains__),
        crawls=tuple(sorted({int(n) for n in query.getlist("crawl") if is_number(n)})),
        hosts=_known(map(_host, query.getlist("host")), bool)[:MOST_HOSTS],
        answers=tuple(sorted({int(n) for n in query.getlist("http") if is_http_status(n)})),
        roles=_roles(query.getlist("role")),
        without=_roles(_without(query)),
        tau_from=tau_from,
        tau_to=max(*ends, tau_from + 1),
        status_from=decimal(query.get("status_from", "")),
        status_to=decimal(query.get("status_to", "")),
        since=day(query.get("since", "")),
        until=day(query.get("until", "")),
        order=next((o for o in Order if o == query.get("order", "")), None),
    )


def _pairs(filters: Filters) -> Mapping[str, list[str]]:
    known: dict[str, list[Any]] = {
        "q": [filters.words] if filters.words else [],
        "verdict": [*(["relevant"] if filters.relevant else []), *filters.verdicts],
        "label": list(filters.labels),
        "crawl": list(filters.crawls),
        "host": list(filters.hosts),
        "http": list(filters.answers),
        "role": list(filters.roles),
        "without": list(filters.without),
        "tau_from": [f"{filters.tau_from / BINS:.2f}"] if filters.tau_from else [],
        "tau_to": [f"{filters.tau_to / BINS:.2f}"] if filters.tau_to < BINS else [],
    }
    for name in ("status_from", "status_to", "since", "until", "order"):
        value = getattr(filters, name)
        known[name] = [] if value is None else [f"{value:g}" if type(value) is float else value]
    return {name: [str(value) for value in values] for name, values in known.items() if values}


def toggled(filters: Filters, field: str, value: Any) -> Filters:
    """The search with one value of a filter added, or taken away where it was there."""
    assert field in {f.name for f in fields(Filters)}
    have = getattr(filters, field)
    new = tuple(v for v in have if v != value) if value in have else (*have, value)
    return replace(filters, **{field: new})


def _without(query: Parameters) -> list[str]:
    """One check box of a form stands for several roles."""
    named = query.getlist("without")
    if query.get("without_seeds", "") == "1":
        named = [*named, Role.SEED]
    if query.get("without_known", "") == "1":
        named = [*named, Role.SEED, Role.EXAMPLE]
    return named


def _labels(query: Parameters) -> list[str]:
    return ["y", "n"] if query.get("labelled", "") == "1" else query.getlist("label")


def _known(values: Iterable[str], wanted: Any) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value.replace("\0", "") for value in values if wanted(value)))


def _roles(values: Iterable[str]) -> tuple[Role, ...]:
    return tuple(role for role in Role if role in set(values))


def _host(text: str) -> str:
    """The host of what was typed; of a whole address its host."""
    return text.strip().lower().partition("://")[-1 if "://" in text else 0].split("/")[0][:255]


def is_number(text: str) -> bool:
    """Whether a text is a number that a key may be."""
    return text.isascii() and text.isdigit() and len(text) < 19


def is_verdict(text: str) -> bool:
    """Whether a text is one of the verdicts, `relevant` apart."""
    votes, of, judges = text.partition("of")
    return text in (NOT, UNJUDGED) or (bool(of) and _digit(votes) and _digit(judges))


def is_http_status(text: str) -> bool:
    """Whether a text is a status code of three digits."""
    return is_number(text) and 100 <= int(text) <= 599


def _digit(text: str) -> bool:
    return len(text) == 1 and text in "123456789"


def decimal(text: str) -> float | None:
    """The number a text is; None where it is none, or beyond all measure."""
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < 1e9 else None


def day(text: str) -> date | None:
    """The day a text is; None where it is none."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _twentieths(query: Parameters, name: str, otherwise: int) -> int:
    value = decimal(query.get(name, ""))
    return otherwise if value is None else min(BINS, max(0, round(value * BINS)))
