"""Takes the pages of a host in spite of its certificate, and wants a valid one again."""

from __future__ import annotations

from django.db import transaction

from apps.crawls import certificates
from apps.crawls.commands.command import Command, EventKind, Payload, Person, Undo, ask, when
from apps.crawls.commands.lifecycle.resume import resume_with_links
from apps.crawls.commands.scope.try_again import MOST, failed_numbers
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl, FailedRequest
from apps.engine.codes import Failure

ALLOWED, CHECKED = "allow_certificate", "check_certificate"
HOST = "certificate_host"
"""The key of the host in the payloads of events."""


def allow_certificate(crawl: Crawl, host: str, by: Person = None) -> None:
    """Takes the host's pages from now on, in this crawl and the topic's next; its addresses that
    failed for the certificate wait again. Raises CrawlRefused."""
    host = host.strip()
    faults = FailedRequest.objects.filter(crawl=crawl, host=host, kind=Failure.CERTIFICATE)
    last = faults.order_by("-request").first()
    if last is None:
        raise CrawlRefused("host", f"No certificate of “{host[:100]}” has failed in this crawl.")
    with transaction.atomic():
        if not certificates.allow(crawl.topic, host, last.detail, by):
            raise CrawlRefused("host", f"The certificate of {host} is allowed already.")
        numbers = failed_numbers(crawl, (Failure.CERTIFICATE,), MOST, host)
        payload = {HOST: host, "fault": last.detail, "numbers": numbers}
        ask(crawl, ALLOWED, payload, by)


def check_certificate(crawl: Crawl, host: str, by: Person = None) -> None:
    """Wants a valid certificate of the host again. Raises CrawlRefused."""
    with transaction.atomic():
        if not certificates.end_permission(crawl.topic, host.strip(), by):
            raise CrawlRefused("host", f"The certificate of “{host[:100]}” is not allowed.")
        ask(crawl, CHECKED, {HOST: host.strip()}, by)


def _allow(crawl: Crawl, value: str, by: Person) -> str:
    allow_certificate(crawl, value, by)
    resume_with_links(crawl, by)
    return f"Pages of {value.strip()} are taken in spite of its certificate. {when(crawl)}"


def _check(crawl: Crawl, value: str, by: Person) -> str:
    check_certificate(crawl, value, by)
    return f"{value.strip()} needs a valid certificate again. {when(crawl)}"


def _undo(allowed: bool) -> Undo:
    return Undo(
        about=lambda payload: (HOST, payload[HOST]),
        stands=lambda crawl, p: (p[HOST] in certificates.allowed_hosts(crawl.topic)) is allowed,
        carry_out=lambda crawl, p, by: (check_certificate if allowed else allow_certificate)(
            crawl, p[HOST], by
        ),
    )


def _words(payload: Payload) -> str:
    fault = payload.get("fault", "")
    return f"{payload[HOST]}: {fault}" if fault else str(payload[HOST])


ALLOW_CERTIFICATE = Command(
    name=ALLOWED,
    title="Allow a certificate",
    does="Takes the pages of a host in spite of its certificate, in this crawl and the next ones of"
    " its topic, and tries its addresses again. Whoever stands between could change what is read."
    " Who allowed it, and when, is recorded.",
    act=_allow,
    value="a host whose certificate has failed",
    events=(
        EventKind(
            ALLOWED,
            "Certificate allowed",
            _words,
            apply=lambda steering, p: steering.allow_certificate(p[HOST], p["numbers"]),
            undo=_undo(allowed=True),
        ),
    ),
)
CHECK_CERTIFICATE = Command(
    name=CHECKED,
    title="Check a certificate",
    does="Wants a valid certificate of a host again.",
    act=_check,
    value="a host whose certificate was allowed",
    events=(
        EventKind(
            CHECKED,
            "Certificate checked again",
            _words,
            apply=lambda steering, p: steering.check_certificate(p[HOST]),
        ),
    ),
)
