"""Maps network exceptions to failure kinds."""

from __future__ import annotations

import ssl
import zlib
from collections.abc import Iterator

import aiohttp
import httpx

from apps.engine.codes import Failure
from apps.engine.errors import AddressRefused, BadURL
from apps.engine.networking.content import UnknownEncodingError

# The exceptions that a fetch may raise; any other is a defect and must surface.
NETWORK_ERRORS: tuple[type[Exception], ...] = (
    AddressRefused,
    BadURL,
    UnknownEncodingError,
    httpx.HTTPError,
    httpx.InvalidURL,
    aiohttp.ClientError,
    OSError,
    UnicodeError,
    zlib.error,
)

# The first match wins, so a subclass comes before its base class.
_KINDS: tuple[tuple[tuple[type[BaseException], ...], Failure], ...] = (
    ((AddressRefused,), Failure.ADDRESS_REFUSED),
    ((aiohttp.ClientConnectorDNSError,), Failure.DNS),
    (
        (
            aiohttp.ClientSSLError,
            aiohttp.ServerFingerprintMismatch,
            ssl.SSLError,
            ssl.CertificateError,
        ),
        Failure.TLS,
    ),
    ((aiohttp.ClientConnectorError,), Failure.CONNECT),
    ((aiohttp.ClientPayloadError, aiohttp.ServerDisconnectedError), Failure.INTERRUPTED),
    ((TimeoutError, httpx.TimeoutException), Failure.TIMEOUT),
    ((aiohttp.InvalidURL, httpx.InvalidURL, UnicodeError, BadURL), Failure.BAD_URL),
    ((aiohttp.ClientOSError, ConnectionError), Failure.CONNECT),
)


def kind_of(error: BaseException) -> tuple[Failure, str]:
    """The failure kind of an exception, and a detail of one short line.

    The causes take precedence over the exception itself, because httpx-aiohttp reports a lost
    connection as a connection time-out, which would distort the statistics.
    """
    chain = list(_chain(error))
    root = next((one for one in chain if not isinstance(one, httpx.HTTPError)), chain[0])
    detail = f"{type(root).__name__}: {root}".replace("\n", " ").replace("\r", " ")[:200]
    for kinds, failure in _KINDS:
        if isinstance(root, kinds):
            return failure, detail
    return Failure.PROTOCOL, detail


def _chain(error: BaseException) -> Iterator[BaseException]:
    current: BaseException | None = error
    for _ in range(10):
        if current is None:
            return
        yield current
        current = current.__cause__
