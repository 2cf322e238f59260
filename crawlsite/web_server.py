"""Daphne with a size limit for anonymous requests and compressed websocket messages: `python -m
crawlsite.web_server`.

Daphne stores the whole body of a request on disk before Django sees it. A body larger than
`STRANGER_BYTES` is therefore accepted only with a valid session or token, and never if it exceeds
the largest upload. A refused body is neither stored nor read to its end. A stored one is read by
Django part by part: Twisted would look for form fields in it, for which it takes nine times its
size in memory, and Daphne would queue all of it at once.

Daphne accepts no extension of websockets. Here permessage-deflate (RFC 7692) is accepted: the HTML
of a live page takes a ninth of its bytes. Each message is compressed by itself, since the messages
before as context save 5 % and 0.3 MB would be held for each open page.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.cookies import CookieError, SimpleCookie
from io import BytesIO
from typing import Any, BinaryIO

from autobahn.websocket.compress import (
    PerMessageCompressOffer,
    PerMessageDeflateOffer,
    PerMessageDeflateOfferAccept,
)
from daphne import http_protocol, server
from daphne.cli import CommandLineInterface
from daphne.ws_protocol import WebSocketFactory
from twisted.internet import reactor as installed_reactor

STRANGER_BYTES = 1 * 2**20
MEMBER_BYTES = 4 * 2**30 + 64 * 2**20
PART_BYTES = 256 * 2**10
BODY = "crawlsite.body"
LINGERING_SECONDS = 2
# What a page sends are acknowledgements of some bytes; a message that unpacks to more is refused.
MESSAGE_BYTES = 1 * 2**20
_SENTENCE = b"The request is too large. Sign in first, or send less.\n"
_ANSWER = (
    b"HTTP/1.1 413 Content Too Large\r\nContent-Type: text/plain; charset=utf-8\r\n"
    b"Content-Length: %d\r\nConnection: close\r\n\r\n%s" % (len(_SENTENCE), _SENTENCE)
)
# Django forbids database queries in the thread of the event loop.
_threads = ThreadPoolExecutor(1, thread_name_prefix="who-sends")
# Twisted types the module, not the reactor that it becomes.
reactor: Any = installed_reactor
Receive = Callable[[], Awaitable[dict[str, Any]]]
log = logging.getLogger("crawlsite.web")


class MeasuredRequest(http_protocol.WebRequest):
    """A request whose body size is checked by its Content-Length and while it is received."""

    content: Any
    body: BinaryIO | None = None
    """The stored body, once all of it is there; None of a small one."""
    _most: int | None = None
    _refused = False
    _received = 0

    def gotLength(self, length: int | None) -> None:  # noqa: N802  (Twisted's name)
        super().gotLength(0 if self._is_too_large(length or 0) else length)

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802  (Twisted's name)
        self._received += len(data)
        if not self._refused and not self._is_too_large(self._received):
            super().handleContentChunk(data)

    def _is_too_large(self, length: int) -> bool:
        if length <= STRANGER_BYTES:
            return False
        if self._most is None:
            self._most = MEMBER_BYTES if self._is_somebodys() else STRANGER_BYTES
        if length > self._most and not self._refused:
            self._refuse()
        return self._refused

    def _refuse(self) -> None:
        """Answers at once; further data is discarded until the connection closes."""
        self._refused = True
        transport = self.channel.transport
        transport.write(_ANSWER)
        reactor.callLater(LINGERING_SECONDS, transport.loseConnection)

    def _is_somebodys(self) -> bool:
        cookies = b"; ".join(self.requestHeaders.getRawHeaders(b"cookie", []))
        keys = self.requestHeaders.getRawHeaders(b"authorization", [])
        return _threads.submit(_asked_in_a_thread, cookies, keys[0] if keys else b"").result()

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802
        self.content.seek(0)  # By the end of the body Twisted tells whether it has one to parse.
        super().requestReceived(command, path, version)

    def process(self) -> None:
        if self._refused:
            return
        if self._received > PART_BYTES:
            self.body, self.content = self.content, BytesIO()
        super().process()


class BodyServer(server.Server):
    """Names a request's stored body in the scope of its application."""

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        if (body := getattr(protocol, "body", None)) is not None:
            scope[BODY] = body
        return super().create_application(protocol, scope)


def reading_bodies(application: Any) -> Any:
    """The ASGI application, given stored bodies part by part as it asks for them."""

    async def reads(scope: dict[str, Any], receive: Receive, send: Any) -> None:
        body: BinaryIO | None = scope.pop(BODY, None)
        if body is None:
            await application(scope, receive, send)
            return
        await receive()  # what Daphne has put in the body's place

        async def receive_part() -> dict[str, Any]:
            if body.closed:
                return await receive()
            part = body.read(PART_BYTES)
            if len(part) < PART_BYTES:
                body.close()
            return {"type": "http.request", "body": part, "more_body": not body.closed}

        await application(scope, receive_part, send)

    return reads


def is_somebodys(cookies: bytes, authorization: bytes) -> bool:
    """Whether the headers have a session cookie or token of an account that is switched on."""
    from importlib import import_module

    from django.conf import settings
    from django.contrib.auth import get_user
    from django.db import DatabaseError
    from django.http import HttpRequest

    from apps.accounts.tokens import token_user

    sessions = import_module(settings.SESSION_ENGINE)
    scheme, _, token = authorization.decode("latin-1").partition(" ")
    try:
        key = SimpleCookie(cookies.decode("latin-1")).get(settings.SESSION_COOKIE_NAME)
        if key is not None:
            request = HttpRequest()
            request.session = sessions.SessionStore(key.value)
            if get_user(request).is_authenticated:
                return True
        return scheme.lower() == "bearer" and token_user(token.strip()) is not None
    except CookieError:
        return False
    except DatabaseError as error:
        log.warning("refused a large request, since its sender could not be checked: %s", error)
        return False


def _asked_in_a_thread(cookies: bytes, authorization: bytes) -> bool:
    from django.db import connection

    try:
        return is_somebodys(cookies, authorization)
    finally:
        connection.close()


def accept_deflate(
    offers: Sequence[PerMessageCompressOffer],
) -> PerMessageDeflateOfferAccept | None:
    """Accepts the first offer of permessage-deflate, if there is one."""
    for offer in offers:
        if isinstance(offer, PerMessageDeflateOffer):
            return PerMessageDeflateOfferAccept(  # type: ignore[no-untyped-call]
                offer, no_context_takeover=True, max_message_size=MESSAGE_BYTES
            )
    return None


class DeflatingFactory(WebSocketFactory):
    """Makes websockets whose messages are compressed if the browser can read them."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.setProtocolOptions(perMessageCompressionAccept=accept_deflate)


class CommandLine(CommandLineInterface):
    """Daphne's command line, which takes no module from the folder that it is started in, and loads
    all screens before it serves one."""

    server_class = BodyServer

    def load_asgi_app(self, asgi_app_path: str) -> object:
        sys.path.remove(".")
        application = super().load_asgi_app(asgi_app_path)
        # Only now is Django set up.
        from apps.screens.database_pool import share_connections
        from apps.screens.loading import load_screens

        share_connections()
        load_screens()
        return reading_bodies(application)


def main() -> None:
    """Runs Daphne with the arguments of the command line."""
    http_protocol.WebRequest = MeasuredRequest
    server.WebSocketFactory = DeflatingFactory
    CommandLine.entrypoint()


if __name__ == "__main__":
    main()
