from __future__ import annotations

from collections.abc import Callable

import pytest

from apps.engine.answers import Answer
from apps.engine.networking.redirects import (
    Request,
    follow,
    follow_recorded,
    mentions_refresh,
)

ROOT = "http://a.test/"


def web(**locations: str) -> Callable[[str], Answer]:
    """A web where `one="/two"` redirects /one to /two, and everything else is a page."""

    def get(url: str) -> Answer:
        location = locations.get(url.removeprefix(ROOT))
        if location is None:
            return Answer(url, url, status=200, body=b"page")
        return Answer(url, url, status=301, headers=(("Location", location),) if location else ())

    return get


async def fetched(get: Callable[[str], Answer], path: str, **options) -> Answer:
    async def exchange(request: Request) -> Answer:
        return get(request.url)

    return await follow(ROOT + path, options.pop("gate", None), exchange, **options)


async def test_an_answer_that_is_no_redirect_is_handed_on_as_it_is():
    assert await fetched(web(), "x") == Answer(ROOT + "x", ROOT + "x", status=200, body=b"page")


async def test_the_answer_knows_where_it_was_asked_and_the_hops_between():
    answer = await fetched(web(one="/two", two="three"), "one")
    assert (answer.url, answer.final_url) == (ROOT + "one", ROOT + "three")
    assert (answer.hops, answer.body, answer.failure) == ((ROOT + "two",), b"page", None)


@pytest.mark.parametrize(
    ("location", "failure", "detail"),
    [
        ("", "protocol", "a redirect without a Location"),
        ("mailto:a@a.test", "bad_url", "redirected to mailto:a@a.test"),
        ("/x", "too_many_redirects", f"redirected to {ROOT}x"),
    ],
)
async def test_a_redirect_that_cannot_be_followed_is_a_failure(location, failure, detail):
    answer = await fetched(web(x=location), "x")
    assert (answer.failure, answer.detail) == (failure, detail)
    assert (answer.final_url, answer.status, answer.body) == (ROOT + "x", 301, b"")


@pytest.mark.parametrize(("limit", "failure"), [(2, None), (1, "too_many_redirects")])
async def test_it_follows_as_many_redirects_as_allowed(limit, failure):
    assert (await fetched(web(one="/two", two="/three"), "one", limit=limit)).failure == failure


async def test_the_gate_is_asked_before_each_request_and_can_end_the_fetch():
    asked, sent = [], []
    get = web(one="/two", two="/three")

    async def gate(url: str) -> str | None:
        asked.append(url)
        return "robots" if url == ROOT + "two" else None

    answer = await fetched(lambda url: (sent.append(url), get(url))[1], "one", gate=gate)
    assert (asked, sent) == ([ROOT + "one", ROOT + "two"], [ROOT + "one"])
    assert (answer.url, answer.final_url, answer.failure) == (ROOT + "one", ROOT + "two", "robots")


async def test_a_failure_after_a_redirect_keeps_the_hops():
    def get(url: str) -> Answer:
        return (
            web(one="/two", two="/three")(url)
            if url != ROOT + "three"
            else Answer(url, url, failure="timeout", detail="slow")
        )

    answer = await fetched(get, "one")
    assert (answer.url, answer.final_url) == (ROOT + "one", ROOT + "three")
    assert (answer.failure, answer.detail, answer.hops) == ("timeout", "slow", (ROOT + "two",))


async def test_a_recorded_web_is_followed_alike():
    for path in ("x", "one", "loop"):
        get = web(one="/two", two="/three", loop="/loop")
        assert follow_recorded(ROOT + path, get) == await fetched(get, path)


async def walked(answers: dict[tuple[str, str], list[tuple[str, str]]], url: str):
    """The final answer and the requests of a fetch; a request that has no answer gets a page.

    `answers` are headers by the address as it is sent and the Cookie header.
    """
    sent: list[tuple[str, str]] = []

    async def exchange(request: Request) -> Answer:
        sent.append((request.spelling, request.cookies))
        headers = answers.get(sent[-1])
        status = 200 if headers is None else 302
        return Answer(request.url, request.url, status, tuple(headers or ()), b"page")

    return await follow(url, None, exchange), sent


X = ROOT + "x"


async def test_a_page_that_redirects_to_itself_with_a_cookie_is_reached() -> None:
    set_it = [("Location", "/x"), ("set-cookie", "seen=1; Path=/; HttpOnly"), ("Set-Cookie", "b=2")]
    answer, sent = await walked({(X, ""): set_it}, X)
    assert (answer.failure, sent) == (None, [(X, ""), (X, "seen=1; b=2")])


async def test_cookies_go_to_the_host_that_set_them_only_and_can_be_ended() -> None:
    b, back = "http://b.test/", ROOT + "back"
    answers = {
        (X, ""): [("Location", b), ("Set-Cookie", "a=1; Domain=test")],
        (b, ""): [("Location", back), ("Set-Cookie", "b=2")],
        (back, "a=1"): [("Location", "/end"), ("Set-Cookie", "a=; Max-Age=0")],
    }
    answer, sent = await walked(answers, X)
    assert sent == [(X, ""), (b, ""), (back, "a=1"), (ROOT + "end", "")]
    assert answer.hops == (b, back)


async def test_the_same_request_twice_is_a_loop() -> None:
    answer, sent = await walked({(X, ""): [("Location", "/x#part")]}, X)
    assert (answer.failure, len(sent)) == ("too_many_redirects", 1)
    again = [("Location", "/x"), ("Set-Cookie", "a=1")]
    answer, sent = await walked({(X, ""): again, (X, "a=1"): again}, X)
    assert (answer.failure, len(sent)) == ("too_many_redirects", 2)


@pytest.mark.parametrize(
    ("url", "location", "spelling"),
    [
        ("x", "/x?utm_source=site", "x?utm_source=site"),
        ("x", "/x;jsessionid=1A", "x;jsessionid=1A"),
        ("?q=a+b", "/?q=a%20b", "?q=a%20b"),
        ("Hubble's_law", "/Hubble%27s_law", "Hubble%27s_law"),
        ("x", "http://user:secret@A.test:80/%7Ex?", "%7Ex?"),
    ],
)
async def test_it_is_followed_to_the_spelling_of_the_server(url, location, spelling) -> None:
    answer, sent = await walked({(ROOT + url, ""): [("Location", location)]}, ROOT + url)
    assert (answer.failure, sent[-1]) == (None, (ROOT + spelling, ""))


@pytest.mark.parametrize("cookie", ["", "nothing", "=1", "a" * 5000 + "=1", "a=\r\nHost: evil"])
async def test_a_malformed_cookie_is_not_sent(cookie: str) -> None:
    headers = [("Location", "/y"), ("Set-Cookie", cookie)]
    _, sent = await walked({(X, ""): headers}, X)
    assert sent[-1] == (ROOT + "y", "")


def test_a_refresh_is_looked_for_in_the_whole_page_and_in_utf_16():
    assert mentions_refresh(b"<meta HTTP-EQUIV='Refresh' content='0'>")
    assert mentions_refresh(b" " * 50_000 + b"<meta http-equiv=refresh>")
    assert mentions_refresh("<meta http-equiv=refresh>".encode("utf-16-be"))
    assert mentions_refresh("<meta http-equiv=REFRESH>".encode("utf-16-le"))
    assert mentions_refresh(b"<meta http-equiv=ReFresh>")
    assert not mentions_refresh(b"a fresh loaf <meta http-equiv=x content=refresh> refresh()")
