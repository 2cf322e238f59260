"""Requests to an endpoint that an administrator has named.

Its exact origin is allowed, also on loopback and in private networks; redirects are not followed,
so that it cannot lead elsewhere. Everything else goes through the address guard.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.conf import settings

if TYPE_CHECKING:
    import httpx

SECONDS, LONGER = 20.0, 60.0
"""For an index; for an endpoint that has to think."""
MOST_BYTES = 4 << 20


class EndpointProblem(Exception):
    """Why an endpoint gave no answer, as a sentence with what to do."""


def host_of(address: str) -> str:
    """`searx.example`."""
    return urlsplit(address).netloc


def get_json(
    address: str, params: Mapping[str, str], setting: str, refusals: Mapping[int, str] | None = None
) -> Any:
    """The JSON that the endpoint answers. `setting` is the setting that names it, `refusals` has a
    sentence for statuses of its own. Raises EndpointProblem."""
    return _answer_of("GET", address, setting, refusals, params=dict(params))


def post_json(
    address: str,
    sent: Mapping[str, Any],
    setting: str,
    key: str = "",
    refusals: Mapping[int, str] | None = None,
) -> Any:
    """The JSON that the endpoint answers to an object; `key` is sent as a bearer's. Raises
    EndpointProblem."""
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    return _answer_of("POST", address, setting, refusals, LONGER, json=dict(sent), headers=headers)


def _answer_of(
    method: str,
    address: str,
    setting: str,
    refusals: Mapping[int, str] | None,
    seconds: float = SECONDS,
    **parts: Any,
) -> Any:
    import httpx  # a web process starts without it

    host = host_of(address)
    try:
        status, location, body = _send(httpx.Request(method, address, **parts), seconds)
    except httpx.TimeoutException:
        raise EndpointProblem(f"{host} did not answer in {seconds:.0f} s.") from None
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise EndpointProblem(f"{host} cannot be reached ({type(error).__name__}).") from None
    if 300 <= status < 400:
        raise EndpointProblem(
            f"{host} redirects to {location or 'another address'}, which is not followed:"
            f" {setting} has to name the address that answers."
        )
    if status != 200:
        usual = f"{host} answered with status {status}."
        raise EndpointProblem((refusals or {}).get(status, usual).format(host=host))
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise EndpointProblem(f"{host} answered with something other than JSON.") from None


def _send(request: httpx.Request, seconds: float) -> tuple[int, str, bytes]:
    """Status, Location and body; all of it together within so many seconds."""
    import httpx  # a web process starts without it

    request.headers.update({"User-Agent": settings.USER_AGENT, "Accept": "application/json"})
    until = time.monotonic() + seconds
    with httpx.Client(follow_redirects=False, timeout=seconds, trust_env=False) as client:
        answer = client.send(request, stream=True)
        try:
            body = b""
            for piece in answer.iter_bytes():
                body += piece
                host = host_of(str(request.url))
                if len(body) > MOST_BYTES:
                    raise EndpointProblem(f"{host} answered with more than {MOST_BYTES >> 20} MB.")
                if time.monotonic() > until:
                    raise httpx.ReadTimeout("", request=request)
        finally:
            answer.close()
        return answer.status_code, answer.headers.get("location", ""), body
