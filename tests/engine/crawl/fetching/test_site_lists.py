"""Sitemaps and feeds: their entries are asked for as links of the site's front page."""

from __future__ import annotations

import gzip
from dataclasses import replace

import pytest

from apps.engine import checkpoint
from apps.engine.answers import Answer
from apps.engine.crawl.checkpointing import state_of
from apps.engine.crawl.fetching import site_lists
from apps.engine.crawl.fetching.site_lists import HOSTS, NAMED, TAKEN
from apps.engine.crawl.resuming import resume
from apps.engine.frontier.queue import Frontier
from apps.engine.frontier.revisits import DueAddress, Revisits, marks_of
from apps.engine.frontier.scope import Scope
from apps.engine.intelligence.strategies import CATALOGUE, strategy
from apps.engine.model import Document
from apps.engine.parsing.large_pages import LargePages
from apps.engine.parsing.site_lists.site_list import SiteList, SiteListEntry
from tests.engine.crawl.crawls import NEEDS_MET, batches_of, recorded_crawl, requests_of
from tests.engine.crawl.rows import Rows
from tests.engine.intelligence.strategies.toy import small
from tests.made_web import BREAD, MadeWeb

pytestmark = pytest.mark.usefixtures("parsed_once")

SITE = "http://h0.test"
RUNNABLE = [kind.id for kind in CATALOGUE if kind.needs <= NEEDS_MET]
INDEX = f"""<?xml version="1.0"?><sitemapindex>
<sitemap><loc>{SITE}/one.xml.gz</loc></sitemap><sitemap><loc>{SITE}/two.txt</loc></sitemap>
</sitemapindex>"""
ONE = f"""<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc>{SITE}/only/sitemap-1.html</loc><lastmod>2025-01-02</lastmod></url>
<url><loc>http://elsewhere.test/not-mine.html</loc></url></urlset>"""
FEED = f"""<rss><channel><title>News</title>
<item><title>flour and yeast for dough</title><link>{SITE}/only/feed-bread.html</link></item>
<item><title>orbit of a comet</title><link>{SITE}/only/feed-star.html</link></item>
</channel></rss>"""
LISTED = {
    f"{SITE}/only/sitemap-1.html",
    f"{SITE}/only/text-2.html",
    f"{SITE}/only/feed-bread.html",
    f"{SITE}/only/feed-star.html",
}


class ListingWeb(MadeWeb):
    """Host h0 has an index of a packed and a plain sitemap, and names a feed on each page."""

    robots = f"User-agent: *\nDisallow:\nSitemap: {SITE}/index.xml\n"

    def get(self, url: str) -> Answer:
        bodies = {
            f"{SITE}/robots.txt": self.robots.encode(),
            f"{SITE}/index.xml": INDEX.encode(),
            f"{SITE}/one.xml.gz": gzip.compress(ONE.encode()),
            f"{SITE}/two.txt": f"{SITE}/only/text-2.html\n".encode(),
            f"{SITE}/feed": FEED.encode(),
        }
        if url in bodies:
            return Answer(url, url, 200, (("Content-Type", "application/xml"),), bodies[url])
        if url in LISTED:
            words = f"<title>Only listed</title>{' '.join(BREAD)} {url}"
            return Answer(url, url, 200, (("Content-Type", "text/html"),), words.encode())
        answer = super().get(url)
        if answer.failure or not url.startswith(f"{SITE}/p/"):
            return answer
        link = b'<link rel=alternate type="application/rss+xml" href="/feed">'
        return replace(answer, body=link + answer.body)


WEB = ListingWeb()
ON = Scope(site_lists=True)


async def crawled(strategy_id: str = "breadth_first", **options):
    crawl = recorded_crawl(options.pop("web", WEB), strategy_id, **{"scope": ON, **options})
    crawl.start()
    return crawl, await batches_of(crawl)


def urls_of(batches, kind=None):
    return [f.answer.url for b in batches for f in b.failures if kind in (None, f.answer.failure)]


