"""Which pages may open a websocket: those of this site, down to the port."""

from __future__ import annotations

import pytest
from channels.testing import WebsocketCommunicator

from crawlsite.asgi import feeds
from crawlsite.websocket_origin import is_own_page


@pytest.fixture
def site(settings):
    settings.ALLOWED_HOSTS = ["crawl.example", "127.0.0.1", "[::1]"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://front.example:8443", "https://*.team.example"]
    settings.HTTPS = False
    return settings


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://127.0.0.1:8000", "127.0.0.1:8000"),
        ("http://[::1]:8000", "[::1]:8000"),
        ("https://crawl.example", "crawl.example"),
        ("http://CRAWL.example", "crawl.EXAMPLE"),
        ("https://front.example:8443", "127.0.0.1:8000"),
        ("https://a.team.example", "127.0.0.1:8000"),
    ],
)
def test_a_page_of_the_site_may(site, origin: str, host: str) -> None:
    assert is_own_page(origin, host)


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("http://127.0.0.1:9000", "127.0.0.1:8000"),
        ("http://127.0.0.1", "127.0.0.1:8000"),
        ("http://crawl.example", "127.0.0.1:8000"),
        ("http://other.example", "other.example"),
        ("https://front.example", "127.0.0.1:8000"),
        ("http://front.example:8443", "127.0.0.1:8000"),
        ("https://team.example.evil.example", "127.0.0.1:8000"),
        ("https://evilteam.example", "127.0.0.1:8000"),
        ("file://127.0.0.1:8000", "127.0.0.1:8000"),
        ("http://user@127.0.0.1:8000", "127.0.0.1:8000"),
        ("http://[", "127.0.0.1:8000"),
        ("null", "127.0.0.1:8000"),
        ("", "127.0.0.1:8000"),
        ("", ""),
    ],
)
def test_no_other_page_may(site, origin: str, host: str) -> None:
    assert not is_own_page(origin, host)


def test_over_https_only_a_page_over_https_may(site) -> None:
    site.HTTPS = True
    assert is_own_page("https://crawl.example", "crawl.example")
    assert not is_own_page("http://crawl.example", "crawl.example")


async def test_a_page_on_another_port_is_refused_before_any_feed() -> None:
    headers = [(b"host", b"localhost:8000"), (b"origin", b"http://localhost:8001")]
    communicator = WebsocketCommunicator(feeds, "/ws/crawls/1/", headers)
    connected, _ = await communicator.connect(timeout=120)
    assert not connected
