"""The Robots Exclusion Protocol (RFC 9309), and the X-Robots-Tag header."""

from __future__ import annotations

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from protego import Protego

from apps.engine.codes import Failure
from apps.engine.model import Answer

Fetch = Callable[[str], Awaitable[Answer]]
"""Fetches any type of body (`fetcher.fetch(url, any_type=True)`)."""

MAX_TEXT = 500 * 1024
DAY = 86_400.0
FIRST_RETRY = 20.0
KEPT_HOSTS = 5_000
KEPT_BYTES = 8 * 2**20

_TOKEN = re.compile(r"[a-zA-Z0-9_-]+")
_LETTERS = re.compile(r"[a-zA-Z_-]+")
_AGENT = re.compile(r"user[ -]?agent\s*(?::|\s)\s*(.*)", re.I)
# The misspellings are those that Google's parser accepts.
_DISALLOW = re.compile(r"(?:diss?all?ow|diasllow|disallaw)\w*\s*(?::|\s)\s*(.*)", re.I)
_ALLOW = re.compile(r"allow\w*\s*(?::|\s)\s*(.*)", re.I)
_DELAY = re.compile(r"crawl[ -]?delay\s*(?::|\s)\s*(.*)", re.I)
_RULES = (("Disallow", _DISALLOW), ("Allow", _ALLOW), ("Crawl-delay", _DELAY))
_BYTE_ORDER_MARK = re.compile(rb"\A\xef\xbb?\xbf?")
_DIRECTIVES = frozenset(
    {"all", "index", "follow", "noindex", "nofollow", "none", "noarchive", "nosnippet",
     "noimageindex", "notranslate", "indexifembedded", "nocache"}
)
_ANYBODY = "*"


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules of one origin for this crawler.

    `text` has the lines of robots.txt that apply to the crawler. `unreachable` is the failure kind
    if robots.txt could not be fetched; then nothing is allowed until it is fetched again.
    """

    text: str = ""
    unreachable: str | None = None
    _parsed: Protego | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, text: str) -> RobotsRules:
        """Parses lines that all apply, as returned by `applying`."""
        return cls(text, None, Protego.parse(f"User-agent: *\n{text}") if text else None)

    def allows(self, url: str) -> bool:
        """Whether a URL of this origin may be fetched; /robots.txt always may."""
        if self.unreachable:
            return urlsplit(url).path == "/robots.txt"
        return self._parsed is None or bool(self._parsed.can_fetch(url, _ANYBODY))

    @property
    def crawl_delay(self) -> float | None:
        """The Crawl-delay in seconds between two requests, or None."""
        delay = self._parsed.crawl_delay(_ANYBODY) if self._parsed else None
        return None if delay is None else float(delay)


class RobotsEntry(NamedTuple):
    """One origin's robots.txt in a checkpoint; `asked_at` is in Unix seconds."""

    origin: str
    text: str
    unreachable: str | None
    asked_at: float
    failures: int = 0


def parse(answer: Answer, user_agent: str) -> RobotsRules:
    """The rules that follow from an answer to /robots.txt (RFC 9309 §2.3.1).

    2xx: the rules of the file; 4xx and too many redirects: everything is allowed; 5xx and any other
    failure: nothing is allowed.
    """
    status = answer.status or 0
    if answer.failure == Failure.TOO_MANY_REDIRECTS or 400 <= status < 500:
        return RobotsRules()
    if 200 <= status < 300 and answer.failure in (None, Failure.EMPTY):
        # A byte order mark, even a partial one, would hide the first group.
        text = _BYTE_ORDER_MARK.sub(b"", answer.body[:MAX_TEXT]).decode("utf-8", "replace")
        return RobotsRules.of(applying(text, user_agent))
    return RobotsRules(unreachable=answer.failure or f"http_{status}")


def applying(text: str, user_agent: str) -> str:
    """The rules of the groups for this crawler, or else of those for `*`, one per line.

    Names are compared ignoring case. Names of the standard have no digits (RFC 9309 §2.2.1), so
    `foo2` and `foo/1.2` both mean `foo`; but a group with the crawler's full name takes precedence.
    Groups of the same name are joined.
    """
    ours = dict.fromkeys((product_token(user_agent), _letters(user_agent), _ANYBODY))
    groups: dict[str, list[str]] = {}
    for names, line in _groups(text, set(ours)):
        for name in names:
            rules = groups.setdefault(name, [])
            if line is not None:
                rules.append(line)
    return "\n".join(next((groups[name] for name in ours if name in groups), ()))


def product_token(user_agent: str) -> str:
    """The crawler's name for robots.txt: the first token of its User-Agent, including digits."""
    found = _TOKEN.match(user_agent.strip())
    return found.group().lower() if found else _ANYBODY


def _letters(name: str) -> str:
    """The name up to its first digit, as in the standard; `*` if nothing is left."""
    found = _LETTERS.match(name.strip())
    return found.group().lower() if found else _ANYBODY


def _agent_names(value: str) -> set[str]:
    """The names on an agent line, with and without digits; empty if it has none."""
    if value.startswith(_ANYBODY):
        return {_ANYBODY}
    return {product_token(value), _letters(value)} - {_ANYBODY}


