"""A live crawl of a site that reserves its pages, by its log."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from django.contrib.auth.models import User

from apps.collection.indexing.index import index_texts, list_pages
from apps.collection.indexing.reading import read_pages
from apps.collection.models import Entry, Progress
from apps.crawls.left_out.reasons import RESERVED
from apps.crawls.left_out.rows import AddressChoice, best_first, entries, left_out_rows
from apps.crawls.models import Crawl
from apps.crawls.opt_outs.selectors import host_opt_outs
from apps.crawls.services import create_crawl
from apps.topics.definition.schemas import Definition
from apps.topics.models import Topic
from apps.topics.services import create_topic
from apps.webs.selectors import live_web
from tests.crawls.run_here import run
from tests.made_web import BREAD
from tests.people import Program

pytestmark = pytest.mark.django_db(transaction=True)

TDM, AI = "/.well-known/tdmrep.json", "/ai.txt"
PAGE = f"<title>Bread</title>{' '.join(BREAD)} <a href=/art/1>art</a> <a href=/plain>plain</a>"
ANSWERS = {
    "/robots.txt": "User-agent: *\nContent-Signal: search=yes, ai-train=yes\nDisallow: /private\n",
    TDM: '[{"location": "/art", "tdm-reservation": 1}]',
    "/": PAGE,
    "/art/1": PAGE.replace("Bread", "Art"),
    "/plain": PAGE.replace("Bread", "Plain"),
}


@pytest.fixture
def log(settings, data_dir) -> Iterator[list[str]]:
    """The paths asked for; the last is the site's origin until the first request."""
    asked: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            body = ANSWERS.get(self.path, "").encode()
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    settings.ALLOWED_ADDRESSES, settings.AGENTS = ["127.0.0.0/8"], 0
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    asked.append(f"http://127.0.0.1:{server.server_port}")
    yield asked
    server.shutdown()
    server.server_close()


def topic_at(origin: str) -> Topic:
    definition = Definition(
        name=f"bread {Topic.objects.count()}",
        keywords=("bread", "dough"),
        language="en",
        lists={"seeds": f"{origin}/"},
    )
    owner, _ = User.objects.get_or_create(username="analyst")
    return create_topic(owner, definition).topic


def crawl_of(topic: Topic, **scope: bool) -> Crawl:
    return run(
        create_crawl(
            topic.owner,
            topic,
            live_web(),
            strategy="breadth_first",
            budget=10,
            politeness={"delay": 0.0},
            scope={"site_lists": False, **scope},
        )
    )


def test_the_site_is_asked_once_and_its_pages_are_marked(log: list[str]) -> None:
    origin = log.pop()
    host = origin.partition("://")[2]
    crawl = crawl_of(topic_at(origin), opt_out_files=True)
    asked = Counter(log)
    assert {*asked.values()} == {1}
    assert {*asked} == {*ANSWERS, AI}
    assert crawl.requests == crawl.pages == 3
    opt_outs = host_opt_outs(crawl.topic, host)
    assert {(sign.title, sign.reserves) for sign in opt_outs.signs} == {
        ("TDMRep", True),
        ("Content-Signal", False),
    }
    assert {file.path: file.status for file in opt_outs.files} == {
        "/robots.txt": 200,
        TDM: 200,
        AI: 404,
    }
    list_pages(crawl)
    index_texts(crawl)
    assert read_pages(Progress.objects.get(crawl=crawl))
    reserved = Entry.objects.filter(crawl=crawl, reserved=True)
    urls = {crawl.pages_fetched.get(seq=entry.seq).url for entry in reserved}
    assert urls == {f"{origin}/art/1"}
    shown = Program(crawl.owner).get(f"topics/{crawl.topic_id}/opt-outs", host=host).json()
    assert len(shown["signs"]) == 2
    assert len(shown["files"]) == 3
    log.clear()
    crawl_of(topic_at(origin), opt_out_files=True)
    assert not {TDM, AI} & {*log}


def test_reserved_pages_are_left_out_with_the_sign(log: list[str]) -> None:
    origin = log.pop()
    crawl = crawl_of(topic_at(origin), opt_out_files=True, obey_opt_outs=True)
    assert "/art/1" not in log
    assert {page.url for page in crawl.pages_fetched.all()} == {f"{origin}/", f"{origin}/plain"}
    (row,) = left_out_rows(list(best_first(entries([crawl], AddressChoice(RESERVED)))))
    assert row.url == f"{origin}/art/1"
    assert "/art: tdm-reservation: 1" in row.detail
