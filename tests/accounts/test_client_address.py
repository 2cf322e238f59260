"""Who asks: the proxy's word counts as far as the proxy is one of the site's."""

from __future__ import annotations

import pytest
from django.test import RequestFactory

from apps.accounts.client_address import client_address


@pytest.mark.parametrize(
    ("proxies", "sender", "forwarded", "address"),
    [
        ([], "203.0.113.9", "", "203.0.113.9"),
        ([], "203.0.113.9", "198.51.100.1", "203.0.113.9"),
        (["10.0.0.0/8"], "203.0.113.9", "198.51.100.1", "203.0.113.9"),
        (["10.0.0.0/8"], "10.0.0.1", "198.51.100.1", "198.51.100.1"),
        (["10.0.0.0/8"], "10.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"),
        (["10.0.0.0/8"], "10.0.0.1", "198.51.100.1, 10.0.0.7", "198.51.100.1"),
        (["10.0.0.0/8"], "10.0.0.1", "nonsense", "10.0.0.1"),
        (["10.0.0.0/8"], "10.0.0.1", "", "10.0.0.1"),
        (["::1"], "::1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ([], "::ffff:203.0.113.9", "", "203.0.113.9"),
        ([], "", "", ""),
    ],
)
def test_the_address_is_the_first_that_no_proxy_has(
    settings, proxies: list[str], sender: str, forwarded: str, address: str
) -> None:
    settings.TRUSTED_PROXIES = proxies
    request = RequestFactory().get("/", REMOTE_ADDR=sender, HTTP_X_FORWARDED_FOR=forwarded)
    assert client_address(request) == address


def test_without_a_request_there_is_none() -> None:
    assert client_address(None) == ""