async def test_all_listed_pages_come_and_the_lists_are_no_pages():
    crawl, batches = await crawled(budget=400)
    pages = {p.answer.url for b in batches for p in b.pages}
    assert pages >= LISTED
    lists = urls_of(batches, "site_list")
    assert sorted(lists) == [
        f"{SITE}/{name}" for name in ("feed", "index.xml", "one.xml.gz", "two.txt")
    ]
    assert not pages & set(lists)
    asked = [url for _, url in requests_of(batches)]
    assert len(asked) == len(set(asked))
    assert "http://elsewhere.test/not-mine.html" not in crawl.frontier.urls
    # The other hosts have no sitemap at the usual address, which is no error of theirs.
    assert urls_of(batches, "no_site_list").count("http://h1.test/sitemap.xml") == 1
    counts = batches[-1].metrics
    assert (counts[HOSTS], counts[NAMED], counts[TAKEN]) == (1, 5, 4)


async def test_without_the_option_nothing_is_asked_and_nothing_changes():
    asked = []

    class Noting(ListingWeb):
        def get(self, url: str) -> Answer:
            asked.append(url)
            return super().get(url)

    _, batches = await crawled(budget=60, web=Noting(), scope=Scope())
    assert not {f"{SITE}/index.xml", f"{SITE}/feed", "http://h1.test/sitemap.xml"} & set(asked)
    assert HOSTS not in batches[-1].metrics


async def test_entries_are_children_of_the_front_page_and_scored_by_their_titles():
    crawl, _ = await crawled("text_window", budget=12)
    frontier = crawl.frontier
    bread, star = (frontier.number(f"{SITE}/only/feed-{n}.html") for n in ("bread", "star"))
    front = frontier.parent[bread]
    assert frontier.urls[front].startswith(f"{SITE}/p/")
    assert frontier.depth[bread] == frontier.depth[front] + 1
    assert frontier.priority[bread] > frontier.priority[star]


@pytest.mark.parametrize("strategy_id", RUNNABLE)
async def test_every_strategy_takes_them_and_a_kill_changes_nothing(strategy_id, tmp_path):
    options = {
        "budget": 30,
        "batch_requests": 10,
        "scope": ON,
        "parameters": small(strategy(strategy_id)),
    }
    whole = recorded_crawl(WEB, strategy_id, **options)
    whole.start()
    expected = await batches_of(whole)
    assert any(f.site_list for b in expected for f in b.failures)

    rows = Rows()
    crawl = recorded_crawl(WEB, strategy_id, **options)
    crawl.start()
    async for batch in crawl.run():
        rows.commit(batch)
        if batch.totals.requests == 10:
            checkpoint.write(tmp_path / "kept.npz", state_of(crawl))
        if batch.totals.requests >= 20:
            break
    for path in (tmp_path / "kept.npz", None):
        kept = checkpoint.read(path) if path else None
        crawl = recorded_crawl(WEB, strategy_id, **options)
        await resume(crawl, kept, rows.records(), rows.after(kept["requests"] if kept else 0))
    last = await batches_of(crawl, rows.commit)
    past = [f"{p.answer.url} {p.answer.failure or ''}".strip() for p in rows.past]
    assert past == [url for _, url in requests_of(expected)]
    assert last[-1].metrics == expected[-1].metrics


async def test_a_host_adds_no_more_than_its_limit():
    _, batches = await crawled(budget=400, scope=Scope(site_lists=True, listed_per_host=2))
    assert len(LISTED & {p.answer.url for b in batches for p in b.pages}) == 2
    assert batches[-1].metrics[TAKEN] == 2


async def test_an_index_of_itself_and_of_ever_more_ends():
    class Endless(ListingWeb):
        def get(self, url: str) -> Answer:
            if "/index" in url:
                number = len(url)
                named = "".join(
                    f"<sitemap><loc>{SITE}/index{'x' * number}{i}.xml</loc></sitemap>"
                    for i in range(30)
                )
                itself = f"<sitemap><loc>{url}</loc></sitemap>"
                body = f"<sitemapindex>{itself}{named}</sitemapindex>".encode()
                return Answer(url, url, 200, (("Content-Type", "text/xml"),), body)
            return super().get(url)

    _, batches = await crawled(budget=300, web=Endless())
    lists = [url for url in urls_of(batches) if "/index" in url]
    assert 2 <= len(lists) <= 20


