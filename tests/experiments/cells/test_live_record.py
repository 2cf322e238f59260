"""The live Web in an experiment: each URL is requested once, politely, and kept."""

from __future__ import annotations

import asyncio
from pathlib import Path

from apps.engine.answers import Answer
from apps.engine.networking.politeness import Politeness
from apps.experiments.cells.live_record import LiveRecord, RecordingFetcher

PAGE = (("Content-Type", "text/html"),)


class Clock:
    """Seconds that pass when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


class OneWeb:
    """Answers of a web by URL, a list of them if they change; counts what is asked, and when."""

    def __init__(self, clock: Clock, answers: dict[str, Answer | list[Answer]]) -> None:
        self.clock, self.answers = clock, answers
        self.asked: list[tuple[float, str]] = []

    async def fetch(
        self, url: str, gate=None, *, any_type: bool = False, spelling: str = ""
    ) -> Answer:
        self.asked.append((self.clock.now, url))
        answer = self.answers.get(url, Answer(url, url, status=404, failure="http_404"))
        return answer.pop(0) if isinstance(answer, list) else answer

    async def close(self) -> None:
        pass


def page(url: str, text: str = "hello", **values) -> Answer:
    return Answer(url, url, **{"status": 200, "headers": PAGE, "body": text.encode(), **values})


def fetched(folder: Path, answers, urls, monkeypatch, **politeness):
    """What two cells one after the other get for the URLs, and what the web was asked."""
    clock = Clock()
    monkeypatch.setattr(asyncio, "sleep", clock.sleep)
    web = OneWeb(clock, answers)
    got = []
    for _ in range(2):
        fetcher = RecordingFetcher(
            LiveRecord(folder),
            web,
            Politeness(**{"delay": 2.0, **politeness}),
            "crawlsite",
            clock=clock,
        )

        async def cell(fetcher=fetcher):
            answers = [await fetcher.fetch(url) for url in urls]
            await fetcher.close()
            return answers

        got.append(asyncio.run(cell()))
    return got, web.asked


def test_a_page_is_requested_once_and_then_read_from_the_record(tmp_path, monkeypatch):
    url = "http://a.test/"
    (first, second), asked = fetched(tmp_path, {url: page(url)}, [url], monkeypatch)
    assert [each for _, each in asked] == [url]
    assert first[0].body == second[0].body == b"hello"
    assert first[0].fetched_at == second[0].fetched_at


def test_failures_are_recorded_too(tmp_path, monkeypatch):
    url = "http://a.test/gone"
    (first, second), asked = fetched(tmp_path, {}, [url], monkeypatch)
    assert len(asked) == 1
    assert first[0].failure == second[0].failure == "http_404"


def test_a_redirect_is_followed_from_the_record(tmp_path, monkeypatch):
    old, new = "http://a.test/old", "http://b.test/new"
    moved = Answer(
        old, old, status=301, headers=(("Location", new),), failure="too_many_redirects"
    )  # as a fetcher says that follows none
    (first, second), asked = fetched(
        tmp_path, {old: moved, new: page(new)}, [old, new], monkeypatch
    )
    assert [url for _, url in asked] == [old, new]
    for answers in (first, second):
        assert (answers[0].final_url, answers[0].failure) == (new, None)


def test_the_requests_to_a_host_keep_its_delay(tmp_path, monkeypatch):
    urls = [f"http://a.test/{i}" for i in range(3)] + ["http://b.test/"]
    answers = {url: page(url) for url in urls}
    _, asked = fetched(tmp_path, answers, urls, monkeypatch)
    assert [at for at, _ in asked] == [0.0, 2.0, 4.0, 4.0]


def test_a_longer_crawl_delay_is_kept(tmp_path, monkeypatch):
    robots = "http://a.test/robots.txt"
    rules = page(robots, "User-agent: *\nCrawl-delay: 5\n")
    urls = [robots, "http://a.test/1", "http://a.test/2"]
    answers = {robots: rules, **{url: page(url) for url in urls[1:]}}
    _, asked = fetched(tmp_path, answers, urls, monkeypatch)
    assert [at for at, _ in asked] == [0.0, 2.0, 7.0]


def test_a_temporary_failure_is_tried_again_before_it_is_recorded(tmp_path, monkeypatch):
    url = "http://a.test/"
    busy = Answer(url, url, status=503, failure="http_503")
    (first, second), asked = fetched(
        tmp_path, {url: [busy, page(url)]}, [url], monkeypatch, retries=2
    )
    assert len(asked) == 2
    assert asked[1][0] >= 2.0
    assert first[0].failure is None
    assert second[0].body == b"hello"


def test_a_record_that_was_cut_off_has_whole_answers_only(tmp_path, monkeypatch):
    url = "http://a.test/"
    fetched(tmp_path, {url: page(url)}, [url], monkeypatch)
    (tmp_path / "torn.warc.gz").write_bytes(b"\x1f\x8b\x08half a record")
    record = LiveRecord(tmp_path)
    assert len(record) == 1
    answer = record.get(url)
    assert answer is not None
    assert answer.body == b"hello"
    record.close()
