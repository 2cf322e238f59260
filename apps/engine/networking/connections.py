"""Connections that go where the address guard allows, and nowhere else.

Names are resolved once and every address of a name is checked; the connection is then made to a
checked address, and the socket factory checks once more the very address it connects to, which is
the only place where IP literals pass. So nothing changes between check and connection.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult

from apps.engine.errors import AddressRefused
from apps.engine.networking.address_guard import AddressGuard

# The transport's pool is quadratic in its size beyond this.
POOL = 100
RESOLVERS = 16
HEADER_LINE = 64 * 1024
DNS_SECONDS = 300


@dataclass(frozen=True, slots=True)
class Served:
    """A web served on loopback: its hosts' URLs lead to one address and port.

    `hosts` are names, or a test of a name. Every other host does not exist for such a crawl, and
    only this very address and port is exempt from the guard.
    """

    hosts: frozenset[str] | Callable[[str], bool]
    address: str
    port: int

    def __contains__(self, host: str) -> bool:
        return self.hosts(host) if callable(self.hosts) else host in self.hosts


class GuardedResolver(AbstractResolver):
    """Resolves names in threads of its own and refuses a name with any refused address.

    Threads of its own, because slow name servers would otherwise hold up whoever shares them.
    """

    def __init__(self, guard: AddressGuard, served: Served | None = None) -> None:
        self._guard = guard
        self._served = served
        self._threads = ThreadPoolExecutor(RESOLVERS, thread_name_prefix="resolver")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        """The checked addresses of a name.

        Raises OSError where it has none, AddressRefused where one of them is refused.
        """
        if self._served is not None:
            if host not in self._served:
                raise OSError(f"{host} does not belong to the served web")
            return [_result(host, self._served.address, self._served.port)]
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(
            self._threads, socket.getaddrinfo, host, port, family, socket.SOCK_STREAM
        )
        addresses = list(dict.fromkeys(str(sockaddr[0]) for *_, sockaddr in found))
        for address in addresses:
            self._guard.check(address)
        return [_result(host, address, port) for address in addresses]

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


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
    """A session that keeps no cookies, reads no environment and connects as the guard says.

    The resolver is the caller's to close.
    """

    def open_socket(info: aiohttp.AddrInfoType) -> socket.socket:
        family, kind, proto, _, sockaddr = info
        address, port = str(sockaddr[0]), int(sockaddr[1])
        if served is None:
            guard.check(address)
        elif (address, port) != (served.address, served.port):
            raise AddressRefused(f"{address}:{port} is not the served web's", address=address)
        return socket.socket(family, kind, proto)

    connector = aiohttp.TCPConnector(
        limit=POOL,
        ssl=context,
        resolver=resolver,
        socket_factory=open_socket,
        ttl_dns_cache=DNS_SECONDS,
    )
    return aiohttp.ClientSession(
        connector=connector,
        cookie_jar=aiohttp.DummyCookieJar(),
        trust_env=False,
        max_line_size=HEADER_LINE,
        max_field_size=HEADER_LINE,
        skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding"),
    )
