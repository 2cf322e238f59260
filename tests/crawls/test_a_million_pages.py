"""A crawl of a million pages: its commits and its screens cost what they did when it was small.

The source is synthetic: batches as the engine gives them, which the crawl's runner commits. Each
page has fifty links, two of them new, and leads to one more waiting URL.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.test import Client

from apps.crawls.commands.lifecycle.start import start_here
from apps.crawls.lifecycle.lease import claim
from apps.crawls.models import Crawl
from apps.crawls.running.runner import Runner
from apps.engine.answers import Answer
from apps.engine.crawl.sampling import is_sampled
from apps.engine.events import Batch, HostState, PageRecord, QueueHead, SampleRecord, Totals
from apps.engine.frontier.url_states import Changed, Discovered, UrlState
from apps.engine.model import Longs, Verdict
from apps.engine.parsing.document import parse
from tests.crawl_rows import metrics_at
from tests.crawls import run_here
from tests.made_web import MadeWeb

pytestmark = [
    pytest.mark.soak,
    pytest.mark.alike,  # processor time; that of PostgreSQL is not this process's
    pytest.mark.skipif(not os.environ.get("CRAWLSITE_SOAK"), reason="a million pages: make soak"),
]

SMALL, READ, LARGE = 1_000, 25_000, 1_000_000
BATCH, LINKS, HOSTS = 25, 50, 5_000
MOST_GROWTH, SLACK = 2.0, 0.1


class LinkedWeb(MadeWeb):
    """A made web whose pages have exactly fifty links."""

    def _page(self, url: str, i: int) -> Answer:
        page = super()._page(url, i)
        document = parse(page)
        more = "".join(
            f"<p>rye <a href='/more/{n}'>the oven</a> at home</p>"
            for n in range(LINKS - len(document.links.urls))
        )
        return Answer(page.url, page.final_url, 200, page.headers, page.body + more.encode())


class Source:
    """The batches of a crawl of that web, whose pages are all fetched again and again.

    Page t is URL t − 1; page 1 discovers fifty URLs, every other page two.
    """

    def __init__(self, web: MadeWeb) -> None:
        self._answers = [web.get(web.url(i)) for i in range(web.count)]
        self._draw = np.random.default_rng(1)
        self.pages = 0

    @property
    def discovered(self) -> int:
        return self._first_of(self.pages + 1)

    def _first_of(self, page: int) -> int:
        """The number of the first URL that a page discovers."""
        return 1 if page == 1 else 1 + LINKS + 2 * (page - 2)

    def parent_of(self, number: int) -> int:
        """The number of the page on which a URL is found."""
        return -1 if number == 0 else 0 if number <= LINKS else 1 + (number - LINKS - 1) // 2

    def batch(self) -> Batch:
        """The next twenty-five pages."""
        first, last = self.pages + 1, self.pages + BATCH
        pages = tuple(self._page(seq) for seq in range(first, last + 1))
        start = 0 if first == 1 else self._first_of(first)
        fetched = tuple(
            self._discovered(number) for number in range(start, self._first_of(last + 1))
        )
        self.pages = last
        changed = tuple(Changed(page.number, UrlState.FETCHED, "") for page in pages)
        hosts = tuple(
            HostState(name, last // HOSTS + 1, 0, 3, 1.0, 0.0, "")
            for name in {page.host for page in pages}
        )
        metrics = metrics_at(last)
        samples = tuple(
            SampleRecord(page.seq, metrics_at(page.seq))
            for page in pages
            if is_sampled(page.seq, 10)
        )
        totals = Totals(last, last, self.discovered, self.discovered - last, 0, {}, {}, 0.0)
        head = tuple(
            QueueHead(last + n, f"http://w.test/{last + n}", 0.9, self.parent_of(last + n), 1, 0.0)
            for n in range(12)
        )
        return Batch(pages, (), fetched, changed, samples, (), (), hosts, head, totals, metrics)

    def _discovered(self, number: int) -> Discovered:
        return Discovered(
            number,
            f"http://h{number % HOSTS}.test/of/pages/{number}-an-article",
            self.parent_of(number),
            1,
            0.5,
            UrlState.WAITING,
            "",
        )

    def _page(self, seq: int) -> PageRecord:
        answer = self._answers[seq % len(self._answers)]
        relevant = seq % 4 == 0
        return PageRecord(
            seq=seq,
            request=seq,
            number=seq - 1,
            answer=answer,
            host=f"h{seq % HOSTS}.test",
            title=f"The page of number {seq}",
            words=320,
            canonical="",
            needs_javascript=False,
            topicality=seq % 97 / 97,
            status=seq % 89 / 89,
            status_log=1.5,
            verdict=Verdict(2 * relevant, 3, 0.7 if relevant else 0.2),
            target=False,
            seed=seq == 1,
            priority=0.5,
            parent=self.parent_of(seq - 1),
            depth=3,
            record=None,
            outlinks=self._links(seq).astype(np.int32),
            telemetry={},
        )

    def _links(self, seq: int) -> Longs:
        """The new ones, and others from anywhere in the crawl."""
        begin, end = self._first_of(seq), self._first_of(seq + 1)
        targets = self._draw.choice(begin, LINKS - (end - begin), replace=False)
        return np.concatenate([np.arange(begin, end), targets])


def test_page_a_million_costs_what_page_a_thousand_did(
    transactional_db: None, data_dir: Path, client: Client
) -> None:
    web = LinkedWeb(pages=240, hosts=6)
    owner = get_user_model().objects.create_user("ada")
    client.force_login(owner)
    topic = run_here.bread(owner, run_here.made_web(data_dir, web), web)
    crawl = run_here.new_crawl(topic, "learner", budget=2 * LARGE)
    start_here(crawl)
    claimed = claim(crawl.pk, crawl.epoch)
    assert claimed is not None
    runner, source = Runner(claimed, keep=True), Source(web)
    commits, screens = {}, {}
    for pages in (SMALL, READ, LARGE):
        commits[pages] = grown(runner, source, pages)
        screens[pages] = dict(costs(client, Crawl.objects.get(pk=crawl.pk)))
        print(
            f"{pages:,} pages, {crawl.samples.count():,} samples: a commit of {BATCH}"
            f" {1e3 * commits[pages]:.1f} ms; "
            + ", ".join(f"{name} {1e3 * cost:.0f} ms" for name, cost in screens[pages].items())
        )
    assert commits[LARGE] < MOST_GROWTH * commits[SMALL]
    for name, cost in screens[LARGE].items():
        # From some thousands of pages on a screen reads as many rows as ever, but of a database
        # that no cache holds any more.
        assert cost < MOST_GROWTH * screens[READ][name] + SLACK, name


def grown(runner: Runner, source: Source, pages: int) -> float:
    """Brings the crawl to that many pages; the median CPU seconds of its last hundred commits."""
    last: list[float] = []
    while source.pages < pages:
        batch = source.batch()
        began = time.process_time()
        runner._commit(batch)
        last.append(time.process_time() - began)
    return float(np.median(last[-100:]))


def costs(client: Client, crawl: Crawl) -> Iterator[tuple[str, float]]:
    """The least CPU seconds of three readings of each screen, by its name; nothing is kept in the
    cache between them."""
    page, waiting = crawl.pages // 2, crawl.queue_head[0]["number"]
    at = f"/crawls/{crawl.pk}/"
    paths = {
        "live": at,
        "pages": f"{at}pages/",
        "relevant pages": f"{at}pages/?show=relevant",
        "unsure pages": f"{at}pages/?show=unsure",
        "hosts": f"{at}hosts/",
        "failures": f"{at}failures/",
        "why waiting": f"{at}why/{waiting}/",
        "why fetched": f"{at}why/{page}/",
        "why of an early page": f"{at}why/{LINKS}/",
        "measures": f"{at}measures/",
        "crawls": "/crawls/",
    }
    for name, path in paths.items():
        spent = []
        for _ in range(3):
            cache.clear()
            began = time.process_time()
            answer = client.get(path)
            spent.append(time.process_time() - began)
            assert answer.status_code == 200, (name, answer.content[:500])
            assert b"cannot be read again" not in answer.content
        yield name, min(spent)
