"""What a person may change of a crawl besides its budget and δ: seeds, hosts, patterns, and back.

Each is a `Change` that the runner applies at its next commit, or at its next start; each becomes an
event that a replay repeats.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import AbstractUser

from apps.crawls.models import Crawl, FrontierEntry, HostRecord
from apps.crawls.services import CrawlRefused, ask
from apps.engine.frontier.scope import Scope
from apps.engine.model import State
from apps.topics.lines import LineError, read_urls
from apps.topics.messages import line_words

LONGEST_PATTERN = 500
PREVIEWED = 20


@dataclass(frozen=True, slots=True)
class Seeds:
    """The seeds that were taken, and the lines that were not."""

    urls: tuple[str, ...]
    errors: tuple[LineError, ...]


@dataclass(frozen=True, slots=True)
class Preview:
    """How many waiting URLs a pattern matches, and the first of them."""

    number: int
    urls: tuple[str, ...]


def when(crawl: Crawl) -> str:
    """When a change of this crawl takes effect, as a sentence."""
    if crawl.state == State.RUNNING:
        return "It takes effect with the next pages."
    return f"The crawl is {crawl.state}: it takes effect at its next start."


def add_seeds(crawl: Crawl, text: str, by: AbstractUser | None = None) -> Seeds:
    """Queues the URLs of the lines with priority 1. Raises CrawlRefused where no line is one."""
    lines = read_urls(text)
    if not lines.urls:
        raise CrawlRefused("seeds", bad_lines(lines.errors) or "Give a web address a line.")
    ask(crawl, "seeds", {"urls": list(lines.urls)}, by)
    return Seeds(lines.urls, lines.errors)


def bad_lines(errors: Sequence[LineError]) -> str:
    """The lines not taken, each with its number and why; empty where there are none."""
    return " ".join(f"Line {e.number}: {e.text[:80]}: {line_words(e)}." for e in errors)


def leave_out_host(crawl: Crawl, host: str, by: AbstractUser | None = None) -> None:
    """Asks a host for nothing more until it is taken in again; its links keep waiting."""
    _switch(crawl, host, True, by)


def take_in_host(crawl: Crawl, host: str, by: AbstractUser | None = None) -> None:
    """Asks a host again that was left out."""
    _switch(crawl, host, False, by)


def _switch(crawl: Crawl, host: str, out: bool, by: AbstractUser | None) -> None:
    if not host:
        raise CrawlRefused("host", "Name a host, as the table of hosts writes it.")
    known = HostRecord.objects.filter(crawl=crawl, host=host)
    if not known.exists():
        raise CrawlRefused("host", f"The crawl knows no host “{host[:100]}”.")
    if not known.filter(left_out=not out).update(left_out=out):
        words = "is left out already" if out else "is not left out"
        raise CrawlRefused("host", f"{host} {words}.")
    ask(crawl, "leave_out" if out else "take_in", {"host": host}, by)


def take_in_trap(
    crawl: Crawl, rule: str, place: str, by: AbstractUser | None = None
) -> None:
    """Takes a place for no spider trap any more; what was set aside of it waits again."""
    ask(crawl, "trust", {"rule": rule, "place": place}, by)


def preview(crawl: Crawl, pattern: str) -> Preview:
    """What leaving out a pattern would take out of the queue. Raises CrawlRefused."""
    scope = Scope(deny_patterns=(_pattern(pattern),))
    waiting = crawl.frontier.filter(state=FrontierEntry.State.WAITING).order_by("number")
    number, first = 0, []
    for url in waiting.values_list("url", flat=True).iterator(5_000):
        if scope.denies(url):
            number += 1
            if number <= PREVIEWED:
                first.append(url)
    return Preview(number, tuple(first))


def exclude_pattern(crawl: Crawl, pattern: str, by: AbstractUser | None = None) -> None:
    """Leaves out all URLs that match a shell pattern, those waiting too."""
    pattern, before = _pattern(pattern), _denied(crawl)
    if pattern in before:
        raise CrawlRefused("pattern", f"{pattern} is left out already.")
    _deny(crawl, "exclude", pattern, [*before, pattern], by)


def include_pattern(crawl: Crawl, pattern: str, by: AbstractUser | None = None) -> None:
    """Takes in again what a pattern left out, unless another rule refuses it."""
    before = _denied(crawl)
    if pattern not in before:
        raise CrawlRefused("pattern", f"{_pattern(pattern)} is not left out.")
    _deny(crawl, "include", pattern, [p for p in before if p != pattern], by)


def _deny(
    crawl: Crawl, kind: str, pattern: str, denied: list[str], by: AbstractUser | None
) -> None:
    payload = {"pattern": pattern, "before": _denied(crawl)}
    ask(crawl, kind, payload, by, scope={**crawl.scope, "deny_patterns": denied})


def _denied(crawl: Crawl) -> list[str]:
    return list(crawl.scope.get("deny_patterns", ()))


def _pattern(text: str) -> str:
    pattern = text.strip()
    if not pattern.strip("*"):
        raise CrawlRefused(
            "pattern", "Give a pattern of the whole address, with * for anything: */calendar/*."
        )
    if len(pattern) > LONGEST_PATTERN:
        raise CrawlRefused("pattern", f"The pattern is longer than {LONGEST_PATTERN} characters.")
    return pattern
