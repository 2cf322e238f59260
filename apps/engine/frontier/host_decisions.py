"""Which hosts a topic has in and out, and how far a crawl may go from those that are in.

A decision names a host (`a.example`), a domain with all of its hosts (`*.a.example`), or the
addresses of a host that begin in one way (`a.example/~name`); the most specific one holds.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum

DOMAIN = "*."


class Reach(StrEnum):
    """Where a crawl may go: anywhere but to hosts taken out, to hosts taken in and the links of
    their pages, or only to hosts taken in."""

    ALL = "all"
    ONE_LINK = "one_link"
    IN = "in"


class HostDecisions:
    """The decisions of one topic; hosts that no name covers are undecided."""

    def __init__(self, inside: Iterable[str] = (), outside: Iterable[str] = ()) -> None:
        self._hosts: dict[str, bool] = {}
        self._domains: dict[str, bool] = {}
        self._prefixes: dict[str, list[tuple[str, bool]]] = {}
        self._of_host: dict[str, bool | None] = {}
        for names, is_in in ((inside, True), (outside, False)):
            for name in names:
                self._add(name, is_in)
        for prefixes in self._prefixes.values():
            prefixes.sort(key=lambda prefix: -len(prefix[0]))

    def _add(self, name: str, is_in: bool) -> None:
        host, slash, path = name.partition("/")
        if slash:
            self._prefixes.setdefault(host, []).append((f"/{path}", is_in))
        elif host.startswith(DOMAIN):
            self._domains[host.removeprefix(DOMAIN)] = is_in
        else:
            self._hosts[host] = is_in

    def is_in(self, url: str, host: str) -> bool | None:
        """Whether the host of a canonical URL is in; None if it is undecided."""
        if host in self._prefixes:
            path = url.split(host, 1)[-1]
            for prefix, is_in in self._prefixes[host]:
                if path.startswith(prefix) and path[len(prefix) :][:1] in ("", "/", "?"):
                    return is_in
        if host not in self._of_host:
            self._of_host[host] = self._decision_on(host)
        return self._of_host[host]

    def _decision_on(self, host: str) -> bool | None:
        if host in self._hosts:
            return self._hosts[host]
        name = host.rpartition(":")[0] if ":" in host and not host.endswith("]") else host
        while name:
            if name in self._domains:
                return self._domains[name]
            name = name.partition(".")[2]
        return None
