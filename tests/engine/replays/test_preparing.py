"""A web is prepared once, however many processes need it and however often one is killed."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from apps.engine.answers import Answer
from apps.engine.parsing.large_pages import LargePages
from apps.engine.parsing.processes import ParsingFailed
from apps.engine.replays import preparing
from apps.engine.replays.parsed_web import ParsedWeb
from apps.engine.replays.preparing import prepare
from tests.engine.replays.odd_web import OddWeb
from tests.made_web import MadeWeb


class Killed(Exception):
    """Ends a preparation."""


class CountedWeb(MadeWeb):
    """Counts how often each page is read."""

    def __init__(self) -> None:
        super().__init__(pages=40)
        self.read: Counter[str] = Counter()

    def get(self, url: str) -> Answer:
        self.read[url] += 1
        return super().get(url)


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preparing, "PART_PAGES", 7)


def test_nothing_but_the_folder_is_left(tmp_path: Path) -> None:
    prepare(tmp_path / "web", MadeWeb(pages=40), None)
    assert [path.name for path in tmp_path.iterdir()] == ["web"]


def test_a_prepared_web_is_not_read_again(tmp_path: Path) -> None:
    web = CountedWeb()
    prepare(tmp_path / "web", web, None)
    prepare(tmp_path / "web", web, None)
    assert set(web.read.values()) == {1} and len(web.read) == 40


def test_several_processes_share_the_pages(tmp_path: Path) -> None:
    web, ready = CountedWeb(), Barrier(3)

    def work(_: int) -> None:
        ready.wait()
        prepare(tmp_path / "web", web, None)

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(work, range(3))) == [None] * 3
    assert set(web.read.values()) == {1} and len(web.read) == 40
    assert list(ParsedWeb(tmp_path / "web", web).document(web.url(39)).words)


def test_what_was_done_before_a_kill_is_not_done_again(tmp_path: Path) -> None:
    web, beats = CountedWeb(), iter([None] * 17)

    def beat() -> None:
        if next(beats, Killed) is Killed:
            raise Killed

    with pytest.raises(Killed):
        prepare(tmp_path / "web", web, None, beat)
    assert not (tmp_path / "web").exists()
    prepare(tmp_path / "web", web, None)
    assert sorted(web.read.values(), reverse=True)[:4] == [2, 2, 2, 1]  # of the part that was lost
    assert len(web.read) == 40


def test_the_order_of_parts_does_not_depend_on_who_parsed_them(tmp_path: Path) -> None:
    web = MadeWeb(pages=40)
    prepare(tmp_path / "one", web, None)
    (tmp_path / "two.parts").mkdir()
    with preparing._locked(tmp_path / "two.parts" / "0.lock"):  # another process has the first
        preparing._parse_parts(tmp_path / "two.parts", web, None, lambda: None)
    prepare(tmp_path / "two", web, None)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_parts_that_are_removed_meanwhile_are_made_again(tmp_path: Path) -> None:
    web, beats = MadeWeb(pages=40), Counter()

    def beat() -> None:
        beats["all"] += 1
        if beats["all"] == 20:
            for file in (tmp_path / "web.parts").iterdir():
                file.unlink()
            (tmp_path / "web.parts").rmdir()

    prepare(tmp_path / "web", web, None, beat)
    assert ParsedWeb(tmp_path / "web", web).document(web.url(0)) is not None


def test_a_page_that_cannot_be_parsed_in_time_is_left_to_the_crawl(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(self: LargePages, answer: Answer) -> None:
        raise ParsingFailed("not parsed within 60 s")

    monkeypatch.setattr(LargePages, "parse", never)
    web = OddWeb(pages=40)
    prepare(tmp_path / "web", web, None)
    answer = ParsedWeb(tmp_path / "web", web).get(web.url(18))
    assert answer.document is None and answer.body == web.get(web.url(18)).body


def test_a_web_without_pages_is_prepared_too(tmp_path: Path) -> None:
    prepare(tmp_path / "web", MadeWeb(pages=0), None)
    assert ParsedWeb(tmp_path / "web", MadeWeb(pages=0)).document("http://h1.test/") is None
