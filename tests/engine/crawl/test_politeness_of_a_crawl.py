"""The politeness of whole crawls, read from the hosts' logs in virtual seconds (P19, P20)."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from itertools import pairwise

import pytest

from apps.engine.crawl.loop import Crawl
from apps.engine.crawl.plan import Plan
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Answer
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.robots import Robots
from apps.engine.networking.virtual_web import RecordedFetcher
from apps.engine.topics import Topic
from tests.engine.crawl.crawls import batches_of
from tests.engine.crawl.virtual_time import run

A, B = "http://a.test", "http://b.test"
DELAY = 2.0


class Logged:
    """A web of scripted answers with an access log: who was asked for what, and when.

    A page is its HTML, `→ url` a redirect; a host without robots.txt answers 404 to it.
    """

    hosts = frozenset({"a.test", "b.test"})

    def __init__(self, pages: dict[str, str]) -> None:
        self._pages = pages
        self.log: defaultdict[str, list[float]] = defaultdict(list)
        self.asked: list[str] = []

    def urls(self):
        return iter(self._pages)

    def labels(self, url: str) -> tuple[str, ...]:
        return ()

    def get(self, url: str) -> Answer:
        self.asked.append(url)
        self.log[url.split("/")[2]].append(asyncio.get_running_loop().time())
        text = self._pages.get(url)
        if text is None:
            return Answer(url, url, status=404, failure="http_404")
        if text.startswith("→ "):
            return Answer(url, url, status=302, headers=(("Location", text[2:]),))
        kind = "text/plain" if url.endswith(".txt") else "text/html"
        return Answer(url, url, 200, (("Content-Type", kind),), text.encode())

    def gaps(self, host: str) -> list[float]:
        """Seconds between the requests to a host."""
        return [later - earlier for earlier, later in pairwise(self.log[host])]


def links(*urls: str) -> str:
    return "<p>words " + "".join(f"<a href='{url}'>link</a> " for url in urls)


def crawled(pages: dict[str, str], *seeds: str, robots: bool = True) -> Logged:
    web = Logged(pages)

    async def crawl() -> None:
        plan = Plan(100, 200, politeness=Politeness(delay=DELAY, concurrent=8, retries=0))
        made = Crawl(
            plan, TopicModel(Topic("made", seeds=seeds)), strategy("breadth_first")(),
            RecordedFetcher(web), robots=Robots("test/1.0") if robots else None,
            clock=asyncio.get_running_loop().time,
        )
        made.start()
        await batches_of(made)

    run(crawl())
    return web


def test_a_crawl_keeps_the_delay_between_requests_to_a_host():
    web = crawled({f"{A}/": links(*(f"/{i}" for i in range(8))),
                   **{f"{A}/{i}": "<p>words" for i in range(8)}}, f"{A}/")
    assert len(web.log["a.test"]) == 10
    assert min(web.gaps("a.test")) >= DELAY


def test_a_crawl_keeps_the_crawl_delay_of_robots_txt():
    web = crawled({f"{A}/robots.txt": "User-agent: *\nCrawl-delay: 7",
                   f"{A}/": links(*(f"/{i}" for i in range(5))),
                   **{f"{A}/{i}": "<p>words" for i in range(5)}}, f"{A}/")
    assert len(web.log["a.test"]) == 7
    assert min(web.gaps("a.test")[1:]) >= 7  # the first is the one that learns of it


@pytest.mark.parametrize("robots", [True, False])
def test_a_redirect_to_another_host_waits_for_its_turn_and_takes_it(robots):
    """Pages of b are asked for while a redirects to b again and again."""
    pages = {f"{host}/": links(*(f"/{i}" for i in range(6))) for host in (A, B)}
    pages |= {f"{A}/{i}": f"→ {B}/from-a-{i}" for i in range(6)}
    pages |= {f"{B}/from-a-{i}": "<p>words" for i in range(6)}
    pages |= {f"{B}/{i}": "<p>words" for i in range(6)}
    web = crawled(pages, f"{A}/", f"{B}/", robots=robots)
    assert len(web.log["b.test"]) == 13 + robots
    assert min(web.gaps("b.test")) >= DELAY


def test_redirects_within_a_host_keep_its_delay():
    web = crawled({f"{A}/": "→ /1", f"{A}/1": "→ /2", f"{A}/2": "<p>words"}, f"{A}/")
    assert len(web.log["a.test"]) == 4
    assert min(web.gaps("a.test")) >= DELAY


def test_redirects_within_a_host_keep_its_crawl_delay():
    web = crawled({f"{A}/robots.txt": "User-agent: *\nCrawl-delay: 9", f"{A}/": "→ /1",
                   f"{A}/1": "→ /2", f"{A}/2": "<p>words"}, f"{A}/")
    assert min(web.gaps("a.test")[1:]) >= 9


def test_a_meta_refresh_keeps_the_delay():
    refresh = "<meta http-equiv=refresh content='0; url={}'><p>words"
    web = crawled({f"{A}/": refresh.format("/1"), f"{A}/1": refresh.format("/2"),
                   f"{A}/2": "<p>words"}, f"{A}/")
    assert web.asked[-1] == f"{A}/2"
    assert min(web.gaps("a.test")) >= DELAY


def test_a_redirect_there_and_back_keeps_the_delay_of_both_hosts():
    web = crawled({f"{A}/": f"→ {B}/1", f"{B}/1": f"→ {A}/2", f"{A}/2": f"→ {B}/3",
                   f"{B}/3": "<p>words"}, f"{A}/")
    assert web.asked[-1] == f"{B}/3"
    assert min(web.gaps("a.test")) >= DELAY
    assert min(web.gaps("b.test")) >= DELAY


@pytest.mark.parametrize(
    "way",
    [{f"{A}/": "→ /private"}, {f"{A}/": "→ /1", f"{A}/1": f"→ {B}/private"},
     {f"{A}/": f"<meta http-equiv=refresh content='0; url={B}/private'><p>words"}],
)
def test_robots_txt_is_obeyed_on_every_hop(way):
    rules = "User-agent: *\nDisallow: /private"
    web = crawled({**way, f"{A}/robots.txt": rules, f"{B}/robots.txt": rules,
                   f"{A}/private": "<p>secret", f"{B}/private": "<p>secret"}, f"{A}/")
    assert f"{A}/" in web.asked
    assert not [url for url in web.asked if url.endswith("/private")]