async def test_a_feed_that_is_a_seed_or_a_link_is_recognised_by_its_content():
    class Linked(ListingWeb):
        def get(self, url: str) -> Answer:
            if url == f"{SITE}/p/0.html":
                body = b"<title>Start</title>words <a href=/feed>all news</a>"
                return Answer(url, url, 200, (("Content-Type", "text/html"),), body)
            return super().get(url)

    _, batches = await crawled(budget=300, web=Linked())
    assert f"{SITE}/only/feed-bread.html" in {p.answer.url for b in batches for p in b.pages}
    assert f"{SITE}/feed" not in {p.answer.url for b in batches for p in b.pages}


async def test_a_large_page_that_only_looks_like_a_list_is_read_once_and_in_a_process(monkeypatch):
    lookalike = f"{SITE}/lookalike.html"
    body = b'{"https://jsonfeed.org/version/1"} <title>No feed</title>' + b"<b>yeast</b> " * 20_000

    class Lookalike(ListingWeb):
        def get(self, url: str) -> Answer:
            html = (("Content-Type", "text/html"),)
            if url == f"{SITE}/p/0.html":
                return Answer(url, url, 200, html, b"<title>Start</title><a href=/lookalike.html>")
            if url == lookalike:
                return Answer(url, url, 200, html, body)
            return super().get(url)

    looked, parsed = [], []
    read, parse = site_lists.read_site_list, LargePages.parse

    def read_and_note(answer: Answer) -> SiteList | None:
        looked.append(answer.url)
        return read(answer)

    async def parse_and_note(pages: LargePages, answer: Answer) -> Document:
        parsed.append(answer.url)
        return await parse(pages, answer)

    monkeypatch.setattr(site_lists, "read_site_list", read_and_note)
    monkeypatch.setattr(LargePages, "parse", parse_and_note)
    _, batches = await crawled(budget=20, web=Lookalike())
    (page,) = (p for b in batches for p in b.pages if p.answer.url == lookalike)
    assert page.title == "No feed"
    assert looked.count(lookalike) == 1
    assert parsed == [lookalike]


def test_a_visit_notes_the_dates_of_pages_it_has_met(monkeypatch):
    monkeypatch.setattr(site_lists, "MOST_DATED", 3)
    frontier = Frontier(ON)
    met = [f"{SITE}/{n}" for n in range(6)]
    other = "http://elsewhere.test/1"
    frontier.revisit(Revisits((DueAddress(met[1]),), marks_of([*met, other])))
    frontier.queue_due(0.0)
    lists = site_lists.SiteLists(frontier, None)
    entries = [SiteListEntry(f"/{n}", date=f"2026-11-{20 - n}") for n in (5, 1, 0, 9, 2)]
    answer = Answer(f"{SITE}/sitemap.xml", f"{SITE}/sitemap.xml", 200, (), b"")
    apart = SiteListEntry(other, date="2026-11-21")
    sitemap = SiteList("sitemap", (*entries, SiteListEntry("/3"), apart))
    chosen = lists.choose(0, answer, sitemap)
    # The latest three of the site, of those that have a date; what is new is taken as ever.
    assert chosen.dated == ((met[0], "2026-11-20"), (met[1], "2026-11-19"), (met[2], "2026-11-18"))
    assert [page.url for page in chosen.pages] == [f"{SITE}/9"]
    # A replay has the chosen entries alone, and chooses the same again.
    replayed = lists.choose(0, answer, SiteList.of_plain(chosen.as_plain()))
    assert replayed == chosen
    # A feed dates what is published, and no edits of it.
    assert lists.choose(0, answer, SiteList("feed", tuple(entries))).dated == ()
    # What an ordinary crawl has met is no page that it visits again.
    ordinary = Frontier(ON)
    ordinary.seed(met[0], 0.0)
    assert site_lists.SiteLists(ordinary, None).choose(0, answer, sitemap).dated == ()
