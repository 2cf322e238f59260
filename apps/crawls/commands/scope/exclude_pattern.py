"""Excludes all addresses that match a shell pattern, waiting ones too, and includes them again."""

from __future__ import annotations

from dataclasses import dataclass

from apps.crawls.commands.command import Person, ask
from apps.crawls.commands.scope.exclusion import ExclusionRule
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl, FrontierEntry
from apps.engine.crawl.steering import Steering
from apps.engine.frontier.scope import Scope
from apps.schemas.refused import Refused

EXCLUDED, INCLUDED = "exclude_pattern", "include_pattern"
LONGEST_PATTERN = 500
PREVIEWED = 20


@dataclass(frozen=True, slots=True)
class PatternPreview:
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


def preview(crawl: Crawl, text: str) -> PatternPreview:
    """The links of the frontier that a pattern would exclude. Raises CrawlRefused."""
    scope = Scope(deny_patterns=(parse(text),))
    waiting = crawl.frontier.filter(state=FrontierEntry.State.WAITING).order_by("number")
    number, first = 0, []
    for url in waiting.values_list("url", flat=True).iterator(5_000):
        if scope.denies(url):
            number += 1
            if number <= PREVIEWED:
                first.append(url)
    return PatternPreview(number, tuple(first))


def exclude_pattern(crawl: Crawl, text: str, by: Person = None) -> None:
    """Excludes all URLs that match, waiting ones too. Raises CrawlRefused."""
    pattern, before = parse(text), denied(crawl)
    if pattern in before:
        raise CrawlRefused("pattern", f"{pattern} is excluded already.")
    _check_cost([*before, pattern])
    _deny(crawl, EXCLUDED, pattern, [*before, pattern], by)


def include_pattern(crawl: Crawl, pattern: str, by: Person = None) -> None:
    """Returns what a pattern excluded to the frontier, unless another rule excludes it."""
    before = denied(crawl)
    if pattern not in before:
        raise CrawlRefused("pattern", f"{parse(pattern)} is not excluded.")
    _deny(crawl, INCLUDED, pattern, [p for p in before if p != pattern], by)


def _check_cost(patterns: list[str]) -> None:
    # A crawl loads every command, and no schema.
    from apps.crawls.schemas import ScopeRules

    try:
        ScopeRules.read({"deny_patterns": patterns})
    except Refused as refused:
        raise CrawlRefused("pattern", refused.message) from None


def denied(crawl: Crawl) -> list[str]:
    """The patterns that are excluded now."""
    return list(crawl.scope.get("deny_patterns", ()))


def _deny(crawl: Crawl, kind: str, pattern: str, patterns: list[str], by: Person) -> None:
    payload = {"pattern": pattern, "before": denied(crawl)}
    ask(crawl, kind, payload, by, scope={**crawl.scope, "deny_patterns": patterns})


PATTERNS = ExclusionRule(
    "pattern",
    exclude_pattern,
    include_pattern,
    is_excluded=lambda crawl, pattern: pattern in denied(crawl),
    words=lambda pattern: f"that match {pattern}",
)
EXCLUDE_PATTERN = PATTERNS.command(
    excludes=True,
    name=EXCLUDED,
    title="Exclude addresses",
    does="Excludes all addresses that match a pattern, waiting ones and later ones.",
    value="a pattern of whole addresses, with * for anything and ? for one character",
    event="Addresses excluded",
    steer=Steering.exclude_pattern,
)
INCLUDE_PATTERN = PATTERNS.command(
    excludes=False,
    name=INCLUDED,
    title="Include addresses",
    does="Returns the addresses that a pattern excluded to the frontier, unless another rule"
    " excludes them.",
    value="an excluded pattern",
    event="Addresses included again",
    steer=Steering.include_pattern,
)
