"""The Robots Exclusion Protocol (RFC 9309), and the X-Robots-Tag header."""

from __future__ import annotations

import asyncio
import re
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from protego import Protego

from apps.engine.codes import Failure
from apps.engine.model import Answer

Fetch = Callable[[str], Awaitable[Answer]]
"""Fetches any type of body (`fetcher.fetch(url, any_type=True)`)."""

MAX_TEXT = 500 * 1024
MOST_SITEMAPS = 20
MOST_ADDRESS = 2_048
DAY = 86_400.0
FIRST_RETRY = 20.0
MOST_ORIGINS = 5_000
MOST_BYTES = 8 * 2**20

_TOKEN = re.compile(r"[\w-]+")
_DIRECTIVE_NAME = re.compile(r"[a-zA-Z0-9_-]+")
_LETTERS = re.compile(r"[a-zA-Z_-]+(?![a-zA-Z_-]|[^\W0-9])")
_AGENT = re.compile(r"user[ -]?agent\s*(?::|\s)\s*(.*)", re.I)
# The misspellings are those that Google's parser accepts.
_DISALLOW = re.compile(r"(?:diss?all?ow|diasllow|disallaw)\w*\s*(?::|\s)\s*(.*)", re.I)
_ALLOW = re.compile(r"allow\w*\s*(?::|\s)\s*(.*)", re.I)
_DELAY = re.compile(r"crawl[ -]?delay\s*(?::|\s)\s*(.*)", re.I)
_NUMBER = re.compile(r"(\d*[.,]?\d+)\s*(?:s|sec|secs|seconds?)?\s*$", re.I)
_RULES = (("Disallow", _DISALLOW), ("Allow", _ALLOW), ("Crawl-delay", _DELAY))
_SITEMAP = re.compile(r"^[ \t]*site-?map[ \t]*:[ \t]*(\S+)", re.I | re.M)
_BYTE_ORDER_MARK = re.compile(rb"\A\xef\xbb?\xbf?")
DIRECTIVES = frozenset(
    {
        "all",
        "index",
        "follow",
        "noindex",
        "nofollow",
        "none",
        "noarchive",
        "nosnippet",
        "noimageindex",
        "notranslate",
        "indexifembedded",
        "nocache",
    }
)
_ANYBODY = "*"


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules of one origin for this crawler.

    `text` has the lines of robots.txt that apply to the crawler. `unreachable` is the failure kind
    if robots.txt could not be fetched; then nothing is allowed until it is fetched again. `detail`
    says more about that failure. `sitemaps` are the addresses of its Sitemap lines, which are for
    every crawler.
    """

    text: str = ""
    unreachable: str | None = None
    detail: str = ""
    sitemaps: tuple[str, ...] = ()
    _parsed: Protego | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(cls, text: str, sitemaps: Sequence[str] = ()) -> RobotsRules:
        """Parses lines that all apply, as returned by `applying`."""
        parsed = Protego.parse(f"User-agent: *\n{text}") if text else None
        return cls(text, sitemaps=tuple(sitemaps), _parsed=parsed)

    def allows(self, url: str) -> bool:
        """Whether a URL of this origin may be fetched; /robots.txt always may."""
        if self.unreachable:
            return urlsplit(url).path == "/robots.txt"
        return self._parsed is None or bool(self._parsed.can_fetch(url, _ANYBODY))

    def deciding_line(self, url: str) -> str:
        """The line that forbids or allows a URL of this origin: the longest that matches, an Allow
        before a Disallow (RFC 9309 §2.2.2); empty if none does."""
        matching = [
            (len(pattern.encode()), name == "Allow", f"{name}: {pattern}")
            for name, pattern in map(_name_and_pattern, self.text.splitlines())
            if pattern and name != "Crawl-delay" and _matches(pattern, url)
        ]
        return max(matching, default=(0, False, ""))[2]

    @property
    def crawl_delay(self) -> float | None:
        """The Crawl-delay in seconds between two requests, or None."""
        delay = self._parsed.crawl_delay(_ANYBODY) if self._parsed else None
        return None if delay is None else float(delay)


def _name_and_pattern(line: str) -> tuple[str, str]:
    name, _, pattern = line.partition(":")
    return name, pattern.strip()


@lru_cache(4096)
def _forbidding(pattern: str) -> Protego:
    return Protego.parse(f"User-agent: *\nDisallow: {pattern}")


def _matches(pattern: str, url: str) -> bool:
    return not _forbidding(pattern).can_fetch(url, _ANYBODY)


class RobotsEntry(NamedTuple):
    """One origin's robots.txt in a checkpoint; `asked_at` is in Unix seconds, `retry_after` in
    seconds as the host asked for, 0 if it did not; `detail` is that of a failure."""

    origin: str
    text: str
    unreachable: str | None
    asked_at: float
    failures: int = 0
    retry_after: float = 0.0
    detail: str = ""
    sitemaps: Sequence[str] = ()


def parse(answer: Answer, user_agent: str) -> RobotsRules:
    """The rules that follow from an answer to /robots.txt (RFC 9309 §2.3.1).

    2xx: the rules of the file; 4xx, too many redirects and one that leads nowhere: everything is
    allowed; 429, 5xx and any other failure: nothing is allowed.
    """
    status = answer.status or 0
    leads_nowhere = 300 <= status < 400 and answer.failure in (Failure.PROTOCOL, Failure.BAD_URL)
    if answer.failure == Failure.TOO_MANY_REDIRECTS or leads_nowhere:
        return RobotsRules()
    if 400 <= status < 500 and status != 429:
        return RobotsRules()
    if 200 <= status < 300 and answer.failure in (None, Failure.EMPTY):
        text = decode(answer.body)
        return RobotsRules.of(applying(text, user_agent), sitemaps_of(text))
    return RobotsRules(unreachable=answer.failure or f"http_{status}", detail=answer.detail)


def decode(body: bytes) -> str:
    """The text of a robots.txt, up to 500 KiB."""
    # A byte order mark, even a partial one, would hide the first group.
    return _BYTE_ORDER_MARK.sub(b"", body[:MAX_TEXT]).decode("utf-8", "replace")


def sitemaps_of(text: str) -> tuple[str, ...]:
    """The first 20 different addresses of Sitemap lines, which belong to no group."""
    addresses = (match[1] for match in _SITEMAP.finditer(text) if len(match[1]) <= MOST_ADDRESS)
    return tuple(islice(dict.fromkeys(addresses), MOST_SITEMAPS))


def applying(text: str, user_agent: str) -> str:
    """The rules of the groups for this crawler, or else of those for `*`, one per line.

    Names are compared ignoring case. Names of the standard have no digits (RFC 9309 §2.2.1), so
    for the crawler `foo` the names `foo2` and `foo/1.2` both mean it, and for the crawler `foo2`
    so does `foo`, but not `foo3`; a group with the crawler's full name takes precedence. Groups of
    the same name are joined.
    """
    return "\n".join(applying_lines(text, user_agent).values())


def applying_lines(text: str, user_agent: str) -> dict[int, str]:
    """The same rules, by the number of their line from 0."""
    token = product_token(user_agent)
    ours = dict.fromkeys((token, _letters(user_agent), _ANYBODY))
    groups: dict[str, dict[int, str]] = {}
    for names, number, line in _groups(text, token, set(ours)):
        for name in names:
            rules = groups.setdefault(name, {})
            if line is not None:
                rules[number] = line
    return next((groups[name] for name in ours if name in groups), {})


def product_token(user_agent: str) -> str:
    """The crawler's name for robots.txt: the first token of its User-Agent, including digits and
    letters of all scripts."""
    match = _TOKEN.match(user_agent.strip())
    return match.group().lower() if match else _ANYBODY


def _letters(name: str) -> str:
    """The name up to its first digit, as in the standard; `*` if nothing is left, or if it has
    letters that names of the standard have not."""
    match = _LETTERS.match(name.strip())
    return match.group().lower() if match else _ANYBODY


def _agent_names(value: str, token: str) -> set[str]:
    """The name on an agent line, and the one without digits if the crawler's own has none; empty
    if it has none."""
    if value.startswith(_ANYBODY):
        return {_ANYBODY}
    return {product_token(value), *({_letters(value)} & {token})} - {_ANYBODY}


def _groups(text: str, token: str, wanted: set[str]) -> Iterator[tuple[set[str], int, str | None]]:
    """Yields the wanted names of each group with the number of a line, first with None and then
    with each of its rules.

    Only an Allow or a Disallow ends a series of agent lines; other lines between them, such as
    Crawl-delay, do not (RFC 9309 §2.2). Other names are dropped at once, since a file may have
    thousands of names times thousands of rules.
    """
    names: set[str] = set()
    in_rules = False
    for number, line in enumerate(text.splitlines()):
        line = line.partition("#")[0].strip()
        if agent := _AGENT.match(line):
            names = set() if in_rules else names
            in_rules = False
            if matches := _agent_names(agent.group(1), token) & wanted:
                names |= matches
                yield set(names), number, None
        elif rule := _rule(line):
            in_rules = in_rules or not _DELAY.match(line)
            if names:
                yield names, number, rule


def _rule(line: str) -> str | None:
    """The rule on a line, correctly spelled, or None."""
    for name, pattern in _RULES:
        if match := pattern.match(line):
            value = match.group(1)
            return f"{name}: {_seconds(value) if pattern is _DELAY else value}"
    return None


def _seconds(value: str) -> str:
    """A delay as it is written by hand: `1,5`, `2s`, `.5 seconds`."""
    match = _NUMBER.match(value)
    return match.group(1).replace(",", ".") if match else value


class Robots:
    """The robots.txt of all origins of a crawl, each fetched once a day by one request at a time.

    After a failure the file is fetched again after 20 seconds, then after 40, 80, … up to a day.
    Beyond 5,000 origins or 8 MiB, the oldest files are dropped.
    """

    def __init__(self, user_agent: str, now: Callable[[], float] = time.time) -> None:
        self.user_agent = user_agent
        self._now = now
        self._entries: OrderedDict[str, tuple[RobotsEntry, RobotsRules]] = OrderedDict()
        self._asking: dict[str, asyncio.Lock] = {}
        self._bytes = 0

    def cached(self, url: str) -> RobotsRules | None:
        """The cached rules for a URL's origin, or None if they must be fetched."""
        entry = self._entries.get(origin(url))
        if entry is None or not self._fresh(entry[0]):
            return None
        return entry[1]

    async def rules(self, url: str, fetch: Fetch) -> RobotsRules:
        """The rules for a URL's origin; concurrent callers wait for the same request."""
        rules = self.cached(url)
        if rules is not None:
            return rules
        origin_url = origin(url)
        lock = self._asking.setdefault(origin_url, asyncio.Lock())
        async with lock:
            rules = self.cached(url)
            if rules is None:
                rules = self._learn(origin_url, await fetch(f"{origin_url}/robots.txt"))
        if not lock.locked():
            self._asking.pop(origin_url, None)
        return rules

    def seconds_until_retry(self, url: str) -> float:
        """Seconds until the next attempt to fetch the origin's file after a failure; else 0."""
        entry = self._entries.get(origin(url))
        if entry is None or not entry[0].unreachable or not self._fresh(entry[0]):
            return 0.0
        return entry[0].asked_at + _lasts(entry[0]) - self._now()

    def why_unreachable(self, url: str) -> str:
        """The detail of the failure to fetch the origin's file; empty if there was none."""
        rules = self.cached(url)
        return rules.detail if rules is not None else ""

    def deciding_line(self, url: str) -> str:
        """The line of the origin's file that forbids or allows a URL; empty if it is not cached."""
        rules = self.cached(url)
        return rules.deciding_line(url) if rules is not None else ""

    def sitemaps(self, url: str) -> tuple[str, ...]:
        """The addresses of the Sitemap lines of the origin's file; empty if it is not cached."""
        rules = self.cached(url)
        return rules.sitemaps if rules is not None else ()

    @property
    def awaited(self) -> int:
        """How many files are being fetched, the pause of their hosts afterwards included."""
        return len(self._asking)

    def snapshot(self) -> tuple[RobotsEntry, ...]:
        """The cached files, so that a resumed crawl need not fetch them again."""
        return tuple(entry for entry, _ in self._entries.values())

    def restore(self, entries: Iterable[Sequence[Any]]) -> None:
        """Restores what `snapshot` returned; expired files will be fetched again."""
        for values in entries:
            entry = RobotsEntry(*values)
            entry = entry._replace(sitemaps=tuple(entry.sitemaps))
            rules = RobotsRules(unreachable=entry.unreachable, detail=entry.detail)
            self._keep(entry, rules if entry.unreachable else _rules_of(entry))

    def _learn(self, origin_url: str, answer: Answer) -> RobotsRules:
        rules = parse(answer, self.user_agent)
        before = self._entries.get(origin_url)
        failures = before[0].failures + 1 if before and rules.unreachable else 1
        self._keep(
            RobotsEntry(
                origin_url,
                rules.text,
                rules.unreachable,
                self._now(),
                failures if rules.unreachable else 0,
                (answer.retry_after or 0.0) if rules.unreachable else 0.0,
                rules.detail,
                rules.sitemaps,
            ),
            rules,
        )
        return rules

    def _keep(self, entry: RobotsEntry, rules: RobotsRules) -> None:
        self._forget(entry.origin)
        self._entries[entry.origin] = (entry, rules)
        self._bytes += _size(entry)
        while len(self._entries) > MOST_ORIGINS or (
            self._bytes > MOST_BYTES and len(self._entries) > 1
        ):
            self._forget(next(iter(self._entries)))

    def _forget(self, origin_url: str) -> None:
        entry = self._entries.pop(origin_url, None)
        if entry:
            self._bytes -= _size(entry[0])

    def _fresh(self, entry: RobotsEntry) -> bool:
        # If the clock is set back, a file must not stay for ever.
        return 0 <= self._now() - entry.asked_at < _lasts(entry)


