from __future__ import annotations

import pytest

from apps.engine.networking.lenient_responses import tidy

BODY = b"<title>Raw</title><p>words"
LENGTH = b"Content-Length: %d\r\n" % len(BODY)
HTML = b"Content-Type: text/html\r\n"


def head(*lines: bytes) -> bytes:
    return b"HTTP/1.1 200 OK\r\n" + b"".join(lines) + b"\r\n"


@pytest.mark.parametrize(
    "lines",
    [
        (b"Pragma: no-cache\r\r\n", HTML, LENGTH),  # aio-libs/aiohttp#7494
        (b"X-XSS-Protection=1;\r\n", HTML, LENGTH),  # aio-libs/aiohttp#2624
        (LENGTH, HTML, LENGTH),  # RFC 9112 §6.3
        (b"Content-Length: %d, %d\r\n" % (len(BODY), len(BODY)), HTML),
        (b"Content-Length : %d\r\n" % len(BODY), HTML),
        (b"X: a\0b\r\n", HTML, LENGTH),
        (b"X Y: 1\r\n", b": 2\r\n", HTML, LENGTH),
        (b"X: 1,\r\n", b"  2\r\n", HTML, LENGTH),
        (b"Content-Type: text/plain\r\n", HTML, LENGTH),
    ],
)
async def test_a_page_with_an_odd_head_is_read(site, fetcher, lines):
    site.raw("/", head(*lines) + BODY)
    answer = await fetcher.fetch(site.url("/"))
    assert (answer.status, answer.failure, answer.body) == (200, None, BODY)


async def test_an_interim_response_and_empty_lines_come_before_the_page(site, fetcher):
    early = b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
    site.raw("/", b"\r\n" + early + head(b"odd line\r\n", HTML, LENGTH) + BODY)
    assert (await fetcher.fetch(site.url("/"))).body == BODY


async def test_lengths_that_differ_are_no_answer(site, fetcher):
    site.raw("/", head(HTML, LENGTH, b"Content-Length: 7\r\n") + BODY)
    assert (await fetcher.fetch(site.url("/"))).failure == "protocol"


@pytest.mark.parametrize("end", [b"", b"\r\n"])
async def test_a_connection_that_ends_within_the_head_is_none_either(site, fetcher, end):
    site.raw("/", b"HTTP/1.1 200 OK\r\nContent-Type: text/html" + end)
    assert (await fetcher.fetch(site.url("/"))).failure in ("interrupted", "protocol")


def test_a_tidy_head_is_passed_on_as_it_is():
    whole = head(b"Server: a\r\n", b"X-Empty:\r\n", HTML, LENGTH)
    assert tidy(whole) is whole


def test_a_length_beside_chunks_does_not_count():
    chunked = b"Transfer-Encoding: chunked\r\n"
    assert tidy(head(LENGTH, b"odd\r\n", chunked)) == head(chunked)
