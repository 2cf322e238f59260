"""Fetching examples politely."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise

import pytest

from apps.engine.answers import Answer
from apps.engine.networking.page_store.store import Record
from apps.engine.networking.politeness import Politeness
from apps.engine.parsing.document import parse
from apps.topics.definition.schemas import Definition
from apps.topics.examples.fetching import fetch_all, fetch_with
from apps.topics.examples.loading import load_examples
from apps.topics.examples.page_store import page_store
from apps.topics.services import create_topic
from tests.made_documents import pdf

ROBOTS = "User-agent: *\nDisallow: /private\n"
HTML = (("Content-Type", "text/html"),)
PDF = (("Content-Type", "application/pdf"),)
LOCKED = pdf([["nobody reads this"]], encrypt=True)


class FakeFetcher:
    """Answers from a mapping and notes when it was asked what; asks the gate as HTTP does."""

    def __init__(self, answers: Mapping[str, Answer] | None = None) -> None:
        self.answers = answers or {}
        self.asked: list[tuple[float, str]] = []
        self.closed = False
        self.most_at_once = 0
        self._now = 0

    async def fetch(
        self, url: str, gate=None, *, any_type: bool = False, spelling: str = ""
    ) -> Answer:
        refused = await gate(url) if gate else None
        if refused:
            return Answer(url, url, failure=refused)
        self.asked.append((time.monotonic(), url))
        self._now += 1
        self.most_at_once = max(self.most_at_once, self._now)
        await asyncio.sleep(0.001)
        self._now -= 1
        if url in self.answers:
            return await self._redirected(url, gate)
        if url.endswith("/robots.txt"):
            return Answer(url, url, 200, (("Content-Type", "text/plain"),), ROBOTS.encode())
        return Answer(url, url, 200, HTML, b"<p>some words</p>")

    async def _redirected(self, url: str, gate) -> Answer:
        answer = self.answers[url]
        if answer.final_url == url:
            return answer
        refused = await gate(answer.final_url)
        if refused:
            return Answer(url, answer.final_url, failure=refused)
        self.asked.append((time.monotonic(), answer.final_url))
        return answer

    async def close(self) -> None:
        self.closed = True


def fetched(fetcher: FakeFetcher, urls: list[str], delay: float = 0.0) -> dict[str, Answer]:
    return dict(fetch_with(lambda: fetcher, urls, Politeness(delay=delay, concurrent=4)))


def fetched_pairs(fetcher: FakeFetcher, urls: Sequence[str]) -> Iterator[tuple[str, Answer]]:
    return fetch_with(lambda: fetcher, urls, Politeness(delay=0.0, concurrent=4))


def test_it_answers_every_url_and_closes_its_fetcher() -> None:
    fetcher = FakeFetcher()
    urls = [f"http://h{i % 3}.test/{i}" for i in range(12)]
    answers = fetched(fetcher, urls)
    assert set(answers) == set(urls)
    assert all(answer.status == 200 for answer in answers.values())
    assert fetcher.closed


def test_it_leaves_a_pause_between_two_requests_to_a_host() -> None:
    fetcher = FakeFetcher()
    fetched(fetcher, ["http://a.test/1", "http://a.test/2", "http://a.test/3"], delay=0.05)
    moments = [moment for moment, _ in fetcher.asked]
    assert len(moments) == 4
    assert min(b - a for a, b in pairwise(moments)) >= 0.049


def test_it_asks_what_robots_txt_forbids_of_nobody() -> None:
    fetcher = FakeFetcher()
    answers = fetched(fetcher, ["http://a.test/private/1", "http://a.test/open"])
    assert answers["http://a.test/private/1"].failure == "robots"
    assert [url for _, url in fetcher.asked] == ["http://a.test/robots.txt", "http://a.test/open"]


def test_a_redirect_asks_the_other_hosts_robots_txt() -> None:
    moved = Answer("http://a.test/1", "http://b.test/private", 200, HTML, b"<p>x</p>")
    fetcher = FakeFetcher({"http://a.test/1": moved})
    assert fetched(fetcher, ["http://a.test/1"])["http://a.test/1"].failure == "robots"
    assert "http://b.test/private" not in {url for _, url in fetcher.asked}


def test_a_page_that_asks_not_to_be_indexed_is_none() -> None:
    url = "http://a.test/1"
    headers = (*HTML, ("X-Robots-Tag", "noindex"))
    answers = fetched(FakeFetcher({url: Answer(url, url, 200, headers, b"<p>x</p>")}), [url])
    assert answers[url].failure == "noindex"


def test_a_host_that_asks_for_an_hour_is_not_waited_for() -> None:
    busy = Answer("http://a.test/1", "http://a.test/1", 429, failure="http_429", retry_after=3600)
    answers = fetched(FakeFetcher({busy.url: busy}), [busy.url, "http://a.test/2"])
    assert {answer.failure for answer in answers.values()} == {"http_429"}


def test_it_stops_fetching_when_nobody_takes_the_answers() -> None:
    fetcher = FakeFetcher()
    answers = fetch_with(
        lambda: fetcher, [f"http://a.test/{i}" for i in range(500)], Politeness(delay=0.02)
    )
    next(answers)
    answers.close()
    assert fetcher.closed
    assert len(fetcher.asked) < 400


def test_a_fault_of_the_fetcher_reaches_the_caller() -> None:
    class Broken(FakeFetcher):
        async def fetch(
            self, url: str, gate=None, *, any_type: bool = False, spelling: str = ""
        ) -> Answer:
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        fetched(Broken(), ["http://a.test/1"])


def test_a_private_address_is_refused(db) -> None:
    urls = ["http://127.0.0.1:9/x", "http://169.254.169.254/latest"]
    answers = dict(fetch_all(None)(urls))
    assert {answer.failure for answer in answers.values()} == {"address_refused"}


def test_documents_are_read_like_pages_and_kept_as_they_came(owner, data_dir) -> None:
    url, locked = "http://a.test/rye.pdf", "http://a.test/locked.pdf"
    scan = "http://a.test/scan.pdf"
    body = pdf([["Rye bread of sour dough", "needs a warm night"]], title="Rye")
    bodies = {url: body, locked: LOCKED, scan: pdf([[]], scanned=True)}
    fetcher = FakeFetcher({url: Answer(url, url, 200, PDF, bodies[url]) for url in bodies})
    definition = Definition(name="Rye", lists={"positives": "\n".join(bodies)})
    topic = create_topic(owner, definition).topic
    assert load_examples(topic, partial(fetched_pairs, fetcher), lambda: True) == 1
    example, other = topic.examples.get(url=url), topic.examples.get(url=locked)
    assert (example.title, example.words, example.failure) == ("Rye", 10, "")
    assert other.failure == "encrypted"
    assert topic.examples.get(url=scan).failure == "no_words"
    record = Record(example.file, example.offset, example.length, example.digest)
    answer = page_store(topic.pk).read(record)
    assert answer.body == body
    assert parse(answer).words[:3] == ["rye", "rye", "bread"]