def _rules_of(entry: RobotsEntry) -> RobotsRules:
    return RobotsRules.of(entry.text, entry.sitemaps)


def _size(entry: RobotsEntry) -> int:
    return len(entry.text) + sum(map(len, entry.sitemaps))


def _lasts(entry: RobotsEntry) -> float:
    if not entry.unreachable:
        return DAY
    doubled = FIRST_RETRY * 2.0 ** min(entry.failures - 1, 20)
    return min(DAY, max(doubled, entry.retry_after))


def origin(url: str) -> str:
    """Scheme, host and port of a canonical URL."""
    return url[: url.index("/", url.index("://") + 3)]


def robots_tag(
    answer: Answer, user_agent: str, agent_robots: str | None = None
) -> tuple[bool, bool]:
    """(noindex, nofollow) of the X-Robots-Tag headers, and of the page's `agent_robots` rules, for
    all crawlers or for this one.

    `noindex, nofollow` applies to all crawlers; after `name:`, the rest of the header applies to
    the crawler of that name.
    """
    token = product_token(user_agent)
    directives: set[str] = set()
    for name, value in answer.headers:
        if name.lower() == "x-robots-tag":
            directives |= _directives(value, token)
    for rules in (agent_robots or "").splitlines():
        directives |= _directives(rules, token)
    everything = "none" in directives
    return everything or "noindex" in directives, everything or "nofollow" in directives


def _directives(value: str, token: str) -> set[str]:
    directives = set()
    heard = True
    for part in value.lower().split(","):
        name, colon, rest = part.partition(":")
        directive = part.strip()
        if colon and _DIRECTIVE_NAME.fullmatch(name.strip()) and rest.strip() in DIRECTIVES:
            heard = name.strip() == token
            directive = rest.strip()
        if heard:
            directives.add(directive)
    return directives
