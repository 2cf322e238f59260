"""Webhooks over real sockets: signed, guarded, not redirected."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest

from apps.schemas.refused import Refused
from apps.watches.carriers.carrier import CarrierProblem, DigestMessage
from apps.watches.carriers.webhook import WEBHOOK, new_secret

MESSAGE = DigestMessage("crawlsite-7", "Heat: 1 new", "text", {"topic": 3}, "https://c.test/t/3/")


class Sink(ThreadingHTTPServer):
    """Keeps what it gets; answers with `status`, and a Location."""

    status = 200

    def __init__(self) -> None:
        self.requests: list[tuple[dict[str, str], bytes]] = []
        sink = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                sink.requests.append(({k.lower(): v for k, v in self.headers.items()}, body))
                self.send_response(sink.status)
                self.send_header("Location", f"{sink.address}elsewhere")
                self.end_headers()
                self.wfile.write(b"thanks")

            def log_message(self, *args: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/"


@pytest.fixture
def sink(settings) -> Iterator[Sink]:
    with Sink() as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        settings.WEBHOOK_ORIGINS = [server.address.rstrip("/")]
        yield server
        server.shutdown()
        thread.join()


def test_the_signature_fits_the_body(sink: Sink) -> None:
    secret = new_secret()
    assert WEBHOOK.send(f"{sink.address}hook", secret, MESSAGE) == "200 thanks"
    headers, body = sink.requests[0]
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    digest = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{digest}"
    assert headers["webhook-id"] == "crawlsite-7"
    sent = json.loads(body)
    assert (sent["type"], sent["title"], sent["topic"]) == ("digest", "Heat: 1 new", 3)


@pytest.mark.parametrize(
    ("status", "words", "is_final"),
    [
        (302, "redirects \\(302\\)", False),
        (500, "answered 500 thanks", False),
        (410, "answered 410", True),
    ],
)
def test_an_answer_that_is_no_yes_is_a_problem(
    sink: Sink, status: int, words: str, is_final: bool
) -> None:
    sink.status = status
    with pytest.raises(CarrierProblem, match=words) as problem:
        WEBHOOK.send(f"{sink.address}hook", new_secret(), MESSAGE)
    assert problem.value.is_final is is_final
    assert len(sink.requests) == 1  # no redirect is followed


def test_nothing_goes_to_a_private_network(sink: Sink, settings) -> None:
    settings.WEBHOOK_ORIGINS = []
    with pytest.raises(Refused, match="CRAWLSITE_WEBHOOK_ORIGINS"):
        WEBHOOK.check_target(f"{sink.address}hook")
    # A public name may lead there later: the address is checked when it is asked.
    for target in (f"{sink.address}hook", f"http://localhost:{sink.server_port}/"):
        with pytest.raises(CarrierProblem, match=r"private network|Not reached"):
            WEBHOOK.send(target, new_secret(), MESSAGE)
    assert sink.requests == []


@pytest.mark.parametrize("target", ["", "ftp://a.test/", "nonsense", "javascript:alert(1)"])
def test_a_target_is_a_web_address(target: str) -> None:
    with pytest.raises(Refused, match="Give a web address"):
        WEBHOOK.check_target(target)
