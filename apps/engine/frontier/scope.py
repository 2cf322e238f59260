"""The scope of a crawl: which discovered URLs may be fetched."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any

from apps.engine.codes import Exclusion
from apps.engine.frontier.host_decisions import HostDecisions, Reach
from apps.engine.frontier.shell_pattern import ShellPattern
from apps.engine.kinds import ENDINGS

# Extensions of bodies that are never text; otherwise the Content-Type decides.
NOT_TEXT = frozenset(
    "7z aac apk avi avif bin bmp bz2 css deb dmg doc docx eot eps exe flac flv gif gz ico iso jar "
    "jpeg jpg js json m4a m4v mid mov mp3 mp4 mpeg mpg msi odp ods odt ogg ogv pdf png ppt pptx "
    "ps psd rar rpm rtf svg swf tar tgz tif tiff ttf wav webm webp wma wmv woff woff2 xls xlsx xz "
    "zip".split()
)
LINKS_PER_PAGE = 10_000
LISTED_PER_HOST = 1_000


@dataclass(frozen=True)
class Scope:
    """Scope rules. A URL is excluded for the first rule that refuses it.

    `allow_hosts` and `deny_hosts` match a host and its sub-domains; an empty `allow_hosts` allows
    every host. `deny_patterns` are shell patterns on the whole URL (`*/calendar/*`), and so are
    `allow_patterns`, of which one has to match if there are any. `depth` is the
    largest number of links from a seed; `pages_per_host`, `frontier_cap` and `links_per_page` (the
    first distinct targets of a page) are counts; None means no limit. With `site_lists` sitemaps
    and feeds are asked for, of which each host adds at most `listed_per_host` URLs. With
    `documents` PDF and office documents are read like pages. With `opt_out_files` each host is
    asked for the files in which sites reserve uses besides robots.txt; with `obey_opt_outs` pages
    of which a use is reserved are not taken. With `languages` (ISO 639-1) pages that are clearly in
    others are not taken. With `main_text` pages are judged by their main text alone, and links by
    the whole page. With `render` pages that show their text only by
    script are rendered. `hosts_in` and `hosts_out` are the
    topic's decisions on hosts (`host_decisions`), `reach` is how far the crawl goes from those in.
    """

    allow_hosts: tuple[str, ...] = ()
    deny_hosts: tuple[str, ...] = ()
    deny_patterns: tuple[str, ...] = ()
    allow_patterns: tuple[str, ...] = ()
    depth: int | None = None
    pages_per_host: int | None = None
    frontier_cap: int | None = None
    links_per_page: int | None = LINKS_PER_PAGE
    site_lists: bool = False
    listed_per_host: int = LISTED_PER_HOST
    documents: bool = False
    opt_out_files: bool = False
    obey_opt_outs: bool = False
    render: bool = False
    hosts_in: tuple[str, ...] = ()
    hosts_out: tuple[str, ...] = ()
    reach: str = Reach.ALL
    languages: tuple[str, ...] = ()
    main_text: bool = False
    _verdicts: dict[str, Exclusion | None] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def as_dict(self) -> dict[str, Any]:
        """The rules as plain values."""
        return {f.name: getattr(self, f.name) for f in fields(self) if f.init}

    @classmethod
    def from_dict(cls, rules: Mapping[str, Any]) -> Scope:
        """Builds rules from plain values; lists become tuples, and a missing limit is None."""
        given: dict[str, Any] = {
            name: tuple(value) if isinstance(value, list) else value
            for name, value in rules.items()
        }
        return cls(**given)

    @cached_property
    def _patterns(self) -> tuple[ShellPattern, ...]:
        return tuple(map(ShellPattern, self.deny_patterns))

    @cached_property
    def decisions(self) -> HostDecisions:
        """The decisions of `hosts_in` and `hosts_out`."""
        return HostDecisions(self.hosts_in, self.hosts_out)

    @cached_property
    def _decides(self) -> bool:
        return bool(self.hosts_out) or self.reach != Reach.ALL

    def refusal(self, url: str, host: str, depth: int, is_beyond: bool = True) -> Exclusion | None:
        """Why this URL is out of scope, or None if it is in scope; `is_beyond`: whether a page of a
        host that is in links to it."""
        try:
            reason = self._verdicts[host]
        except KeyError:
            reason = self._verdicts[host] = self._host_refusal(host)
        if reason is not None:
            return reason
        if self._decides and (reason := self._decision(url, host, is_beyond)) is not None:
            return reason
        if self._patterns and self.denies(url):
            return Exclusion.PATTERN
        if self.allow_patterns and not self.allows(url):
            return Exclusion.PATTERN_NOT_ALLOWED
        if self.depth is not None and depth > self.depth:
            return Exclusion.DEPTH
        if self.refuses_ending(url):
            return Exclusion.EXTENSION
        return None

    def _decision(self, url: str, host: str, is_beyond: bool) -> Exclusion | None:
        is_in = self.decisions.is_in(url, host)
        if is_in is False:
            return Exclusion.HOST_OUT
        is_near = is_in or (self.reach == Reach.ONE_LINK and is_beyond)
        return None if self.reach == Reach.ALL or is_near else Exclusion.HOST_NOT_IN

    def refuses_ending(self, url: str) -> bool:
        """Whether the address ends like a file other than a page."""
        return not_text(url) and not (self.documents and ending(url) in ENDINGS)

    @cached_property
    def _allowed(self) -> tuple[ShellPattern, ...]:
        return tuple(map(ShellPattern, self.allow_patterns))

    def allows(self, url: str) -> bool:
        """Whether one of `allow_patterns` matches the URL."""
        lower = url.lower()
        return any(pattern.matches(lower) for pattern in self._allowed)

    def denies(self, url: str) -> bool:
        """Whether one of `deny_patterns` matches the URL."""
        lower = url.lower()
        return any(pattern.matches(lower) for pattern in self._patterns)

    def denies_host(self, host: str) -> bool:
        """Whether a host is excluded, or is none."""
        return self._host_refusal(host) in (Exclusion.SCHEME, Exclusion.HOST_DENIED)

    def _host_refusal(self, host: str) -> Exclusion | None:
        if not host:
            return Exclusion.SCHEME
        name = host.rpartition(":")[0] if ":" in host and not host.endswith("]") else host
        if _among(name, self.deny_hosts):
            return Exclusion.HOST_DENIED
        if self.allow_hosts and not _among(name, self.allow_hosts):
            return Exclusion.HOST_NOT_ALLOWED
        return None


def _among(host: str, names: Iterable[str]) -> bool:
    return any(host == name or host.endswith("." + name) for name in names)


def not_text(url: str) -> bool:
    """Whether the file name of a canonical URL has an extension of bodies that are not text."""
    return ending(url) in NOT_TEXT and url.partition("?")[0].count("/") > 2


def ending(url: str) -> str:
    """The file extension of a canonical URL's path, in lower case."""
    path = url.partition("?")[0] if "?" in url else url
    return path[path.rfind(".") + 1 :].lower()
