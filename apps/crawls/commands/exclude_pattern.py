"""Excludes all addresses that match a shell pattern, waiting ones too, and includes them again."""

from __future__ import annotations

from dataclasses import dataclass

from apps.crawls.commands.command import (
    Command,
    EventKind,
    Payload,
    Person,
    Undo,
    ask,
    unless_running,
)
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl, FrontierEntry
from apps.engine.frontier.scope import Scope

EXCLUDED, INCLUDED = "exclude_pattern", "include_pattern"
LONGEST_PATTERN = 500
PREVIEWED = 20


@dataclass(frozen=True, slots=True)
class Preview:
    """How many waiting URLs a pattern matches, and the first of them."""

    number: int
    urls: tuple[str, ...]


def parse(text: str) -> str:
    """A pattern of whole addresses. Raises CrawlRefused if it matches everything or is too long."""
    pattern = text.strip()
    if not pattern.strip("*"):
        raise CrawlRefused(
            "pattern", "Give a pattern of the whole address, with * for anything: */calendar/*."
        )
    if len(pattern) > LONGEST_PATTERN:
        raise CrawlRefused("pattern", f"The pattern is longer than {LONGEST_PATTERN} characters.")
    return pattern


def preview(crawl: Crawl, text: str) -> Preview:
    """The links of the frontier that a pattern would exclude. Raises CrawlRefused."""
    scope = Scope(deny_patterns=(parse(text),))
    waiting = crawl.frontier.filter(state=FrontierEntry.State.WAITING).order_by("number")
    number, first = 0, []
    for url in waiting.values_list("url", flat=True).iterator(5_000):
        if scope.denies(url):
            number += 1
            if number <= PREVIEWED:
                first.append(url)
    return Preview(number, tuple(first))


def exclude_pattern(crawl: Crawl, text: str, by: Person = None) -> None:
    """Excludes all URLs that match, waiting ones too. Raises CrawlRefused."""
    pattern, before = parse(text), denied(crawl)
    if pattern in before:
        raise CrawlRefused("pattern", f"{pattern} is excluded already.")
    _deny(crawl, EXCLUDED, pattern, [*before, pattern], by)


def include_pattern(crawl: Crawl, pattern: str, by: Person = None) -> None:
    """Returns what a pattern excluded to the frontier, unless another rule excludes it."""
    before = denied(crawl)
    if pattern not in before:
        raise CrawlRefused("pattern", f"{parse(pattern)} is not excluded.")
    _deny(crawl, INCLUDED, pattern, [p for p in before if p != pattern], by)


def denied(crawl: Crawl) -> list[str]:
    """The patterns that are excluded now."""
    return list(crawl.scope.get("deny_patterns", ()))


def _deny(crawl: Crawl, kind: str, pattern: str, patterns: list[str], by: Person) -> None:
    payload = {"pattern": pattern, "before": denied(crawl)}
    ask(crawl, kind, payload, by, scope={**crawl.scope, "deny_patterns": patterns})


def _words(payload: Payload) -> str:
    return f"that match {payload['pattern']}"


def _about(payload: Payload) -> tuple[str, str]:
    return "pattern", payload["pattern"]


def _exclude(crawl: Crawl, value: str, by: Person) -> str:
    exclude_pattern(crawl, value, by)
    return unless_running(crawl)


def _include(crawl: Crawl, value: str, by: Person) -> str:
    include_pattern(crawl, value, by)
    return unless_running(crawl)


EXCLUDE_PATTERN = Command(
    name=EXCLUDED,
    title="Exclude addresses",
    does="Excludes all addresses that match a pattern, waiting ones and those found later.",
    act=_exclude,
    value="a pattern of whole addresses, with * for anything and ? for one character",
    events=(
        EventKind(
            EXCLUDED, "Addresses excluded", _words,
            apply=lambda steering, p: steering.exclude_pattern(p["pattern"]),
            undo=Undo(
                _about, stands=lambda crawl, p: p["pattern"] in denied(crawl),
                carry_out=lambda crawl, p, by: include_pattern(crawl, p["pattern"], by),
            ),
        ),
    ),
)
INCLUDE_PATTERN = Command(
    name=INCLUDED,
    title="Include addresses",
    does="Returns the addresses that a pattern excluded to the frontier, unless another rule"
    " excludes them.",
    act=_include,
    value="an excluded pattern",
    events=(
        EventKind(
            INCLUDED, "Addresses included again", _words,
            apply=lambda steering, p: steering.include_pattern(p["pattern"]),
            undo=Undo(
                _about, stands=lambda crawl, p: p["pattern"] not in denied(crawl),
                carry_out=lambda crawl, p, by: exclude_pattern(crawl, p["pattern"], by),
            ),
        ),
    ),
)
