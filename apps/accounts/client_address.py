"""The address that a request came from, also behind proxies that the settings name."""

from __future__ import annotations

from functools import lru_cache
from ipaddress import IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from django.conf import settings
from django.http import HttpRequest

Network = IPv4Network | IPv6Network
IPV6_PREFIX = 64
"""One household has this many leading bits of its addresses in common."""


def client_address(request: HttpRequest | None) -> str:
    """The address, or the network of an IPv6 address; empty without a request.

    X-Forwarded-For counts only as far as proxies in `TRUSTED_PROXIES` wrote it: from its right end,
    the first address that is none of them.
    """
    if request is None:
        return ""
    proxies = networks(tuple(settings.TRUSTED_PROXIES))
    hops = [
        *request.META.get("HTTP_X_FORWARDED_FOR", "").split(","),
        request.META.get("REMOTE_ADDR", ""),
    ]
    address = hops.pop().strip()
    while hops and _is_in(address, proxies) and _is_address(hops[-1].strip()):
        address = hops.pop().strip()
    return _household(address)


@lru_cache(maxsize=8)
def networks(texts: tuple[str, ...]) -> tuple[Network, ...]:
    """The networks of these addresses and ranges. Raises ValueError."""
    return tuple(ip_network(text.strip(), strict=False) for text in texts)


def _is_in(address: str, proxies: tuple[Network, ...]) -> bool:
    return _is_address(address) and any(ip_address(address) in proxy for proxy in proxies)


def _is_address(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _household(address: str) -> str:
    if not _is_address(address):
        return address
    parsed = ip_address(address)
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return str(parsed.ipv4_mapped)
        return str(ip_network((parsed, IPV6_PREFIX), strict=False))
    return str(parsed)
