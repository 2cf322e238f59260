"""The politeness of whole crawls, read from the hosts' logs in virtual seconds (P19, P20)."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from itertools import pairwise

import pytest

from apps.engine.answers import Answer
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.robots.files import Robots
from apps.engine.networking.webs.virtual_web import RecordedFetcher
from apps.engine.topics import Topic
from tests.engine.crawl.crawls import batches_of
from tests.engine.crawl.virtual_time import run

A, B = "http://a.test", "http://b.test"
DELAY = 2.0


class Logged:
    """A web of scripted answers with an access log: who was asked for what, and when.

    A page is its HTML, `→ url` a redirect, `↻ 0; url=…` a Refresh header, `403 …` a refusal with
    its HTML; a host without robots.txt answers 404 to it.
    """

    hosts = frozenset({"a.test", "b.test"})

    def __init__(self, pages: dict[str, str]) -> None:
        self._pages = pages
        self.log: defaultdict[str, list[float]] = defaultdict(list)
        self.asked: list[str] = []
        self.pages: list[str] = []  # those that a crawl collected
        self.failures: Counter[str | None] = Counter()

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
        if text[:3].isdigit():
            body = text[4:].encode()
            return Answer(url, url, int(text[:3]), body=body, failure=f"http_{text[:3]}")
        if text.startswith("↻ "):
            return Answer(url, url, 200, (("Refresh", text[2:]),), failure="empty")
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
        made = CrawlLoop(
            plan,
            TopicModel(Topic("made", seeds=seeds)),
            strategy("breadth_first")(),
            RecordedFetcher(web),
            robots=Robots("test/1.0") if robots else None,
            clock=asyncio.get_running_loop().time,
        )
        made.start()
        for batch in await batches_of(made):
            web.pages += [page.answer.final_url for page in batch.pages]
            web.failures.update(failed.answer.failure for failed in batch.failures)

    run(crawl())
    return web


def test_a_crawl_keeps_the_delay_between_requests_to_a_host():
    web = crawled(
        {
            f"{A}/": links(*(f"/{i}" for i in range(8))),
            **{f"{A}/{i}": "<p>words" for i in range(8)},
        },
        f"{A}/",
    )
    assert len(web.log["a.test"]) == 10
    assert min(web.gaps("a.test")) >= DELAY


def test_a_crawl_keeps_the_crawl_delay_of_robots_txt():
    web = crawled(
        {
            f"{A}/robots.txt": "User-agent: *\nCrawl-delay: 7",
            f"{A}/": links(*(f"/{i}" for i in range(5))),
            **{f"{A}/{i}": "<p>words" for i in range(5)},
        },
        f"{A}/",
    )
    assert len(web.log["a.test"]) == 7
    assert min(web.gaps("a.test")) >= 7


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
    web = crawled(
        {
            f"{A}/robots.txt": "User-agent: *\nCrawl-delay: 9",
            f"{A}/": "→ /1",
            f"{A}/1": "→ /2",
            f"{A}/2": "<p>words",
        },
        f"{A}/",
    )
    assert min(web.gaps("a.test")) >= 9


def test_a_meta_refresh_keeps_the_delay():
    refresh = "<meta http-equiv=refresh content='0; url={}'><p>words"
    web = crawled(
        {f"{A}/": refresh.format("/1"), f"{A}/1": refresh.format("/2"), f"{A}/2": "<p>words"},
        f"{A}/",
    )
    assert web.asked[-1] == f"{A}/2"
    assert min(web.gaps("a.test")) >= DELAY


def test_a_refresh_header_of_an_empty_page_is_followed_like_one_in_the_page():
    web = crawled({f"{A}/": "↻ 0; url=/1", f"{A}/1": "<p>words"}, f"{A}/")
    assert web.asked[-1] == f"{A}/1"
    assert min(web.gaps("a.test")) >= DELAY


def test_a_refresh_header_that_waits_replaces_no_page():
    web = crawled({f"{A}/": "↻ 20; url=/1", f"{A}/1": "<p>words"}, f"{A}/")
    assert f"{A}/1" not in web.asked


def test_a_redirect_that_waits_for_its_turn_obeys_a_503_that_comes_meanwhile():
    """Five hosts redirect to b, which is busy: each waits for a turn when the first is refused."""
    pages = {f"http://a{i}.test/": f"→ {B}/{i}" for i in range(5)}
    pages |= {f"{B}/{i}": "503 busy" for i in range(5)}
    web = crawled(pages, *(f"http://a{i}.test/" for i in range(5)))
    assert len(web.log["b.test"]) == 6
    assert min(web.gaps("b.test")[1:]) >= 2 * DELAY


def test_a_redirect_there_and_back_keeps_the_delay_of_both_hosts():
    web = crawled(
        {f"{A}/": f"→ {B}/1", f"{B}/1": f"→ {A}/2", f"{A}/2": f"→ {B}/3", f"{B}/3": "<p>words"},
        f"{A}/",
    )
    assert web.asked[-1] == f"{B}/3"
    assert min(web.gaps("a.test")) >= DELAY
    assert min(web.gaps("b.test")) >= DELAY


@pytest.mark.parametrize(
    "way",
    [
        {f"{A}/": "→ /private"},
        {f"{A}/": "→ /1", f"{A}/1": f"→ {B}/private"},
        {f"{A}/": f"<meta http-equiv=refresh content='0; url={B}/private'><p>words"},
    ],
)
def test_robots_txt_is_obeyed_on_every_hop(way):
    rules = "User-agent: *\nDisallow: /private"
    web = crawled(
        {
            **way,
            f"{A}/robots.txt": rules,
            f"{B}/robots.txt": rules,
            f"{A}/private": "<p>secret",
            f"{B}/private": "<p>secret",
        },
        f"{A}/",
    )
    assert f"{A}/" in web.asked
    assert not [url for url in web.asked if url.endswith("/private")]


def test_the_links_of_a_page_that_asks_not_to_be_indexed_are_followed():
    """spatie/crawler#212, SparkDevNetwork/Rock#2989"""
    web = crawled(
        {
            f"{A}/": links("/list", "/other", "/ours"),
            f"{A}/list": "<meta name=robots content='noindex,follow'>" + links("/item"),
            f"{A}/other": "<meta name=robots content='noindex,nofollow'>" + links("/hidden"),
            f"{A}/ours": "<meta name=test content='nofollow'>" + links("/ours-only"),
            f"{A}/item": "<p>words",
            f"{A}/hidden": "<p>words",
            f"{A}/ours-only": "<p>words",
        },
        f"{A}/",
    )
    assert f"{A}/item" in web.asked
    assert f"{A}/hidden" not in web.asked
    assert f"{A}/ours-only" not in web.asked


