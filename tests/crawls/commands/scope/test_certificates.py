"""Permissions for hosts whose certificate is not valid."""

from __future__ import annotations

import pytest

from apps.crawls.certificates import allowed_hosts
from apps.crawls.commands.catalogue import COMMANDS
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import CertificatePermission
from tests.left_out_fixtures import FIRST, left  # noqa: F401

pytestmark = pytest.mark.alike


def act(crawl, name: str, host: str = "c.test") -> str:
    return COMMANDS[name].act(crawl, host, crawl.owner)


def test_a_permission_names_who_and_when_and_tries_the_host_again(left) -> None:
    act(left, "allow_certificate")
    permission = CertificatePermission.objects.get()
    assert permission.by == left.owner and permission.at
    assert permission.fault == "the certificate has expired"
    assert allowed_hosts(left.topic) == {"c.test"}
    assert left.changes.get().payload["numbers"] == [FIRST + 6]
    with pytest.raises(CrawlRefused, match="allowed already"):
        act(left, "allow_certificate")


def test_it_ends_but_stays_on_record_and_can_be_given_again(left) -> None:
    act(left, "allow_certificate")
    act(left, "check_certificate")
    ended = CertificatePermission.objects.get()
    assert ended.ended_by == left.owner and ended.ended_at
    assert allowed_hosts(left.topic) == set()
    act(left, "allow_certificate")
    assert CertificatePermission.objects.count() == 2
    COMMANDS["undo"].act(left, f"next-{left.changes.last().pk}", left.owner)
    assert allowed_hosts(left.topic) == set()


def test_only_a_host_whose_certificate_failed_can_be_allowed(left) -> None:
    with pytest.raises(CrawlRefused, match="No certificate"):
        act(left, "allow_certificate", "a.test")
