"""Remedies: one-click actions on the addresses left out for a reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from apps.crawls.commands.command import Person, when
from apps.crawls.commands.lifecycle.resume import resume_with_links
from apps.crawls.commands.scope.exclude_host import include_host
from apps.crawls.commands.scope.exclude_pattern import denied, include_pattern
from apps.crawls.commands.scope.languages import LANGUAGES, LANGUAGES_COMMAND, languages_of
from apps.crawls.commands.scope.put_back import PUT_BACK_COMMAND
from apps.crawls.commands.scope.trust_trap import traps_set_aside, trust_trap
from apps.crawls.commands.scope.try_again import MOST, TRY_AGAIN
from apps.crawls.errors import CrawlRefused
from apps.crawls.left_out.reasons import (
    BOT_WALL,
    CERTIFICATE,
    DEPTH,
    ENDING,
    HOST_DENIED,
    HOST_NOT_ALLOWED,
    HOST_OUT,
    OTHER_LANGUAGE,
    PATTERN,
    PATTERN_NOT_ALLOWED,
    TRAP,
    UNANSWERED,
)
from apps.crawls.left_out.rows import hosts_out
from apps.crawls.left_out.summary import ReasonCount
from apps.crawls.models import Crawl
from apps.engine.codes import Failure
from apps.figures.quantities import number_of

HOPELESS = frozenset({"http_404", "http_410", Failure.DNS, Failure.BAD_URL})
"""Kinds of failure that another try seldom changes."""


@dataclass(frozen=True, slots=True)
class LeftOutRemedy:
    """`label` names a button with its number, and is empty if there is nothing to do; `carry_out`
    does it and returns a sentence, or raises CrawlRefused. `beside` says what the number leaves
    out, `kinds` are the kinds of event that it leaves."""

    label: Callable[[Crawl, ReasonCount], str]
    carry_out: Callable[[Crawl, ReasonCount, Person], str]
    kinds: tuple[str, ...]
    beside: str = ""


def _let_in(crawl: Crawl, count: ReasonCount, by: Person) -> str:
    hosts = hosts_out(crawl)
    for host in hosts:
        include_host(crawl, host, by)
    resume_with_links(crawl, by)
    return f"{number_of(len(hosts), 'host')} let in again. {when(crawl)}"


def _drop_patterns(crawl: Crawl, count: ReasonCount, by: Person) -> str:
    patterns = denied(crawl)
    for pattern in patterns:
        include_pattern(crawl, pattern, by)
    resume_with_links(crawl, by)
    return f"{number_of(len(patterns), 'pattern')} removed. {when(crawl)}"


def _release(crawl: Crawl, count: ReasonCount, by: Person) -> str:
    traps = traps_set_aside(crawl)
    if not traps:
        raise CrawlRefused("place", "There is no spider trap to release as a whole.")
    for rule, section in traps:
        trust_trap(crawl, rule, section, by)
    return f"{number_of(len(traps), 'place')} trusted. {when(crawl)}"


def _retry(crawl: Crawl, count: ReasonCount, by: Person) -> str:
    return TRY_AGAIN.act(crawl, " ".join(_hopeful(count)), by)


def _take(crawl: Crawl, count: ReasonCount, by: Person) -> str:
    (code,) = count.reason.codes
    return PUT_BACK_COMMAND.act(crawl, code, by)


def _take_every_language(crawl: Crawl, count: ReasonCount, by: Person) -> str:
    return LANGUAGES_COMMAND.act(crawl, "", by)


def _languages_label(crawl: Crawl, count: ReasonCount) -> str:
    return f"Take {count.number:,} all the same" if languages_of(crawl) else ""


def _hopeful(count: ReasonCount) -> list[str]:
    return sorted(kind for kind in count.kinds if kind not in HOPELESS)


def _retry_label(crawl: Crawl, count: ReasonCount) -> str:
    number = sum(count.kinds[kind] for kind in _hopeful(count))
    return f"Try {min(number, MOST):,} again" if number else ""


def _release_label(crawl: Crawl, count: ReasonCount) -> str:
    traps = len(traps_set_aside(crawl))
    return f"Release {number_of(traps, 'place')}" if traps else ""


def _patterns_label(crawl: Crawl, count: ReasonCount) -> str:
    patterns = len(denied(crawl))
    return f"Remove {number_of(patterns, 'pattern')}" if patterns else ""


_TAKE = LeftOutRemedy(
    lambda crawl, count: f"Take {count.number:,} all the same", _take, (PUT_BACK_COMMAND.name,)
)
_RETRY = LeftOutRemedy(_retry_label, _retry, (TRY_AGAIN.name,))

REMEDIES: Mapping[str, LeftOutRemedy] = {
    HOST_OUT.id: LeftOutRemedy(
        lambda crawl, count: f"Let {number_of(len(hosts_out(crawl)), 'host')} in again",
        _let_in,
        ("include_host",),
    ),
    PATTERN.id: LeftOutRemedy(_patterns_label, _drop_patterns, ("include_pattern",)),
    TRAP.id: LeftOutRemedy(_release_label, _release, ("trust_trap",)),
    OTHER_LANGUAGE.id: LeftOutRemedy(
        _languages_label, _take_every_language, (LANGUAGES,), "and every language from now on"
    ),
    DEPTH.id: _TAKE,
    HOST_DENIED.id: _TAKE,
    PATTERN_NOT_ALLOWED.id: _TAKE,
    HOST_NOT_ALLOWED.id: _TAKE,
    ENDING.id: _TAKE,
    BOT_WALL.id: _RETRY,
    CERTIFICATE.id: _RETRY,
    UNANSWERED.id: LeftOutRemedy(
        _retry_label, _retry, (TRY_AGAIN.name,), "all but 404, 410, unknown hosts and bad addresses"
    ),
}
"""By the id of the reason."""
