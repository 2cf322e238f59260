"""What sites reserve in robots.txt and other files: recorded, asked for seldom, obeyed if asked."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import replace
from urllib.parse import urlsplit

import pytest

from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.engine.crawl.checkpointing import restore_state, state_of
from apps.engine.crawl.fetching.site_opt_outs import SiteOptOuts, is_covered, reserving
from apps.engine.events import SiteFileRecord, SiteSign
from apps.engine.frontier.scope import Scope
from tests.engine.crawl.crawls import batches_of, recorded_crawl
from tests.made_web import MadeWeb, bread_topic

pytestmark = pytest.mark.usefixtures("parsed_once")

TDM, AI = "/.well-known/tdmrep.json", "/ai.txt"
TEXT = (("Content-Type", "text/plain"),)


class ReservingWeb(MadeWeb):
    """h0 reserves its pages in robots.txt, h1 in tdmrep.json, h2 in ai.txt, h3 each page by a
    header, h4 by a meta element; the others reserve nothing."""

    FILES = {
        "http://h0.test/robots.txt": "User-agent: GPTBot\nDisallow: /",
        f"http://h1.test{TDM}": '[{"location": "/p/", "tdm-reservation": 1}]',
        f"http://h2.test{AI}": "User-Agent: *\nDisallow: /",
    }

    def __init__(self) -> None:
        super().__init__(pages=80)
        self.asked: Counter[str] = Counter()

    def get(self, url: str) -> Answer:
        self.asked[url] += 1
        if url in self.FILES:
            return Answer(url, url, 200, TEXT, self.FILES[url].encode())
        answer = super().get(url)
        if answer.failure or "/p/" not in url:
            return answer
        if url.startswith("http://h3."):
            return replace(answer, headers=(*answer.headers, ("tdm-reservation", "1")))
        if url.startswith("http://h4."):
            return replace(answer, body=b"<meta name=robots content=noai>" + answer.body)
        return answer


async def crawled(scope: Scope, **options):
    web = ReservingWeb()
    seeds = tuple(web.url(4 * host) for host in range(8))
    topic = replace(bread_topic(web), seeds=seeds)
    crawl = recorded_crawl(web, budget=80, scope=scope, topic=topic, **options)
    web.asked.clear()  # what the topic's examples were read from
    crawl.start()
    return web, crawl, await batches_of(crawl)


def files_of(batches) -> dict[str, SiteFileRecord]:
    return {file.origin + file.path: file for b in batches for file in b.site_files}


async def test_lines_of_robots_are_recorded_without_a_request_more() -> None:
    web, _, batches = await crawled(Scope())
    assert not [url for url in web.asked if url.endswith((TDM, AI))]
    files = files_of(batches)
    assert [sign.form for sign in files["http://h0.test/robots.txt"].signs] == ["ai_agents"]
    assert files["http://h5.test/robots.txt"].signs == ()
    assert not any(f.answer.failure == Failure.RESERVED for b in batches for f in b.failures)
    assert any(p.host == "h0.test" for b in batches for p in b.pages)


async def test_the_other_files_are_fetched_once_if_the_scope_obeys_them() -> None:
    web, _, batches = await crawled(Scope(opt_out_files=True))
    for host in sorted(web.hosts):
        assert [web.asked[f"http://{host}{path}"] for path in (TDM, AI)] == [1, 1]
    files = files_of(batches)
    assert files[f"http://h1.test{TDM}"].signs[0].reserves
    assert (files[f"http://h0.test{TDM}"].status, files[f"http://h0.test{TDM}"].signs) == (404, ())
    assert not any(p.answer.url.endswith((TDM, AI)) for b in batches for p in b.pages)


async def test_what_is_reserved_is_left_out_if_the_scope_obeys_opt_outs() -> None:
    web, _, batches = await crawled(Scope(opt_out_files=True, obey_opt_outs=True))
    taken = {urlsplit(p.answer.final_url).hostname for b in batches for p in b.pages}
    assert taken == {"h5.test", "h6.test", "h7.test"}
    refused = [f for b in batches for f in b.failures if f.answer.failure == Failure.RESERVED]
    details = {urlsplit(f.answer.final_url).hostname: f.answer.detail for f in refused}
    assert details == {
        "h0.test": "/robots.txt: User-agent: GPTBot; Disallow: /",
        "h1.test": f"{TDM}: /p/: tdm-reservation: 1",
        "h2.test": f"{AI}: Disallow: /",
        "h3.test": "tdm-reservation: 1",
        "h4.test": "robots: noai",
    }
    # A page that its site's file reserves is not requested.
    assert not [url for url in web.asked if url.startswith("http://h0.test/p/")]
    assert any(f.links for f in refused if f.answer.detail == "robots: noai")


async def test_files_that_another_crawl_has_read_today_are_not_asked_for() -> None:
    web = ReservingWeb()
    crawl = recorded_crawl(web, budget=80, scope=Scope(opt_out_files=True, obey_opt_outs=True))
    opt_outs = crawl.fetcher.site_opt_outs
    sign = SiteSign("ai_txt", AI, "Disallow: /", True, "Disallow: /")

    async def recall(origin: str) -> list[SiteFileRecord]:
        now = opt_outs._now() - 60
        return [
            SiteFileRecord(origin, TDM, now, 404),
            SiteFileRecord(origin, AI, now, 200, (sign,)),
        ]

    opt_outs.recall = recall
    crawl.start()
    batches = await batches_of(crawl)
    assert not [url for url in web.asked if url.endswith((TDM, AI))]
    assert not any(b.pages for b in batches)


async def test_a_crawl_that_goes_on_knows_the_files() -> None:
    scope = Scope(opt_out_files=True, obey_opt_outs=True)
    web, crawl, _ = await crawled(scope)
    state = state_of(crawl)
    again = recorded_crawl(web, budget=80, scope=scope)
    restore_state(again, state, crawl.frontier.urls)
    assert again.fetcher.site_opt_outs.refusal("http://h1.test/p/4.html") == Failure.RESERVED
    assert again.fetcher.site_opt_outs.refusal("http://h1.test/other") is None


@pytest.mark.parametrize(
    ("path", "covered"),
    [
        pytest.param("/", False, id="front"),
        pytest.param("/art/1", True, id="within"),
        pytest.param("/art/free/2", False, id="an_exception"),
    ],
)
def test_the_longest_rule_counts(path: str, covered: bool) -> None:
    url = f"http://h.test{path}"
    rules = "Disallow: /art\nAllow: /art/free"
    assert is_covered(rules, url) is covered
    sign = SiteSign("ai_txt", AI, "as written", True, rules)
    assert (reserving([sign], url) is not None) is covered
    assert reserving([sign._replace(reserves=False)], url) is None


def outs_of_two() -> list[SiteOptOuts]:
    """The files of two crawls that share what they read, and claim files from each other."""
    both = [SiteOptOuts(Scope(opt_out_files=True)) for _ in range(2)]
    read: list[SiteFileRecord] = []
    claimed: set[tuple[str, str]] = set()

    async def claim(origin_url: str, path: str) -> bool:
        is_new = (origin_url, path) not in claimed
        claimed.add((origin_url, path))
        return is_new

    async def recall(origin_url: str) -> list[SiteFileRecord]:
        for outs in both:
            read.extend(outs.drain())
        return read

    for outs in both:
        outs.claim, outs.recall, outs.wait = claim, recall, lambda seconds: asyncio.sleep(0)
    return both


async def test_two_crawls_at_one_moment_ask_for_each_file_once() -> None:
    asked: Counter[str] = Counter()

    async def fetch(url: str) -> Answer:
        asked[url] += 1
        await asyncio.sleep(0)
        return Answer(url, url, 200, TEXT, b"User-Agent: *\nDisallow: /")

    both = outs_of_two()
    page = "https://a.test/p"
    await asyncio.gather(*(outs.ask(page, lambda url: True, fetch) for outs in both))
    assert asked == {f"https://a.test{path}": 1 for path in (TDM, AI)}
    signs = [outs.snapshot() for outs in both]
    assert [sorted(file[1] for file in files) for files in signs] == [[TDM, AI]] * 2


async def test_a_file_whose_asker_has_ended_is_asked_for_after_a_while() -> None:
    asked: Counter[str] = Counter()

    async def fetch(url: str) -> Answer:
        asked[url] += 1
        return Answer(url, url, 404, failure="http_404")

    ended, other = outs_of_two()
    for path in (TDM, AI):
        await ended.claim("https://a.test", path)
    await other.ask("https://a.test/p", lambda url: True, fetch)
    assert asked == {f"https://a.test{path}": 1 for path in (TDM, AI)}
