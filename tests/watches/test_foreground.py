"""From a visit to what arrives: a mail, a signed request and a feed, without a running site."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from email import message_from_bytes, policy
from pathlib import Path
from socketserver import BaseServer, StreamRequestHandler, ThreadingTCPServer
from threading import Thread

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from lxml import etree

from apps.months.changing_web import DAY, ChangingWeb, WebScript
from apps.months.month import AFTER_FIRST, Month
from apps.months.serving import serve
from apps.watches.models import Delivery, Digest, DigestSubscription
from apps.watches.subscriptions import feed_of
from tests.people import person
from tests.watches.carriers.test_webhook import Sink

SCRIPT = WebScript(hosts=2, pages=60, on_topic=0.5, new=4.0, days=3, lively=0.3)
ATOM = {"a": "http://www.w3.org/2005/Atom"}


class MailSink(ThreadingTCPServer):
    """A mail server that takes everything; `mails` are the messages as they came."""

    daemon_threads = True

    def __init__(self) -> None:
        self.mails: list[bytes] = []
        sink = self

        class Session(StreamRequestHandler):
            def handle(self) -> None:
                self.wfile.write(b"220 sink\r\n")
                while line := self.rfile.readline():
                    word = line[:4].upper()
                    self.wfile.write(b"354 go on\r\n" if word == b"DATA" else b"250 well\r\n")
                    if word == b"DATA":
                        lines = iter(self.rfile.readline, b".\r\n")
                        sink.mails.append(b"".join(lines))
                        self.wfile.write(b"250 taken\r\n")
                    if word == b"QUIT":
                        return

        super().__init__(("127.0.0.1", 0), Session)


@contextmanager
def running(server: BaseServer) -> Iterator[None]:
    thread = Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.alike
def test_a_visit_arrives_as_mail_webhook_and_feed(
    transactional_db: None, data_dir: Path, tmp_path: Path, settings, capsys
) -> None:
    web = ChangingWeb(SCRIPT, datetime.now(UTC) - 3 * DAY)
    mails, hooks = MailSink(), Sink()
    with serve(web) as port, running(mails), running(hooks):
        hook = f"http://127.0.0.1:{hooks.server_address[1]}/hook"
        settings.ADDRESS = "https://crawl.test"
        settings.WEBHOOK_ORIGINS = [hook.removesuffix("/hook")]
        settings.MAIL_SERVER = "smtp://127.0.0.1"
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = mails.server_address
        owner = person("ada")
        month = Month(web, port, owner, tmp_path)
        watch = month.watch(requests=200)
        secret = "whsec_" + base64.b64encode(b"a key").decode()
        for carrier, target in (("mail", "ada@a.test"), ("webhook", hook)):
            DigestSubscription.objects.create(
                watch=watch,
                person=owner,
                carrier=carrier,
                target=target,
                secret=secret,
                is_on=True,
                created_at=watch.created_at,
            )
        token = feed_of(watch, owner, watch.created_at).secret
        at = web.start + AFTER_FIRST + 2 * DAY
        web.now = at
        call_command("watch", "run", "--at", at.isoformat(), skip_checks=True)
        printed = capsys.readouterr().out
        call_command("watch", "run", "--at", (at + timedelta(hours=1)).isoformat())
    assert "digest by mail to ada@a.test: accepted by the mail server" in printed
    digest = Digest.objects.get()
    number = digest.content["counts"]["new"]
    assert number > 0
    check_mail(mails.mails, watch.topic_id, number)
    check_hook(hooks.requests, b"a key", number)
    check_feed(token, watch.topic_id, number)
    assert set(Delivery.objects.values_list("status", "attempts")) == {("sent", 1)}


def check_mail(mails: list[bytes], topic: int, new: int) -> None:
    (raw,) = mails
    mail = message_from_bytes(raw, policy=policy.default)
    assert f"{new} new" in mail["Subject"] and mail["To"] == "ada@a.test"
    assert f"https://crawl.test/topics/{topic}/watch/" in mail.get_content()


def check_hook(requests: list[tuple[dict[str, str], bytes]], key: bytes, new: int) -> None:
    ((headers, body),) = requests
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    mac = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
    assert headers["webhook-signature"] == f"v1,{mac}"
    assert json.loads(body)["counts"]["new"] == new


def check_feed(token: str, topic: int, new: int) -> None:
    answer = Client().get(reverse("watch:feed", args=[token]))
    feed = etree.fromstring(answer.content)
    (entry,) = feed.findall("a:entry", ATOM)
    assert f"{new} new" in entry.findtext("a:title", "", ATOM)
    assert entry.find("a:link", ATOM).get("href").startswith(f"https://crawl.test/topics/{topic}/")
