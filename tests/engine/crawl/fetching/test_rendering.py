"""Pages made by scripts: rendered by Chromium, whose every request the crawl sends."""

from __future__ import annotations

import asyncio
import os
import pwd
import signal
from collections import Counter
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from apps.engine.answers import Answer
from apps.engine.crawl.fetching.rendering import CLOCK, GAINED, PARTS, PROCESSOR, RENDERED
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.plan import Plan
from apps.engine.frontier.scope import Scope
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.kernel import tree_of
from apps.engine.kinds import DocumentKind
from apps.engine.networking.page_store.store import PageStore, PageStoreWriter, Record
from apps.engine.networking.robots.files import Robots
from apps.engine.networking.webs.virtual_web import RecordedFetcher
from apps.engine.parsing.document import parse
from apps.engine.parsing.rendering.availability import UNPRIVILEGED, missing
from tests.engine.crawl.crawls import POLITE, batches_of
from tests.made_web import BREAD, MadeWeb, bread_topic

pytestmark = pytest.mark.skipif(bool(missing()), reason=missing() or "rendering")

SITE, OTHER = "http://h0.test", "http://h1.test"
HTML, SCRIPT = "text/html", "text/javascript"
SHELL = "<title>Bread</title><div id=app></div><img src=/pic.png><script src=/app.js></script>"
APP = f"""
const words = "{" ".join(BREAD * 3)}";
fetch("/data.json").then(answer => answer.text()).then(data => {{
  document.querySelector("#app").innerHTML =
    `<p>${{words}} ${{data}} <a href="/p/4.html">oven</a></p>`;
}});
fetch("/private/secret.json").catch(() => 0);
fetch("/data.json", {{method: "POST"}}).catch(() => 0);
new WebSocket("ws://h0.test/socket");
navigator.serviceWorker && navigator.serviceWorker.register("/worker.js").catch(() => 0);
"""


class ScriptWeb(MadeWeb):
    """Pages of h0 and h1 are made by a script; those of h1 stay empty."""

    def __init__(self, pages: int = 8) -> None:
        super().__init__(pages=pages, hosts=2)
        self.asked: Counter[str] = Counter()

    def get(self, url: str) -> Answer:
        self.asked[url] += 1
        kind, body = self.answers().get(url, ("", ""))
        if kind:
            return Answer(url, url, 200, (("Content-Type", kind),), body.encode())
        if url.startswith((f"{SITE}/p/", f"{OTHER}/p/")) and url in self._number:
            shell = SHELL + "".join(f"<a href={other}></a>" for other in self._number)
            return Answer(url, url, 200, (("Content-Type", HTML),), shell.encode())
        return Answer(url, url, status=404, failure="http_404")

    def answers(self) -> dict[str, tuple[str, str]]:
        return {
            f"{SITE}/robots.txt": ("text/plain", "User-agent: *\nDisallow: /private\n"),
            f"{SITE}/app.js": (SCRIPT, APP),
            f"{SITE}/data.json": ("application/json", "starter"),
            f"{OTHER}/app.js": (SCRIPT, "1"),
        }


def crawl_of(web: ScriptWeb, store: PageStoreWriter | None = None, budget: int = 8) -> CrawlLoop:
    """A crawl that asks the web as it would ask hosts."""
    made = MadeWeb(pages=48, hosts=2)
    topic = replace(bread_topic(made), seeds=(web.url(0), web.url(4)))
    return CrawlLoop(
        Plan(budget, 5 * budget, scope=Scope(render=True), politeness=POLITE, batch_seconds=600.0),
        TopicModel(topic, seed=1),
        strategy("breadth_first").build({}),
        RecordedFetcher(web),
        robots=Robots("test/1.0"),
        store=store,
        rendering_agent="test/1.0",
    )


async def test_pages_have_the_text_that_their_scripts_make(tmp_path) -> None:
    web, store = ScriptWeb(), PageStoreWriter(tmp_path / "pages.warc.gz")
    crawl = crawl_of(web, store)
    crawl.start()
    batches = await batches_of(crawl)
    store.close()
    pages = [page for b in batches for page in b.pages]
    of_site = [page for page in pages if page.answer.url.startswith(SITE)]
    assert of_site
    assert not any(page.needs_javascript for page in of_site)
    assert all(page.words > len(BREAD) for page in of_site)
    counts = batches[-1].metrics
    assert counts[GAINED] == len(of_site)
    # A script and its data are fetched once for all pages; what may not be asked for is not.
    assert (web.asked[f"{SITE}/app.js"], web.asked[f"{SITE}/data.json"]) == (1, 1)
    refused = ("/private", "/pic.png", "/socket", "/worker.js")
    assert not [url for url in web.asked if any(part in url for part in refused)]
    assert counts[PARTS] == crawl.limits.parts > 0
    # The page as it was fetched stays beside the one that its scripts made.
    assert of_site[0].record is not None
    stored = PageStore(tmp_path).read(Record(*of_site[0].record))
    assert stored.body.startswith(SHELL.encode())
    assert stored.converted is not None
    assert stored.converted.kind is DocumentKind.PAGE
    assert b"starter" in stored.converted.html


