from __future__ import annotations

from collections.abc import Callable

import pytest

from apps.engine.model import Answer
from apps.engine.networking.redirects import follow, follow_recorded, mentions_refresh

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
    async def exchange(url: str) -> Answer:
        return get(url)

    return await follow(ROOT + path, options.pop("gate", None), exchange, **options)


async def test_an_answer_that_is_no_redirect_is_handed_on_as_it_is():
    assert await fetched(web(), "x") == Answer(ROOT + "x", ROOT + "x", status=200, body=b"page")


async def test_the_answer_knows_where_it_was_asked_and_the_hops_between():
    answer = await fetched(web(one="/two", two="three"), "one")
    assert (answer.url, answer.final_url) == (ROOT + "one", ROOT + "three")
    assert (answer.hops, answer.body, answer.failure) == ((ROOT + "two",), b"page", None)


@pytest.mark.parametrize(("location", "failure", "detail"), [
    ("", "protocol", "a redirect without a Location"),
    ("mailto:a@a.test", "bad_url", "redirected to mailto:a@a.test"),
    ("/x", "too_many_redirects", f"redirected to {ROOT}x"),
])  # fmt: skip
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
        return web(one="/two", two="/three")(url) if url != ROOT + "three" \
            else Answer(url, url, failure="timeout", detail="slow")

    answer = await fetched(get, "one")
    assert (answer.url, answer.final_url) == (ROOT + "one", ROOT + "three")
    assert (answer.failure, answer.detail, answer.hops) == ("timeout", "slow", (ROOT + "two",))


async def test_a_recorded_web_is_followed_alike():
    for path in ("x", "one", "loop"):
        get = web(one="/two", two="/three", loop="/loop")
        assert follow_recorded(ROOT + path, get) == await fetched(get, path)


def test_a_refresh_is_looked_for_in_the_head_only():
    assert mentions_refresh(b"<meta HTTP-EQUIV='Refresh' content='0'>")
    assert not mentions_refresh(b" " * 5000 + b"<meta http-equiv=refresh>")
