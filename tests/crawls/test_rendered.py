"""A live crawl of a site that scripts make, by its log and that of a host never to be asked."""

from __future__ import annotations

import html
import threading
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.collection.indexing.index import index_texts, list_pages
from apps.collection.indexing.reading import read_pages
from apps.collection.models import MainText, Progress
from apps.crawls.errors import CrawlRefused
from apps.crawls.rendered import rendered_counts
from apps.crawls.services import create_crawl
from apps.engine.parsing.rendering import availability
from apps.topics.definition.schemas import Definition
from apps.topics.models import Topic
from apps.topics.services import create_topic
from apps.webs.selectors import live_web
from tests.crawls.run_here import run
from tests.made_web import BREAD
from tests.people import Program, site_of

pytestmark = pytest.mark.django_db(transaction=True)

SHELL = "<title>Bread</title><div id=app></div><script src=/app.js></script>"
APP = """
document.querySelector("#app").innerHTML = "<p>%s. <a href=/second>second</a></p>";
fetch("http://127.0.0.2:%d/canary").catch(() => 0);
fetch("/private/data").catch(() => 0);
"""


class LoggingSite:
    """A server of one address of this machine; `log` has the paths asked for."""

    def __init__(self, address: str, answers: dict[str, str]) -> None:
        site = self
        self.log: list[str] = []
        self.answers = answers

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site.log.append(self.path)
                body = site.answers.get(self.path, "").encode()
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer((address, 0), Handler)
        self.port = self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def sites(settings, data_dir) -> Iterator[tuple[LoggingSite, LoggingSite]]:
    """The site, and the one that the address guard refuses."""
    settings.ALLOWED_ADDRESSES, settings.AGENTS = ["127.0.0.1/32"], 0
    canary = LoggingSite("127.0.0.2", {})
    answers = {
        "/robots.txt": "User-agent: *\nDisallow: /private\n",
        "/": SHELL,
        "/second": SHELL,
        "/app.js": APP % (" ".join(BREAD * 3), canary.port),
    }
    site = LoggingSite("127.0.0.1", answers)
    yield site, canary
    site.close()
    canary.close()


def topic_of(site: LoggingSite) -> Topic:
    definition = Definition(
        name="bread",
        keywords=("bread", "dough"),
        language="en",
        lists={"seeds": f"http://127.0.0.1:{site.port}/"},
    )
    return create_topic(User.objects.create_user("analyst"), definition).topic


@pytest.mark.skipif(bool(availability.missing()), reason="rendering needs Chromium")
def test_the_pages_come_with_their_text_and_each_request_through_the_guard(sites) -> None:
    site, canary = sites
    topic = topic_of(site)
    crawl = run(
        create_crawl(
            topic.owner,
            topic,
            live_web(),
            strategy="breadth_first",
            budget=5,
            politeness={"delay": 0.0},
            scope={"site_lists": False, "render": True},
        )
    )
    assert Counter(site.log) == Counter(["/robots.txt", "/", "/app.js", "/second"])
    assert canary.log == []
    pages = list(crawl.pages_fetched.all())
    assert [page.needs_javascript for page in pages] == [False, False]
    counts = rendered_counts(crawl)
    assert counts is not None
    assert (counts.pages, counts.gained, counts.share) == (2, 2, 1.0)
    assert counts.processor_seconds and counts.processor_share and counts.time_share
    assert 0 < counts.processor_share < 1 and 0 < counts.time_share <= 1
    in_api = Program(topic.owner).get(f"crawls/{crawl.pk}").json()["rendered"]
    assert in_api == asdict(counts)
    shown = site_of(topic.owner).get(f"/crawls/{crawl.pk}/").content.decode()
    assert "Rendered: 2 pages that need scripts, 2 with a text since" in shown
    part = f"{round(100 * counts.processor_share)}\u202f% of the crawl’s processor time"
    assert f"rendering took {part}" in html.unescape(shown)
    list_pages(crawl)
    index_texts(crawl)
    assert read_pages(Progress.objects.get(crawl=crawl))
    assert all("dough flour yeast" in text.text for text in MainText.objects.all())


def test_without_chromium_it_is_refused_with_the_reason(sites, monkeypatch) -> None:
    site, _ = sites
    topic = topic_of(site)
    monkeypatch.setattr("apps.crawls.services.missing", lambda: "Chromium is not installed")
    with pytest.raises(CrawlRefused, match="Chromium is not installed"):
        create_crawl(
            topic.owner,
            topic,
            live_web(),
            strategy="breadth_first",
            budget=5,
            scope={"render": True},
        )