class ShadowWeb(ScriptWeb):
    """Pages whose text is in open shadow roots, one in the other."""

    def answers(self) -> dict[str, tuple[str, str]]:
        script = f"""
        const outer = document.querySelector("#app").attachShadow({{mode: "open"}});
        outer.innerHTML = "<p>outer {" ".join(BREAD * 3)}</p><div></div>";
        outer.querySelector("div").attachShadow({{mode: "open"}}).innerHTML =
          "<p>inner crust</p><a href='/p/4.html'>oven</a>";
        """
        return super().answers() | {f"{SITE}/app.js": (SCRIPT, script)}


async def test_text_and_links_in_open_shadow_roots_are_read(tmp_path) -> None:
    store = PageStoreWriter(tmp_path / "pages.warc.gz")
    crawl = crawl_of(ShadowWeb(), store, budget=2)
    crawl.start()
    pages = [page for b in await batches_of(crawl) for page in b.pages]
    store.close()
    (record,) = [page.record for page in pages if page.answer.url.startswith(SITE)]
    assert record is not None
    stored = PageStore(tmp_path).read(Record(*record))
    assert stored.converted is not None and stored.converted.html.startswith(b"<html>")
    document = parse(stored)
    assert {"outer", "inner", "crust", "oven"} <= set(document.words)
    assert f"{SITE}/p/4.html" in document.links.urls


class GreedyWeb(ScriptWeb):
    """A page of h0 fills the memory, 25 MB each tenth of a second."""

    def answers(self) -> dict[str, tuple[str, str]]:
        script = """
        const kept = [];
        setInterval(() => kept.push(new Uint8Array(25e6).fill(1)), 100);
        setInterval(() => fetch("/data.json?" + kept.length), 200);
        """
        return super().answers() | {f"{SITE}/app.js": (SCRIPT, script)}


async def test_a_page_that_fills_the_memory_is_killed_and_the_crawl_goes_on() -> None:
    web = GreedyWeb()
    crawl = crawl_of(web, budget=2)
    crawl.start()
    assert crawl.rendering is not None
    renderer = crawl.rendering.renderer
    renderer.memory = 2**30
    ends: list[int] = []
    end = renderer.end

    async def note(process: asyncio.subprocess.Process) -> None:
        ends.append(process.pid)
        await end(process)

    renderer.end = note  # type: ignore[method-assign]
    batches = await batches_of(crawl)
    pages = [page for b in batches for page in b.pages]
    of_site = [page for page in pages if page.answer.url.startswith(SITE)]
    assert len(pages) == 2 and of_site and ends
    assert all(page.needs_javascript for page in of_site)
    assert not renderers()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has rights to give up")
async def test_chromium_never_runs_as_root() -> None:
    crawl = crawl_of(ScriptWeb(), budget=2)
    crawl.start()
    accounts: set[int] = set()

    async def look() -> None:
        while True:
            for pid in renderers():
                for each in tree_of(pid):
                    with suppress(OSError):
                        if b"chromium" in Path(f"/proc/{each}/cmdline").read_bytes():
                            accounts.add(Path(f"/proc/{each}").stat().st_uid)
            await asyncio.sleep(0.05)

    looking = asyncio.create_task(look())
    batches = await batches_of(crawl)
    looking.cancel()
    assert batches[-1].metrics[GAINED] > 0
    assert accounts == {pwd.getpwnam(UNPRIVILEGED).pw_uid}


async def test_a_host_without_a_gain_is_left_alone() -> None:
    web = ScriptWeb(pages=16)
    crawl = crawl_of(web, budget=16)
    crawl.start()
    batches = await batches_of(crawl)
    others = [p for b in batches for p in b.pages if p.answer.url.startswith(OTHER)]
    assert len(others) > 5
    assert all(page.needs_javascript for page in others)
    metrics = batches[-1].metrics
    assert metrics[RENDERED] - metrics[GAINED] == 5
    # Chromium's start alone takes longer.
    assert metrics[PROCESSOR] > 0.1 and metrics[CLOCK] > 0.5


async def test_a_killed_process_never_loses_a_page() -> None:
    web = ScriptWeb()
    crawl = crawl_of(web)
    crawl.start()
    killed: set[int] = set()

    async def kill() -> None:
        while len(killed) < 2:
            for pid in renderers():
                killed.add(pid)
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            await asyncio.sleep(0.05)

    killing = asyncio.create_task(kill())
    batches = await batches_of(crawl)
    killing.cancel()
    assert killed
    assert len({page.answer.url for b in batches for page in b.pages}) == 8
    assert not renderers()


def renderers() -> list[int]:
    """The rendering processes that this test has started."""
    own = []
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError):
            words = (folder / "cmdline").read_bytes()
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            if b"parsing.rendering.process" in words and parent == os.getpid():
                own.append(int(folder.name))
    return own


async def test_a_limit_of_requests_counts_those_of_rendered_pages() -> None:
    web = ScriptWeb()
    crawl = crawl_of(web)
    crawl.limits.request_limit = 4
    crawl.start()
    await batches_of(crawl)
    asked = [url for url in web.asked.elements() if not url.endswith("robots.txt")]
    assert len(asked) <= 4 + crawl.plan.in_flight
