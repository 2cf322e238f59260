"""The X-Robots-Tag header, and robots rules of a page for single crawlers."""

from __future__ import annotations

import re

from apps.engine.answers import Answer
from apps.engine.networking.robots.rules import product_token

_DIRECTIVE_NAME = re.compile(r"[a-zA-Z0-9_-]+")
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
