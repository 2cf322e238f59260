"""The cookies that the redirects of one fetch set, which are forgotten with it."""

from __future__ import annotations

import re

from apps.engine.answers import Headers

MOST_COOKIES = 50
MOST_CHARACTERS = 4096
"""Of one cookie; browsers refuse a longer one too."""
_ENDED = re.compile(r";\s*max-age\s*=\s*(?:-|0+(?:;|\s|$))", re.IGNORECASE)
_UNSAFE = re.compile(r"[\0-\x1f\x7f]")


class RedirectCookies:
    """The cookies by host. Each is sent back to the host that set it and to no other, whatever its
    Domain, and for every path: the fetch ends before more of a browser's rules would matter."""

    def __init__(self) -> None:
        self._of: dict[str, dict[str, str]] = {}

    def take(self, host: str, headers: Headers) -> None:
        """Stores what an answer of the host sets, and drops what it ends."""
        for name, value in headers:
            if name.lower() == "set-cookie":
                self._take(self._of.setdefault(host, {}), value)

    def header(self, host: str) -> str:
        """The value of the Cookie header for that host; empty without cookies."""
        return "; ".join(f"{name}={value}" for name, value in self._of.get(host, {}).items())

    def _take(self, cookies: dict[str, str], line: str) -> None:
        pair, _, attributes = line.partition(";")
        name, equals, value = pair.partition("=")
        name, value = name.strip(), value.strip()
        if not equals or not name or len(pair) > MOST_CHARACTERS or _UNSAFE.search(pair):
            return
        if _ENDED.search(f";{attributes}"):
            cookies.pop(name, None)
        elif name in cookies or len(cookies) < MOST_COOKIES:
            cookies[name] = value
