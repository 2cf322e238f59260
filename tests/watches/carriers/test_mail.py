"""Mail through Django's settings."""

from __future__ import annotations

import socket

import pytest
from django.core import mail

from apps.schemas.refused import Refused
from apps.watches.carriers.carrier import CarrierProblem, DigestMessage
from apps.watches.carriers.mail import MAIL

MESSAGE = DigestMessage("crawlsite-7", "Heat:\n 1 new", "The text.\n", {}, "https://c.test/t/3/")


def test_a_mail_is_plain_and_names_itself(settings) -> None:
    settings.ADDRESS = "https://c.test"
    settings.DEFAULT_FROM_EMAIL = "crawlsite@c.test"
    assert MAIL.send("ada@a.test", "", MESSAGE) == "accepted by the mail server"
    (sent,) = mail.outbox
    assert (sent.to, sent.from_email, sent.subject) == (
        ["ada@a.test"],
        "crawlsite@c.test",
        "Heat: 1 new",
    )
    assert sent.body.startswith("The text.\n") and "https://c.test/t/3/#tell" in sent.body
    assert sent.message()["Message-ID"] == "<crawlsite-7@c.test>"
    assert sent.content_subtype == "plain"


def test_a_server_that_is_away_is_named(settings) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = unused.getsockname()
        with pytest.raises(CarrierProblem, match="The mail server cannot be used"):
            MAIL.send("ada@a.test", "", MESSAGE)


def test_it_needs_a_server(settings) -> None:
    settings.MAIL_SERVER = ""
    assert "CRAWLSITE_MAIL" in MAIL.refusal()
    settings.MAIL_SERVER = "smtp://mail.test"
    assert MAIL.refusal() == ""


@pytest.mark.parametrize("target", ["", "nobody", "a@b@c", "a@b.test\nBcc: x@y.test"])
def test_a_target_is_a_mail_address(target: str) -> None:
    with pytest.raises(Refused, match="Give a mail address"):
        MAIL.check_target(target)
