"""Connections to addresses that the address guard allows.

Names are resolved once and all addresses of a name are checked. The connection goes to one of these
addresses, and the socket factory checks it again, which also covers IP literals. So the address
cannot change between check and connection.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from yarl import URL

from apps.engine.errors import AddressRefused
from apps.engine.networking.address_guard import AddressGuard
from apps.engine.networking.lenient_responses import LenientResponses

# Above this, the time of the transport's pool is quadratic in its size.
POOL = 100
RESOLVERS = 16
HEADER_LINE = 64 * 1024
DNS_SECONDS = 300
ADDRESS_SECONDS = 10
MOST_NAMES = 100_000


@dataclass(frozen=True, slots=True)
class Served:
    """A web served on loopback: the URLs of its hosts lead to one address and port.

    `hosts` are names, or a predicate on names. Other hosts do not exist for such a crawl, and only
    this address and port is exempt from the guard.
    """

    hosts: frozenset[str] | Callable[[str], bool]
    address: str
    port: int

    def __contains__(self, host: str) -> bool:
        return self.hosts(host) if callable(self.hosts) else host in self.hosts


class GuardedResolver(AbstractResolver):
    """Resolves names in its own threads and refuses a name if one of its addresses is refused.

    It has its own threads since slow name servers would block other users of a shared pool.
    """

    def __init__(self, guard: AddressGuard, served: Served | None = None) -> None:
        self._guard = guard
        self._served = served
        self._threads = ThreadPoolExecutor(RESOLVERS, thread_name_prefix="resolver")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The checked addresses of a name.

        Raises OSError if it has none, AddressRefused if one of them is refused.
        """
        if self._served is not None:
            if host not in self._served:
                raise OSError(f"{host} does not belong to the served web")
            return [_result(host, self._served.address, self._served.port)]
        loop = asyncio.get_running_loop()
        infos = await loop.run_in_executor(
            self._threads, socket.getaddrinfo, host, port, family, socket.SOCK_STREAM
        )
        addresses = list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in infos))
        for address in addresses:
            self._guard.check(address)
        return [_result(host, address, port) for address in addresses]

    async def address_of(self, host: str) -> str:
        """The first address of a host, by name or with its port; empty if it has none that may be
        asked, or if its name servers take long."""
        try:
            async with asyncio.timeout(ADDRESS_SECONDS):
                return (await self.resolve(_name(host)))[0]["host"]
        except (OSError, UnicodeError, AddressRefused):
            return ""

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


class CheckedNames:
    """The names of which a guard has lately passed all addresses.

    Through a proxy nothing connects to an address of a host here, so that its name is resolved and
    checked before each request is handed over.
    """

    def __init__(self, resolver: GuardedResolver) -> None:
        self._resolver = resolver
        self._passed: dict[str, float] = {}

    async def check(self, name: str) -> None:
        """Raises OSError if the name has no address, AddressRefused if one of them is refused."""
        now = time.monotonic()
        if self._passed.get(name, 0.0) > now:
            return
        await self._resolver.resolve(name)
        if len(self._passed) >= MOST_NAMES:
            self._passed.clear()
        self._passed[name] = now + DNS_SECONDS


def _name(host: str) -> str:
    return host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host


def _result(host: str, address: str, port: int) -> ResolveResult:
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return ResolveResult(
        hostname=host,
        host=address,
        port=port,
        family=family,
        proto=0,
        flags=socket.AI_NUMERICHOST | socket.AI_NUMERICSERV,
    )


def open_session(
    guard: AddressGuard,
    served: Served | None,
    resolver: GuardedResolver,
    context: ssl.SSLContext,
) -> aiohttp.ClientSession:
    """A session without cookies or environment settings that connects only as the guard allows.

    The caller closes the resolver.
    """

    def open_socket(info: aiohttp.AddrInfoType) -> socket.socket:
        family, kind, proto, _, sockaddr = info
        address, port = str(sockaddr[0]), int(sockaddr[1])
        if served is None:
            guard.check(address)
        elif (address, port) != (served.address, served.port):
            raise AddressRefused(f"{address}:{port} is not the served web's", address=address)
        return socket.socket(family, kind, proto)

    return _session(
        aiohttp.TCPConnector(
            limit=POOL,
            ssl=context,
            resolver=resolver,
            socket_factory=open_socket,
            ttl_dns_cache=DNS_SECONDS,
        )
    )


def open_session_through(proxy: str, context: ssl.SSLContext) -> aiohttp.ClientSession:
    """A session like that of `open_session` that connects only to the proxy of this address, also
    in a private network. Who uses it checks the hosts."""
    return _session(aiohttp.TCPConnector(limit=POOL, ssl=context, ttl_dns_cache=DNS_SECONDS), proxy)


def _session(connector: aiohttp.TCPConnector, proxy: str | None = None) -> aiohttp.ClientSession:
    # aiohttp has no public way to choose the protocol of its connections.
    loop = asyncio.get_running_loop()
    connector._factory = partial(LenientResponses, loop=loop)  # type: ignore[assignment]
    session = aiohttp.ClientSession(
        connector=connector,
        cookie_jar=aiohttp.DummyCookieJar(),
        trust_env=False,
        proxy=proxy,
        max_line_size=HEADER_LINE,
        max_field_size=HEADER_LINE,
        skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding"),
    )
    # It would respell the escapes of addresses that it gets as text.
    session._build_url = _as_spelled  # type: ignore[assignment, method-assign]
    return session


def _as_spelled(address: Any) -> URL:
    """The URL of an address, with its escapes as they are. Raises ValueError for a bad port."""
    url = URL(address, encoded=True)
    if url.port is None:
        raise ValueError(f"no port in {address}")
    return url
