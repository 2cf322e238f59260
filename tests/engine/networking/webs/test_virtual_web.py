from __future__ import annotations

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from apps.engine.errors import BadURL, BadWebFile
from apps.engine.networking.webs.virtual_web import INDEX, RecordedFetcher, VirtualWeb, Web, read
from apps.engine.networking.webs.writer import VirtualWebWriter

ROOT = "http://bakery.test/"


@pytest.fixture
def web(tmp_path: Path) -> VirtualWeb:
    with VirtualWebWriter(tmp_path / "web") as writer:
        writer.add("HTTP://Bakery.test:80/#top", "<p>Brötchen", ["bread", "rolls"], "south")
        writer.add(ROOT + "plain", b"caf\xe9", headers={"Content-Type": "text/plain"})
        writer.add(ROOT + "scan", b"%PDF", headers={"Content-Type": "application/pdf"})
        writer.add(
            ROOT + "robots.txt",
            "User-agent: *\nDisallow: /secret",
            headers={"Content-Type": "text/plain"},
        )
        writer.redirect(ROOT + "old", ROOT + "older")
        writer.redirect(ROOT + "older", ROOT)
        writer.redirect(ROOT + "gone", "http://elsewhere.test/x")
        writer.redirect(ROOT + "a", ROOT + "b")
        writer.redirect(ROOT + "b", ROOT + "a")
    return VirtualWeb(tmp_path / "web")


def test_a_page_comes_back_with_its_labels(web):
    answer = web.get(ROOT)
    assert (answer.url, answer.final_url, answer.status, answer.failure) == (ROOT, ROOT, 200, None)
    assert answer.body.decode() == "<p>Brötchen"
    assert answer.header("Content-Type") == "text/html; charset=utf-8"
    assert web.labels(ROOT) == ("bread", "rolls")
    assert web.split(ROOT) == "south"


def test_labels_are_counted_in_each_split(web):
    assert web.label_counts_by_split() == {"south": {"bread": 1, "rolls": 1}}


def test_bytes_keep_their_own_headers(web):
    answer = web.get(ROOT + "plain")
    assert (answer.body, answer.header("content-type")) == (b"caf\xe9", "text/plain")
    assert web.labels(ROOT + "plain") == () and web.split(ROOT + "plain") is None


def test_unknown_urls_are_404_and_unknown_hosts_do_not_exist(web):
    missing, nowhere = web.get(ROOT + "missing"), web.get("http://nowhere.test/")
    assert (missing.status, missing.failure) == (404, "http_404")
    assert (nowhere.status, nowhere.failure) == (None, "dns")
    assert web.labels(ROOT + "missing") == ()


def test_it_lists_what_it_holds(web):
    assert web.hosts == {"bakery.test"}
    assert web.count == 4
    assert list(web.urls()) == [ROOT, ROOT + "plain", ROOT + "scan", ROOT + "robots.txt"]
    assert (ROOT + "older", ROOT) in list(web.redirects())


def test_one_exchange_does_not_follow(web):
    answer = web.get(ROOT + "old")
    assert (answer.status, answer.header("Location"), answer.failure) == (301, ROOT + "older", None)


async def test_a_fetch_follows_as_http_does(web):
    fetcher = RecordedFetcher(web)
    answer = await fetcher.fetch(ROOT + "old")
    assert (answer.url, answer.final_url, answer.hops) == (ROOT + "old", ROOT, (ROOT + "older",))
    assert answer.body == web.get(ROOT).body and answer.fetched_at > 0
    assert answer == await _again(fetcher, answer)
    gone = await fetcher.fetch(ROOT + "gone")
    assert (gone.failure, gone.final_url) == ("dns", "http://elsewhere.test/x")
    assert (await fetcher.fetch(ROOT + "a")).failure == "too_many_redirects"
    assert (await fetcher.fetch(ROOT + "missing")).failure == "http_404"
    await fetcher.close()


async def _again(fetcher, answer):
    return replace(await fetcher.fetch(answer.url), fetched_at=answer.fetched_at)


async def test_a_fetch_judges_types_as_http_does(web):
    fetcher = RecordedFetcher(web)
    scan = await fetcher.fetch(ROOT + "scan")
    assert (scan.failure, scan.body) == ("not_text", b"")
    assert (await fetcher.fetch(ROOT + "scan", any_type=True)).body == b"%PDF"
    assert (await fetcher.fetch(ROOT + "robots.txt", any_type=True)).failure is None


