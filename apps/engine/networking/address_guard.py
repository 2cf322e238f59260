"""Decides which network addresses and host names a crawl may connect to.

`ipaddress.is_global` is not sufficient: by translation (NAT64, 6to4, Teredo, v4-mapped), addresses
that it calls global can lead to loopback or to a cloud's metadata service. The refused networks are
therefore listed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from ipaddress import (
    IPv4Address,
    IPv4Network,
    IPv6Address,
    IPv6Network,
    ip_address,
    ip_network,
)
from urllib.parse import urlsplit

from apps.engine.errors import AddressRefused

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_REFUSED_4 = tuple(
    IPv4Network(network)
    for network in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # shared by carriers; metadata services of some clouds
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # metadata service of a cloud, although formally public
        "169.254.0.0/16",  # link-local; metadata services
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments; a metadata service
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
_REFUSED_6 = tuple(
    IPv6Network(network)
    for network in (
        "::/96",  # unspecified, loopback, v4-compatible (never routed, so never exempt as IPv4)
        "64:ff9b:1::/48",  # local NAT64
        "100::/63",  # discard, dummy
        "2001::/23",  # protocol assignments, Teredo, benchmarks, ORCHID
        "2001:db8::/32",  # documentation
        "3fff::/20",  # documentation
        "5f00::/16",  # segment routing
        "fc00::/7",  # unique local
        "fe80::/10",  # link-local
        "fec0::/10",  # site-local
        "ff00::/8",  # multicast
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")
_TRANSLATED = IPv6Network("::ffff:0:0:0/96")


# Names that are not in the public DNS, or that belong to separate networks.
_PRIVATE_SUFFIXES = (
    ".internal",
    ".local",
    ".localhost",
    ".localdomain",
    ".lan",
    ".onion",
    ".home.arpa",
    ".home",
    ".corp",
    ".intranet",
    ".private",
)
LONGEST_LABEL = 63
LONGEST_NAME = 253


class AddressRefusal(StrEnum):
    """Why a crawl may not request a URL, decided without a DNS query."""

    PRIVATE_ADDRESS = "private_address"
    PRIVATE_NAME = "private_name"
    PORT_ZERO = "port_zero"
    LONG_NAME = "long_name"


class AddressGuard:
    """Refuses private, loopback, link-local, reserved and metadata addresses.

    `allowed` are networks or single addresses exempt from that. Raises ValueError for one that is
    not a network.
    """

    def __init__(self, allowed: Iterable[str] = ()) -> None:
        self._allowed = tuple(ip_network(network.strip(), strict=False) for network in allowed)

    def narrowed(self, other: AddressGuard) -> AddressGuard:
        """A guard that exempts only what both exempt."""
        both = AddressGuard()
        both._allowed = tuple(
            min(mine, theirs, key=lambda network: network.num_addresses)
            for mine in self._allowed
            for theirs in other._allowed
            if mine.version == theirs.version and mine.overlaps(theirs)
        )
        return both

    def refusal(self, url: str) -> AddressRefusal | None:
        """Why the host or port of a canonical URL forbids a request, or None.

        Names of private networks pass if some private network is allowed; their addresses are
        checked after resolution.
        """
        parts = urlsplit(url)
        host = parts.hostname or ""
        if parts.netloc.endswith(":0"):
            return AddressRefusal.PORT_ZERO
        if _is_literal(host):
            return None if self._passes(host) else AddressRefusal.PRIVATE_ADDRESS
        if len(host) > LONGEST_NAME or any(len(part) > LONGEST_LABEL for part in host.split(".")):
            return AddressRefusal.LONG_NAME
        is_private = "." not in host or host.endswith(_PRIVATE_SUFFIXES)
        return AddressRefusal.PRIVATE_NAME if is_private and not self._allowed else None

    def _passes(self, address: str) -> bool:
        try:
            self.check(address)
        except AddressRefused:
            return False
        return True

    def check(self, address: str) -> None:
        """Raises AddressRefused unless a crawl may connect to this IP address."""
        bare = address.strip("[]").partition("%")[0]
        try:
            parsed = ip_address(bare)
        except ValueError:
            raise AddressRefused(f"{address[:60]} is not an IP address") from None
        forms = tuple(_forms(parsed))
        if any(_within(form, self._allowed) for form in forms):
            return
        for form in forms:
            if _within(form, _REFUSED_4 if form.version == 4 else _REFUSED_6):
                raise AddressRefused(f"{address} is not a public address", address=address)


def _is_literal(host: str) -> bool:
    return ":" in host or host.replace(".", "").isdigit()


def _within(address: Address, networks: Iterable[Network]) -> bool:
    return any(address in network for network in networks)


def _forms(address: Address) -> Iterator[Address]:
    """The address and all IPv4 addresses that it embeds; for a mapped address only the latter."""
    if isinstance(address, IPv4Address):
        yield address
        return
    if address.ipv4_mapped:
        yield address.ipv4_mapped
        return
    yield address
    if address.sixtofour:
        yield address.sixtofour
    if address.teredo:
        yield from address.teredo
    if address in _NAT64 or address in _TRANSLATED:
        yield IPv4Address(int(address) & 0xFFFFFFFF)
