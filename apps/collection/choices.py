"""What a screen offers to filter by, and what is filtered, as a person reads it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any

from apps.collection.conditions import verdict_code
from apps.collection.facets import Facets
from apps.collection.filters import NOT, UNJUDGED, Filters, Order, Role, toggled
from apps.collection.models import BINS
from apps.collection.scope import Scope
from apps.crawls.models import Crawl
from apps.dashboard.about import about
from apps.dashboard.quantities import THIN

LABELS = {"y": "y, on the topic", "n": "n, not on it", "none": "no label"}
ROLES = {Role.TARGET: "target found", Role.SEED: "seed", Role.EXAMPLE: "example"}
ORDERS = {
    Order.BEST: "Best match",
    Order.TOPICALITY: "Topicality",
    Order.STATUS: "Status",
    Order.NEWEST: "Newest",
}


@dataclass(frozen=True, slots=True)
class Option:
    """A check box: `dots` are the votes of a verdict, those in favour first."""

    name: str
    value: str
    words: str
    count: int
    checked: bool
    dots: tuple[bool, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """The options of one filter under a heading."""

    title: str
    options: tuple[Option, ...]


@dataclass(frozen=True, slots=True)
class Bar:
    """One of the twenty bars of the histogram; `height` is a share of the tallest."""

    x: float
    height: float
    pages: int
    words: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter that is on, and the query string without it."""

    words: str
    query: str


def groups(scope: Scope, filters: Filters, counts: Facets) -> list[Group]:
    """The filters that have anything to choose, in the order of the screen."""
    found = [
        Group("Verdict", tuple(_verdicts(filters, counts))),
        Group("Label", tuple(_labels(filters, counts))),
        Group("Crawl", tuple(_crawls(scope, filters, counts))),
        Group("Host", tuple(
            Option("host", host, host, number, host in filters.hosts)
            for host, number in counts.hosts.items()
        )),
        Group("Role", tuple(
            Option("role", role, words, counts.roles.get(role, 0), role in filters.roles)
            for role, words in ROLES.items()
        )),
        Group("HTTP status", tuple(_answers(filters, counts))),
    ]  # fmt: skip
    return [group for group in found if group.options]


def _verdicts(filters: Filters, counts: Facets) -> Iterable[Option]:
    if filters.relevant:
        relevant = sum(n for name, n in counts.verdicts.items() if verdict_code(name) > 0)
        yield Option("verdict", "relevant", "relevant, any votes", relevant, True)
    have = {*counts.verdicts, *filters.verdicts}
    judges = max(verdict_code(name) // 10 for name in {*have, NOT})
    for name in sorted(have, key=lambda name: (-verdict_code(name), name)):
        code = verdict_code(name)
        yield Option(
            "verdict", name, verdict_words(name), counts.verdicts.get(name, 0),
            name in filters.verdicts,
            dots=tuple(i < code % 10 for i in range(judges if code == 0 else code // 10)),
        )


def verdict_words(name: str) -> str:
    """`3of3` → relevant, 3 of 3."""
    known = {NOT: "not relevant", UNJUDGED: "not judged"}
    return known.get(name) or "relevant, " + name.replace("of", " of ")


def _labels(filters: Filters, counts: Facets) -> Iterable[Option]:
    if not filters.labels and not {"y", "n"} & {*counts.labels}:
        return
    for name, words in LABELS.items():
        yield Option("label", name, words, counts.labels.get(name, 0), name in filters.labels)


def _crawls(scope: Scope, filters: Filters, counts: Facets) -> Iterable[Option]:
    if scope.only is not None:
        return
    for crawl in scope.crawls:
        number, checked = counts.crawls.get(crawl.pk, 0), crawl.pk in filters.crawls
        if number or checked:
            yield Option("crawl", str(crawl.pk), crawl_words(crawl), number, checked)


def _answers(filters: Filters, counts: Facets) -> Iterable[Option]:
    for code in sorted({*counts.answers, *filters.answers}):
        yield Option("http", str(code), http_words(code), counts.answers.get(code, 0),
                     code in filters.answers)


def http_words(code: int) -> str:
    """`200 OK`; the bare number where no standard has words for it."""
    return f"{code} {HTTPStatus(code).phrase}" if code in {*HTTPStatus} else str(code)


def crawl_words(crawl: Crawl) -> str:
    """`#7 Adaptive utility`."""
    return f"#{crawl.pk} {about(crawl).title}"


def histogram(filters: Filters, counts: Facets) -> list[Bar]:
    """Pages by topicality; empty where none is known and nothing filtered by it."""
    most = max(counts.histogram)
    if not most and (filters.tau_from, filters.tau_to) == (0, BINS):
        return []
    return [
        Bar(
            x=100 * step / BINS, height=pages / max(1, most), pages=pages,
            words=f"τ {step / BINS:.2f}–{(step + 1) / BINS:.2f}: {pages:,} pages",
            chosen=filters.tau_from <= step < filters.tau_to,
        )
        for step, pages in enumerate(counts.histogram)
    ]


def orders(filters: Filters) -> list[tuple[str, str, bool]]:
    """(words, query string, whether it holds); best match only where there are words."""
    return [
        (words, filters.query(order=order), order is filters.ordered)
        for order, words in ORDERS.items()
        if order is not Order.BEST or filters.words
    ]


def chips(scope: Scope, filters: Filters) -> list[Chip]:
    """Every filter that is on, the words apart."""
    crawls = {crawl.pk: crawl_words(crawl) for crawl in scope.crawls}
    several: Mapping[str, Any] = {
        "verdicts": verdict_words,
        "labels": lambda name: f"label {name}" if name != "none" else "no label",
        "crawls": lambda pk: crawls.get(pk, f"#{pk}"),
        "hosts": str,
        "answers": http_words,
        "roles": ROLES.__getitem__,
        "without": lambda role: f"without {role}s",
    }
    found = [Chip("relevant", filters.query(relevant=False))] if filters.relevant else []
    found += [
        Chip(words(value), toggled(filters, field, value).query())
        for field, words in several.items()
        for value in getattr(filters, field)
    ]
    return [*found, *_range_chips(filters)]


def _range_chips(filters: Filters) -> Iterable[Chip]:
    bounds: tuple[tuple[str, Any, str], ...] = (
        ("tau_from", 0, f"τ ≥{THIN}{filters.tau_from / BINS:.2f}"),
        ("tau_to", BINS, f"τ <{THIN}{filters.tau_to / BINS:.2f}"),
        ("status_from", None, f"σ ≥{THIN}{filters.status_from}"),
        ("status_to", None, f"σ ≤{THIN}{filters.status_to}"),
        ("since", None, f"fetched since {filters.since}"),
        ("until", None, f"fetched until {filters.until}"),
    )
    for field, nothing, words in bounds:
        if getattr(filters, field) != nothing:
            yield Chip(words, replace(filters, **{field: nothing}).query())
