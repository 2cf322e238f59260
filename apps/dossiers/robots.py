"""The robots.txt of a host in each version, with the lines that applied."""

from __future__ import annotations

import zlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from difflib import unified_diff
from itertools import pairwise

from apps.crawls.models import Crawl, FailedRequest, RobotsVersion
from apps.crawls.running.assembly import politeness_of
from apps.crawls.sources.shape import user_agent
from apps.engine.codes import Failure
from apps.engine.networking.robots.rules import RobotsRules, applying, applying_lines, decode
from apps.engine.urls import host_of_canonical

MOST_LINES = 2_000


@dataclass(frozen=True, slots=True)
class RobotsLine:
    """A line as it was read; `effect` is what it did, empty if it applied to nothing."""

    text: str
    effect: str = ""


@dataclass(frozen=True, slots=True)
class RobotsText:
    """One version of an origin's robots.txt, read `reads` times from `first_at` until `last_at`.

    `text` may be cut: `size` are the bytes that were read. `changes` are its lines against the
    version before, as `+ line` and `- line`.
    """

    origin: str
    first_at: datetime
    last_at: datetime
    reads: int
    status: int | None
    failure: str
    digest: str
    size: int
    text: str
    lines: tuple[RobotsLine, ...] = ()
    changes: tuple[str, ...] = ()


def versions_of(host: str, crawls: Sequence[Crawl]) -> list[RobotsVersion]:
    """The copies of robots.txt that each crawl has read, by origin, oldest first."""
    rows = RobotsVersion.objects.filter(crawl__in=[crawl.pk for crawl in crawls], host=host)
    return list(rows.order_by("origin", "first_at", "pk"))


def text_of(version: RobotsVersion) -> str:
    """The stored text of a version."""
    return decode(zlib.decompress(bytes(version.text)))


def robots_texts(
    host: str, crawls: Sequence[Crawl], versions: Sequence[RobotsVersion]
) -> list[RobotsText]:
    """The versions of all crawls, by origin, the oldest first."""
    texts = _merge(versions)
    refused = _refusals(host, crawls)
    agents = {user_agent(politeness_of(crawl).contact): crawl for crawl in crawls}
    marked = [
        replace(text, lines=_lines(text, later, refused, agents)) for text, later in _later(texts)
    ]
    before = {later: earlier for earlier, later in pairwise(range(len(marked)))}
    return [
        replace(text, changes=_changes(marked[before[n]], text)) if n in before else text
        for n, text in enumerate(marked)
    ]


def _merge(rows: Iterable[RobotsVersion]) -> list[RobotsText]:
    """Readings of several crawls in a row that had the same answer are one version."""
    texts: list[RobotsText] = []
    for row in rows:
        last = texts[-1] if texts else None
        if last and _key(last) == _key(row):
            latest = max(last.last_at, row.last_at)
            texts[-1] = replace(last, last_at=latest, reads=last.reads + row.reads)
        else:
            texts.append(
                RobotsText(
                    row.origin,
                    row.first_at,
                    row.last_at,
                    row.reads,
                    row.status,
                    row.failure,
                    row.digest,
                    row.size,
                    text_of(row),
                )
            )
    return texts


def _key(version: RobotsText | RobotsVersion) -> tuple[str, int | None, str, str]:
    return version.origin, version.status, version.failure, version.digest


def _later(texts: Sequence[RobotsText]) -> Iterable[tuple[RobotsText, datetime | None]]:
    """Each version with the time from which the next one of its origin held."""
    for n, text in enumerate(texts):
        after = texts[n + 1] if n + 1 < len(texts) else None
        yield text, after.first_at if after and after.origin == text.origin else None


def _refusals(host: str, crawls: Sequence[Crawl]) -> list[tuple[datetime, str, str]]:
    """A refused address, with the time and the line that refused it."""
    rows = FailedRequest.objects.filter(
        crawl__in=[crawl.pk for crawl in crawls], kind=Failure.ROBOTS, final_url__contains=host
    )
    in_order = rows.order_by("at").values_list("at", "final_url", "detail")
    return [row for row in in_order if host_of_canonical(row[1]) == host]


def refused_count(host: str, crawls: Sequence[Crawl]) -> int:
    """How many addresses of the host its robots.txt has refused."""
    return len({url for _, url, _ in _refusals(host, crawls)})


def _lines(
    text: RobotsText,
    until: datetime | None,
    refused: Sequence[tuple[datetime, str, str]],
    agents: Mapping[str, Crawl],
) -> tuple[RobotsLine, ...]:
    number, example = Counter[str](), dict[str, str]()
    for at, url, line in refused:
        if at >= text.first_at and (until is None or at < until):
            number[line] += 1
            example.setdefault(line, url)
    effects: dict[int, str] = {}
    for agent, crawl in agents.items():
        for at_line, rule in applying_lines(text.text, agent).items():
            if number[rule]:
                path = example[rule].partition("://")[2].partition("/")[2]
                effects[at_line] = f"{number[rule]:,} refused, for example /{path[:100]}"
            elif rule.startswith("Crawl-delay:"):
                effects[at_line] = _delay_words(text.text, agent, crawl)
    lines = text.text.splitlines()[:MOST_LINES]
    return tuple(RobotsLine(line, effects.get(n, "")) for n, line in enumerate(lines))


def _delay_words(text: str, agent: str, crawl: Crawl) -> str:
    politeness = politeness_of(crawl)
    rule = politeness.delay_for(RobotsRules.of(applying(text, agent)).crawl_delay)
    if rule == politeness.delay:
        return f"no longer than ours, {politeness.delay:g} s"
    return f"kept: {rule:g} s instead of {politeness.delay:g}"


def _changes(before: RobotsText, text: RobotsText) -> tuple[str, ...]:
    if before.origin != text.origin:
        return ()
    old, new = (each.text.splitlines()[:MOST_LINES] for each in (before, text))
    # By whole lines: what looks for likeness within lines takes an hour on a file made for that.
    lines = list(unified_diff(old, new, n=0, lineterm=""))[2:]
    return tuple(f"{line[0]} {line[1:]}" for line in lines if line[0] in "+-")
