"""The event of a page with more links than the limit."""

from __future__ import annotations

from apps.crawls.commands.command import EventKind, Payload


def _words(payload: Payload) -> str:
    """`50 of http://a.test/, after its first 10,000`."""
    return f"{payload['beyond']:,} of {payload['url']}, after its first {payload['links']:,}"


LINKS_CUT = EventKind("links_cut", "Links excluded", _words)