def test_a_bot_wall_is_asked_again_and_its_challenge_never():
    """colophon-group/jobseek#5835"""
    challenge = "/.well-known/sgcaptcha/?r=%2F"
    wall = f"<title></title><meta http-equiv=refresh content='0;{challenge}'>"
    web = crawled({f"{A}/": wall, f"{A}{challenge}": "<p>words"}, f"{A}/")
    assert f"{A}{challenge}" not in web.asked


def test_a_bot_wall_with_a_status_of_refusal_is_one_all_the_same():
    wall = "<title>Just a moment...</title><script src='/cdn-cgi/challenge-platform/x.js'></script>"
    pages = {
        f"{A}/": links("/wall", "/shut", "/busy"),
        f"{A}/wall": f"403 {wall}",
        f"{A}/busy": f"503 {wall}",
        f"{A}/shut": "403 <p>You may not see this.",
    }
    web = crawled(pages, f"{A}/")
    assert web.failures == {"block_page": 2, "http_403": 1}


def test_addresses_that_end_like_a_file_are_asked_for_until_they_are_known():
    """cfpb/crawl-cfgov#15"""
    pages = {f"{A}/wiki/File:{i}.jpg": "<p>words" for i in range(9)}
    pictures = [f"/img/{i}.png" for i in range(9)]
    web = crawled({f"{A}/": links(*pages, *pictures), **pages}, f"{A}/")
    assert set(pages) <= set(web.asked)
    assert sum(url.endswith(".png") for url in web.asked) == 2


def test_hosts_that_redirect_to_one_page_bring_it_once():
    """Norconex/crawler#533"""
    hosts = [f"http://h{i}.test/" for i in range(8)]
    pages = dict.fromkeys(hosts, f"→ {B}/landing")
    web = crawled({**pages, f"{B}/landing": "<p>words"}, *hosts)
    assert web.asked.count(f"{B}/landing") == 1


def test_mirrors_that_name_their_canonical_address_count_once():
    """Norconex/crawler#596"""
    pages = {}
    for host in (A, B):
        for i in range(4):
            canonical = f"<link rel=canonical href='{A}/{i}'>"
            pages[f"{host}/{i}"] = canonical + links(f"{A}/{(i + 1) % 4}", f"{B}/{(i + 1) % 4}")
    web = crawled(pages, f"{B}/0")
    assert len(web.pages) == 4


def test_of_closed_pages_that_redirect_to_one_log_in_few_are_fetched():
    items = [f"/item/{i}" for i in range(20)]
    pages = {f"{A}{item}": f"→ /login?next={item}" for item in items}
    pages |= {f"{A}/login?next={item}": "<p>please log in to read on" for item in items}
    web = crawled({f"{A}/": links(*items), **pages}, f"{A}/")
    assert sum("/login?" in url for url in web.pages) == 5


def test_sessions_are_known_in_few_pages_of_few_folders():
    """phpBB: every link has a new sid."""
    pages = {
        f"{A}/{script}?sid={value:016x}a": f"<p>the river forum of {script}"
        for script in ("index", "search")
        for value in range(1, 20)
    }
    web = crawled({f"{A}/": links(*pages), **pages}, f"{A}/")
    assert len(web.pages) <= 10


MANY = [f"h{i}.test" for i in range(30)]


def test_ever_new_hosts_of_one_address_are_asked_a_few_at_a_time():
    lone = "lone.test"
    web = Logged({f"http://{host}/": f"<p>words of {host}" for host in (*MANY, lone)})
    resolved: list[str] = []

    async def resolve(host: str) -> str:
        resolved.append(host)
        await asyncio.sleep(0.01)
        return "" if host == lone else "192.0.2.1"

    async def crawl() -> None:
        seeds = tuple(f"http://{host}/" for host in (*MANY, lone))
        made = CrawlLoop(
            Plan(100, 200, politeness=Politeness(delay=1.0, hosts_per_address=5)),
            TopicModel(Topic("made", seeds=seeds)),
            strategy("breadth_first")(),
            RecordedFetcher(web),
            resolve=resolve,
            clock=asyncio.get_running_loop().time,
        )
        made.start()
        await batches_of(made)

    run(crawl())
    assert sorted(resolved) == sorted((*MANY, lone))
    assert sorted(web.log) == sorted((*MANY, lone))
    times = sorted(time for host in MANY for time in web.log[host])
    assert max(sum(t <= other < t + 0.99 for other in times) for t in times) == 5
    assert times[-1] - times[0] < 7
    assert web.log[lone][0] < 1