async def test_of_a_page_no_more_is_read_than_the_limit(web):
    # robots.txt is not a page: it is read whole.
    whole = web.get(ROOT).body
    answer = await RecordedFetcher(web, 5).fetch(ROOT)
    assert (answer.body, answer.truncated) == (whole[:5], True)
    assert not (await RecordedFetcher(web, len(whole)).fetch(ROOT)).truncated
    robots = await RecordedFetcher(web, 5).fetch(ROOT + "robots.txt", any_type=True)
    assert robots.body == web.get(ROOT + "robots.txt").body != robots.body[:5]


async def test_a_fetch_asks_the_gate_before_every_hop(web):
    asked = []

    async def gate(url: str) -> str | None:
        asked.append(url)
        return "redirect_to_known" if url == ROOT else None

    answer = await RecordedFetcher(web).fetch(ROOT + "old", gate)
    assert asked == [ROOT + "old", ROOT + "older", ROOT]
    assert (answer.failure, answer.final_url, answer.body) == ("redirect_to_known", ROOT, b"")


def test_reading_at_once_follows_too(web):
    assert read(web, ROOT + "old").hops == (ROOT + "older",)
    assert read(web, ROOT + "scan").failure == "not_text"
    assert read(web, ROOT + "a").failure == "too_many_redirects"


def test_a_recorded_web_is_a_web(web):
    def pages(any_web: Web) -> int:
        return sum(1 for url in any_web.urls() if any_web.get(url).body)

    assert pages(web) == web.count


# Writing ----------------------------------------------------------------------------------------


def test_the_first_page_of_a_url_stays(tmp_path):
    with VirtualWebWriter(tmp_path / "web") as writer:
        assert writer.add(ROOT, "first")
        assert not writer.add(ROOT + "#again", "second")
        assert not writer.redirect(ROOT, ROOT + "x")
        assert writer.redirect(ROOT + "x", ROOT)
        assert not writer.add(ROOT + "x", "third")
        assert not writer.redirect(ROOT + "y", ROOT + "y")
    assert VirtualWeb(tmp_path / "web").get(ROOT).body == b"first"


def test_only_http_urls_are_taken(tmp_path):
    writer = VirtualWebWriter(tmp_path / "web")
    for url in ("ftp://bakery.test/", "mailto:x@y", "", "bakery.test/x"):
        with pytest.raises(BadURL):
            writer.add(url, "x")
        with pytest.raises(BadURL):
            writer.redirect(ROOT, url)
    writer.abort()


def test_headers_of_the_wire_are_left_out(tmp_path):
    headers = {
        "Content-Encoding": "gzip",
        "content-length": "9",
        "Transfer-Encoding": "chunked",
        "Server": "x",
        "Content-Type": "text/plain; charset=iso-8859-1",
    }
    with VirtualWebWriter(tmp_path / "web") as writer:
        writer.add(ROOT, "é", headers=headers)
    answer = VirtualWeb(tmp_path / "web").get(ROOT)
    assert answer.headers == (("Content-Type", "text/plain; charset=utf-8"), ("Server", "x"))
    assert answer.body == "é".encode()


def test_a_half_written_web_never_opens(tmp_path):
    directory = tmp_path / "web"
    writer = VirtualWebWriter(directory)
    writer.add(ROOT, "x")
    with pytest.raises(BadWebFile, match="no complete web"):
        VirtualWeb(directory)
    with pytest.raises(BadWebFile):
        VirtualWeb(tmp_path / "web.part")
    writer.finish()
    assert VirtualWeb(directory).count == 1


def test_an_exception_leaves_nothing_behind(tmp_path):
    with pytest.raises(RuntimeError), VirtualWebWriter(tmp_path / "web") as writer:
        writer.add(ROOT, "x")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_what_a_crash_left_is_cleared_away(tmp_path):
    crashed = VirtualWebWriter(tmp_path / "web")
    crashed.add(ROOT, "half")
    with VirtualWebWriter(tmp_path / "web") as writer:
        writer.add(ROOT, "whole")
    assert VirtualWeb(tmp_path / "web").get(ROOT).body == b"whole"


def test_a_web_is_never_overwritten(tmp_path, web):
    with pytest.raises(BadWebFile, match="exists already"):
        VirtualWebWriter(web.directory)


def test_a_web_of_another_version_is_reported(tmp_path, web):
    web.close()
    with sqlite3.connect(web.directory / INDEX) as index:
        index.execute("UPDATE meta SET value = '99'")
    with pytest.raises(BadWebFile, match="another version"):
        VirtualWeb(web.directory)


def test_a_damaged_index_is_reported(tmp_path, web):
    web.close()
    (web.directory / INDEX).write_bytes(b"no database at all" * 100)
    with pytest.raises(BadWebFile, match="cannot be read"):
        VirtualWeb(web.directory)
