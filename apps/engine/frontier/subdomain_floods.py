"""Ever new hosts of one domain that answer with the same text, as wildcard names do.

When at the same address below the host five further hosts of a registered domain have brought the
text of a second one, and none another, the domain is flooded at that address: its other hosts are
not asked there. A text that differs once ends this for good. Words of the host's own name are left
out of the text, since such pages print them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from apps.engine.frontier.page_text import PageText, mark_of
from apps.engine.urls import host_of_canonical, site_domain

ENOUGH = 5
MOST_ADDRESSES = 5_000
_DIFFERS = -1
_RUN = re.compile(r"[^\W_]+")


class SubdomainFloods:
    """The texts of a crawl's hosts by registered domain and address below the host.

    The first host of an address costs a look-up only: its text is not compared.
    """

    def __init__(self) -> None:
        self._texts: dict[str, tuple[str, int, int]] = {}  # the last host, its mark, and how often
        self._flooded: set[str] = set()
        self._trusted: set[str] = set()

    def learn(self, host: str, text: PageText) -> str | None:
        """Learns from a page; returns the location if it shows that the domain is flooded there."""
        key = location_of(text.url, host)
        if key is None or key in self._flooded or key in self._trusted:
            return None
        last = self._texts.pop(key, None)
        if last is None:
            self._keep(key, (host, 0, 0))
            return None
        name, mark, times = last
        if name != host and times != _DIFFERS:
            mark_here = _mark(host, text)
            times = times + 1 if mark in (0, mark_here) else _DIFFERS
            name, mark = host, mark_here
        self._keep(key, (name, mark, times))
        if times <= ENOUGH:
            return None
        del self._texts[key]
        self._flooded.add(key)
        return key

    def refuses(self, url: str, host: str) -> bool:
        """Whether the address is at a host of a domain that is flooded there."""
        return bool(self._flooded) and location_of(url, host) in self._flooded

    def trust(self, location: str) -> None:
        """Stops treating a domain as flooded, for good."""
        self._flooded.discard(location)
        self._trusted.add(location)

    def _keep(self, key: str, text: tuple[str, int, int]) -> None:
        self._texts[key] = text
        if len(self._texts) > MOST_ADDRESSES:
            del self._texts[next(iter(self._texts))]

    def state(self) -> dict[str, Any]:
        """The state as plain values."""
        return {
            "texts": [[key, *text] for key, text in self._texts.items()],
            "flooded": sorted(self._flooded),
            "trusted": sorted(self._trusted),
        }

    def restore(self, state: Mapping[str, Sequence[Any]]) -> None:
        """Restores what `state` returned."""
        self._texts = {key: (host, mark, times) for key, host, mark, times in state["texts"]}
        self._flooded = set(state["flooded"])
        self._trusted = set(state["trusted"])


def location_of(url: str, host: str) -> str | None:
    """`*.spam.example/path?query`, or None for the domain itself, of which there is one."""
    domain = site_domain(host)
    if domain == host or host_of_canonical(url) != host:
        return None
    return f"*.{domain}{url[url.index(host) + len(host) :]}"


def _mark(host: str, text: PageText) -> int:
    return mark_of(" ".join(sorted(text.words.difference(_RUN.findall(host)))))
