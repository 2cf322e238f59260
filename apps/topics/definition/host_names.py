"""The names of decisions on hosts, as they are typed."""

from __future__ import annotations

from apps.engine.frontier.host_decisions import DOMAIN
from apps.engine.urls import canonical, host_of_canonical

LONGEST = 400


def parse_name(text: str) -> str | None:
    """The name of a decision in a text: a host, a domain after `*.`, a host with the beginning of
    its addresses, or an address, of which its host counts. None if it has neither."""
    text = text.strip()
    is_address = "://" in text
    bare = text.removeprefix(DOMAIN)
    url = canonical(bare if is_address else f"http://{bare}")
    if not bare or url is None or any(space in text for space in " \t\n"):
        return None
    host = host_of_canonical(url)
    path = url.split(host, 1)[1].partition("?")[0].rstrip("/")
    if text.startswith(DOMAIN):
        name = f"{DOMAIN}{host.partition(':')[0]}" if not path else ""
    else:
        name = host if is_address else f"{host}{path}"
    return name if name and len(name) <= LONGEST else None
