"""Digests as JSON to an address, signed as Standard Webhooks asks (standardwebhooks.com).

`webhook-signature` is `v1,` and the base64 of the HMAC-SHA256 of `id.timestamp.body` with the
secret, whose text is `whsec_` and its base64. Redirects are not followed. The request goes through
the address guard, except to an origin that the administrator has allowed.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import hmac
import json
import secrets
import ssl
import time
from urllib.parse import urlsplit

from django.conf import settings

from apps.engine.errors import AddressRefused
from apps.engine.networking.address_guard import AddressGuard
from apps.engine.urls import canonical
from apps.schemas.refused import Refused
from apps.watches.carriers.carrier import CarrierProblem, DigestMessage

SECONDS = 20.0
SHOWN_BYTES = 200
_EVERYTHING = ("0.0.0.0/0", "::/0")


class Webhook:
    """One POST a digest."""

    id = "webhook"
    title = "Webhook"
    sentence = "JSON to an address of yours, signed, and tried again over a day."
    target_words = "web address"
    needs_address = True

    def refusal(self) -> str:
        return ""

    def check_target(self, target: str) -> str:
        address = canonical(target.strip())
        if address is None or urlsplit(address).scheme not in ("http", "https"):
            raise Refused("target", "Give a web address, such as https://example.org/hook.")
        if _guard_for(address).refusal(address) is not None:
            raise Refused(
                "target",
                "This address leads to this machine or a private network. An administrator can"
                " allow its origin with CRAWLSITE_WEBHOOK_ORIGINS.",
            )
        return address

    def send(self, target: str, secret: str, message: DigestMessage) -> str:
        body = json.dumps(
            {
                "type": "digest",
                "title": message.title,
                "address": message.address,
                "text": message.text,
                **message.content,
            },
            ensure_ascii=False,
        ).encode()
        moment = str(int(time.time()))
        headers = {
            "Content-Type": "application/json",
            "User-Agent": settings.USER_AGENT,
            "webhook-id": message.id,
            "webhook-timestamp": moment,
            "webhook-signature": sign(secret, message.id, moment, body),
        }
        status, words = asyncio.run(_post(target, body, headers))
        return _judge(status, words)


def new_secret() -> str:
    """A secret as receivers' libraries take it."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


def sign(secret: str, message_id: str, moment: str, body: bytes) -> str:
    """The value of `webhook-signature`."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{moment}.".encode() + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def _guard_for(address: str) -> AddressGuard:
    parts = urlsplit(address)
    allowed = {origin.rstrip("/").lower() for origin in settings.WEBHOOK_ORIGINS}
    if f"{parts.scheme}://{parts.netloc}".lower() in allowed:
        return AddressGuard(_EVERYTHING)
    return AddressGuard(settings.ALLOWED_ADDRESSES)


async def _post(target: str, body: bytes, headers: dict[str, str]) -> tuple[int, str]:
    """The status of the answer, and its first words."""
    import aiohttp  # a web process starts without it

    from apps.engine.networking.connections import GuardedResolver, open_session

    guard = _guard_for(target)
    resolver = GuardedResolver(guard)
    try:
        async with (
            asyncio.timeout(SECONDS),
            open_session(guard, None, resolver, ssl.create_default_context()) as session,
            session.post(target, data=body, headers=headers, allow_redirects=False) as answer,
        ):
            shown = await answer.content.read(SHOWN_BYTES)
            return answer.status, " ".join(shown.decode("utf-8", "replace").split())
    except AddressRefused:
        host = urlsplit(target).netloc
        raise CarrierProblem(f"{host} leads to a private network, where no message goes.") from None
    except TimeoutError:
        raise CarrierProblem(f"No answer in {SECONDS:.0f} s.") from None
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise CarrierProblem(f"Not reached: {str(error)[:200] or type(error).__name__}") from None
    finally:
        await resolver.close()


def _judge(status: int, words: str) -> str:
    answer = f"{status} {words}".strip()
    if 200 <= status < 300:
        return answer
    if 300 <= status < 400:
        raise CarrierProblem(f"It redirects ({status}), which is not followed.")
    raise CarrierProblem(f"It answered {answer}", is_final=status == 410)


WEBHOOK = Webhook()
