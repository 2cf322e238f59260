"""Bodies of strangers are refused before they are kept."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from io import BytesIO
from typing import Any

import httpx
import pytest
from django.contrib.auth import get_user_model
from django.contrib.sessions.backends.db import SessionStore
from django.test import Client

from apps.accounts.tokens import make_token
from apps.screens import database_pool
from apps.webs.serving import listening
from crawlsite import start_up
from crawlsite.web_server import (
    BODY,
    PART_BYTES,
    STRANGER_BYTES,
    CommandLine,
    Receive,
    is_somebodys,
    reading_bodies,
)
from tests.running_site import ROOT, free_port, wait_for

HEAD = "POST /sign-in/ HTTP/1.1\r\nHost: 127.0.0.1\r\n{}\r\n\r\n"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """A web server on a data folder without a database: nobody is known there."""
    number = free_port()
    line = [
        sys.executable,
        "-m",
        "crawlsite.web_server",
        "--port",
        str(number),
        "--verbosity",
        "0",
        "crawlsite.asgi:application",
    ]
    environment = {**os.environ, "CRAWLSITE_DATA": str(tmp_path_factory.mktemp("data"))}
    server = subprocess.Popen(line, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL)
    wait_for(lambda: _listens(number), 120, lambda: "")
    yield number
    server.kill()
    server.wait()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _answer(port: int, headers: str, pieces: list[bytes]) -> bytes:
    """What comes back while the body is being sent, or after the last piece."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as sent:
        sent.sendall(HEAD.format(headers).encode())
        for piece in pieces:
            sent.sendall(piece)
        return sent.recv(4096)


def test_a_large_stated_length_is_refused_before_the_body_is_sent(port: int) -> None:
    answer = _answer(port, "Content-Length: 2000000000", [])
    assert answer.startswith(b"HTTP/1.1 413") and b"Sign in first" in answer


def test_a_body_without_a_length_is_refused_while_it_comes_in(port: int) -> None:
    piece = b"10000\r\n" + b"x" * 65536 + b"\r\n"
    pieces = [piece] * (STRANGER_BYTES // 65536 + 2)
    assert _answer(port, "Transfer-Encoding: chunked", pieces).startswith(b"HTTP/1.1 413")


def test_a_cookie_that_is_nobodys_opens_nothing(port: int) -> None:
    headers = "Cookie: sessionid=made-up\r\nContent-Length: 2000000000"
    assert _answer(port, headers, []).startswith(b"HTTP/1.1 413")


def test_small_requests_go_through(port: int) -> None:
    answer = httpx.post(f"http://127.0.0.1:{port}/sign-in/", data={"username": "ada"}, timeout=60)
    assert answer.status_code == 403  # without a CSRF token, by Django itself


def test_form_fields_are_left_to_django(port: int) -> None:
    # Twisted refuses one without a boundary (400), having looked for its parts.
    kind = {"Content-Type": "multipart/form-data"}
    answer = httpx.post(f"http://127.0.0.1:{port}/sign-in/", content=b"x", headers=kind, timeout=60)
    assert answer.status_code == 403


def test_a_body_of_several_parts_goes_through(port: int) -> None:
    body = b"x" * (3 * PART_BYTES)
    answer = httpx.post(f"http://127.0.0.1:{port}/sign-in/", content=body, timeout=60)
    assert answer.status_code == 403


@pytest.mark.parametrize("size", [PART_BYTES + 1, 2 * PART_BYTES, 2 * PART_BYTES + 9])
def test_a_stored_body_is_read_part_by_part_as_it_is_asked_for(size: int) -> None:
    body = BytesIO(b"x" * (size - 1) + b"y")
    parts: list[dict[str, Any]] = []
    received: list[dict[str, Any]] = [
        {"type": "http.request", "body": b"", "more_body": False},
        {"type": "http.disconnect"},
    ]

    async def receive() -> dict[str, Any]:
        return received.pop(0)

    async def application(scope: dict[str, Any], receive: Receive, send: object) -> None:
        assert BODY not in scope
        while not parts or parts[-1]["more_body"]:
            parts.append(await receive())
            assert body.closed or body.tell() == sum(len(part["body"]) for part in parts)
        parts.append(await receive())

    asyncio.run(reading_bodies(application)({BODY: body}, receive, None))
    assert b"".join(part["body"] for part in parts[:-1]) == b"x" * (size - 1) + b"y"
    assert parts[-1] == {"type": "http.disconnect"}


@pytest.mark.parametrize(
    ("offer", "accepted"),
    [
        ("permessage-deflate; client_max_window_bits", True),  # as Chromium and Firefox offer it
        ("x-webkit-deflate-frame", False),
    ],
)
def test_websockets_are_compressed_for_those_who_can_read_that(
    port: int, offer: str, accepted: bool
) -> None:
    head = (
        "GET /ws/crawls/1/ HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://127.0.0.1\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        f"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Extensions: {offer}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", port), timeout=60) as opened:
        opened.sendall(head.encode())
        answer = opened.recv(4096).partition(b"\r\n\r\n")[0]
    assert answer.startswith(b"HTTP/1.1 101")
    assert (b"Sec-WebSocket-Extensions: permessage-deflate" in answer) == accepted


@pytest.mark.django_db
def test_a_session_and_a_token_are_somebodys() -> None:
    ada = get_user_model().objects.create_user("ada")
    empty = SessionStore()
    empty.create()
    assert not is_somebodys(f"sessionid={empty.session_key}".encode(), b"")
    client = Client()
    client.force_login(ada)
    cookie = f"sessionid={client.cookies['sessionid'].value}".encode()
    assert is_somebodys(cookie, b"")
    assert is_somebodys(b"", f"Bearer {make_token(ada, 'laptop')[1]}".encode())
    assert not is_somebodys(b"", b"Bearer cs_nothing")
    get_user_model().objects.update(is_active=False)
    assert not is_somebodys(cookie, b"")


def test_the_site_is_served_by_it() -> None:
    with listening(0) as listener:
        assert "crawlsite.web_server" in start_up.web_server(listener).line


def test_screens_are_loaded_and_out_of_the_search_for_garbage_before_the_first_request(
    monkeypatch,
) -> None:
    shared: list[str] = []
    monkeypatch.setattr(sys, "path", [".", *sys.path])
    monkeypatch.setattr(database_pool, "share_connections", lambda: shared.append("once"))
    gc.unfreeze()
    try:
        CommandLine().load_asgi_app("crawlsite.asgi:application")
        assert shared == ["once"]
        assert "apps.screens.live.views" in sys.modules
        assert gc.get_freeze_count() > 10_000
    finally:
        gc.unfreeze()
