"""The rules of one robots.txt for this crawler."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from urllib.parse import urlsplit

from protego import Protego

from apps.engine.answers import Answer
from apps.engine.codes import Failure

MAX_TEXT = 500 * 1024
MOST_SITEMAPS = 20
MOST_ADDRESS = 2_048

_TOKEN = re.compile(r"[\w-]+")
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
