"""Maps network exceptions to failure kinds."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator

import aiohttp
import httpx

from apps.engine.codes import Failure
from apps.engine.errors import AddressRefused, BadURL
from apps.engine.networking.inflating import DamagedBody

# The exceptions that a fetch may raise; any other is a defect and must surface.
NETWORK_ERRORS: tuple[type[Exception], ...] = (
    AddressRefused,
    BadURL,
    DamagedBody,
    httpx.HTTPError,
    httpx.InvalidURL,
    aiohttp.ClientError,
    OSError,
    UnicodeError,
)

# The first match wins, so a subclass comes before its base class.
_KINDS: tuple[tuple[tuple[type[BaseException], ...], Failure], ...] = (
    ((AddressRefused,), Failure.ADDRESS_REFUSED),
    ((aiohttp.ClientConnectorDNSError, socket.gaierror), Failure.DNS),
    ((aiohttp.ClientHttpProxyError,), Failure.CONNECT),
    (
        (aiohttp.ClientConnectorCertificateError, ssl.SSLCertVerificationError),
        Failure.CERTIFICATE,
    ),
    (
        (
            aiohttp.ClientSSLError,
            aiohttp.ServerFingerprintMismatch,
            ssl.SSLError,
        ),
        Failure.TLS,
    ),
    ((aiohttp.ClientConnectorError,), Failure.CONNECT),
    ((aiohttp.ClientPayloadError, aiohttp.ServerDisconnectedError), Failure.INTERRUPTED),
    ((TimeoutError, httpx.TimeoutException), Failure.TIMEOUT),
    ((aiohttp.InvalidURL, httpx.InvalidURL, UnicodeError, BadURL), Failure.BAD_URL),
    ((aiohttp.ClientOSError, ConnectionError), Failure.CONNECT),
)


# By OpenSSL's numbers (X509_V_ERR_…).
_FLAWS = {
    9: "the certificate is not valid yet",
    10: "the certificate has expired",
    18: "the certificate is signed by the host itself",
    19: "the certificate is signed by an authority that nobody vouches for",
    20: "the certificate's issuer is not known, or the host leaves out its chain",
    21: "the certificate's issuer is not known, or the host leaves out its chain",
    23: "the certificate has been revoked",
    62: "the certificate is for another name",
    64: "the certificate is for another address",
    66: "the certificate's key is too weak",
    68: "the certificate's signature is too weak",
}


def kind_of(error: BaseException) -> tuple[Failure, str]:
    """The failure kind of an exception, and a detail of one short line.

    The causes take precedence over the exception itself, because httpx-aiohttp reports a lost
    connection as a connection time-out, which would distort the statistics.
    """
    chain = list(_chain(error))
    root = next((one for one in chain if not isinstance(one, httpx.HTTPError)), chain[0])
    detail = _proxys(root) or f"{type(root).__name__}: {root}"
    detail = detail.replace("\n", " ").replace("\r", " ")[:200]
    for kinds, failure in _KINDS:
        if isinstance(root, kinds):
            return failure, _flaw(root) if failure == Failure.CERTIFICATE else detail
    return Failure.PROTOCOL, detail


def _proxys(error: BaseException) -> str:
    """The proxy's error without the proxy's address, which may have a password; empty if the proxy
    did not fail."""
    if isinstance(error, aiohttp.ClientHttpProxyError):
        return f"the proxy answered {error.status} {error.message}"
    if isinstance(error, aiohttp.ClientProxyConnectionError):
        return f"the proxy cannot be reached: {error.os_error.strerror or 'no answer'}"
    return ""


def _flaw(error: BaseException) -> str:
    """The fault of a certificate, in words."""
    cause = getattr(error, "certificate_error", error)
    words = _FLAWS.get(getattr(cause, "verify_code", 0))
    return words or str(getattr(cause, "verify_message", cause)).replace("\n", " ")[:200]


def _chain(error: BaseException) -> Iterator[BaseException]:
    current: BaseException | None = error
    for _ in range(10):
        if current is None:
            return
        yield current
        current = current.__cause__