def _groups(text: str, wanted: set[str]) -> Iterator[tuple[set[str], str | None]]:
    """Yields the wanted names of each group, first with None and then with each of its rules.

    Only an Allow or a Disallow ends a series of agent lines; other lines between them, such as
    Crawl-delay, do not (RFC 9309 §2.2). Other names are dropped at once, since a file may have
    thousands of names times thousands of rules.
    """
    names: set[str] = set()
    in_rules = False
    for line in text.splitlines():
        line = line.partition("#")[0].strip()
        if agent := _AGENT.match(line):
            names = set() if in_rules else names
            in_rules = False
            if found := _agent_names(agent.group(1)) & wanted:
                names |= found
                yield set(names), None
        elif rule := _rule(line):
            in_rules = in_rules or not _DELAY.match(line)
            if names:
                yield names, rule


def _rule(line: str) -> str | None:
    """The rule on a line, correctly spelled, or None."""
    for name, pattern in _RULES:
        if found := pattern.match(line):
            return f"{name}: {found.group(1)}"
    return None


class Robots:
    """The robots.txt of all origins of a crawl, each fetched once a day by one request at a time.

    After a failure the file is fetched again after 20 seconds, then after 40, 80, … up to a day.
    Beyond 5,000 origins or 8 MiB, the oldest files are dropped.
    """

    def __init__(self, user_agent: str, now: Callable[[], float] = time.time) -> None:
        self.user_agent = user_agent
        self._now = now
        self._known: OrderedDict[str, tuple[RobotsEntry, RobotsRules]] = OrderedDict()
        self._asking: dict[str, asyncio.Lock] = {}
        self._bytes = 0

    def cached(self, url: str) -> RobotsRules | None:
        """The cached rules for a URL's origin, or None if they must be fetched."""
        found = self._known.get(origin(url))
        if found is None or not self._fresh(found[0]):
            return None
        return found[1]

    async def rules(self, url: str, fetch: Fetch) -> RobotsRules:
        """The rules for a URL's origin; concurrent callers wait for the same request."""
        rules = self.cached(url)
        if rules is not None:
            return rules
        place = origin(url)
        lock = self._asking.setdefault(place, asyncio.Lock())
        async with lock:
            rules = self.cached(url)
            if rules is None:
                rules = self._learn(place, await fetch(f"{place}/robots.txt"))
        if not lock.locked():
            self._asking.pop(place, None)
        return rules

    def seconds_until_retry(self, url: str) -> float:
        """Seconds until the next attempt to fetch the origin's file after a failure; else 0."""
        found = self._known.get(origin(url))
        if found is None or not found[0].unreachable or not self._fresh(found[0]):
            return 0.0
        return found[0].asked_at + _lasts(found[0]) - self._now()

    @property
    def awaited(self) -> int:
        """How many files are being fetched, the pause of their hosts afterwards included."""
        return len(self._asking)

    def snapshot(self) -> tuple[RobotsEntry, ...]:
        """The cached files, so that a resumed crawl need not fetch them again."""
        return tuple(entry for entry, _ in self._known.values())

    def restore(self, entries: Iterable[Sequence[Any]]) -> None:
        """Restores what `snapshot` returned; expired files will be fetched again."""
        for entry in (RobotsEntry(*values) for values in entries):
            rules = RobotsRules(unreachable=entry.unreachable)
            self._keep(entry, rules if entry.unreachable else RobotsRules.of(entry.text))

    def _learn(self, place: str, answer: Answer) -> RobotsRules:
        rules = parse(answer, self.user_agent)
        before = self._known.get(place)
        failures = before[0].failures + 1 if before and rules.unreachable else 1
        self._keep(
            RobotsEntry(
                place, rules.text, rules.unreachable, self._now(),
                failures if rules.unreachable else 0,
            ),
            rules,
        )
        return rules

    def _keep(self, entry: RobotsEntry, rules: RobotsRules) -> None:
        self._forget(entry.origin)
        self._known[entry.origin] = (entry, rules)
        self._bytes += len(entry.text)
        while len(self._known) > KEPT_HOSTS or (self._bytes > KEPT_BYTES and len(self._known) > 1):
            self._forget(next(iter(self._known)))

    def _forget(self, place: str) -> None:
        found = self._known.pop(place, None)
        if found:
            self._bytes -= len(found[0].text)

    def _fresh(self, entry: RobotsEntry) -> bool:
        # If the clock is set back, a file must not stay for ever.
        return 0 <= self._now() - entry.asked_at < _lasts(entry)


def _lasts(entry: RobotsEntry) -> float:
    if not entry.unreachable:
        return DAY
    return min(DAY, FIRST_RETRY * 2.0 ** min(entry.failures - 1, 20))


def origin(url: str) -> str:
    """Scheme, host and port of a canonical URL."""
    return url[: url.index("/", url.index("://") + 3)]


def robots_tag(answer: Answer, user_agent: str) -> tuple[bool, bool]:
    """(noindex, nofollow) of the X-Robots-Tag headers for all crawlers or for this one.

    `noindex, nofollow` applies to all crawlers; after `name:`, the rest of the header applies to
    the crawler of that name.
    """
    token = product_token(user_agent)
    said: set[str] = set()
    for name, value in answer.headers:
        if name.lower() == "x-robots-tag":
            said |= _directives(value, token)
    everything = "none" in said
    return everything or "noindex" in said, everything or "nofollow" in said


def _directives(value: str, token: str) -> set[str]:
    said = set()
    heard = True
    for part in value.lower().split(","):
        name, colon, rest = part.partition(":")
        directive = part.strip()
        if colon and _TOKEN.fullmatch(name.strip()) and rest.strip() in _DIRECTIVES:
            heard = name.strip() == token
            directive = rest.strip()
        if heard:
            said.add(directive)
    return said
