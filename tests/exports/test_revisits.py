"""Revisit records of pages that a visit was told had not changed."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest
from warcio.archiveiterator import ArchiveIterator

from apps.crawls.models import Crawl, FailedRequest
from apps.engine.codes import Failure
from apps.exports import wacz, warc
from apps.exports.rows import Selection
from apps.main_text.reader import READER
from apps.main_text.reading import read_article
from apps.research.watching.changing_web import DAY, ChangingWeb, WebScript
from apps.research.watching.month import Month
from apps.research.watching.serving import serve
from apps.watches.planning import uniform
from apps.webs.importing import import_web
from tests.people import person

SCRIPT = WebScript(hosts=2, pages=30, on_topic=0.5, new=1.0, days=2, lively=0.2)
PROFILE = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"


class Visited(NamedTuple):
    """A topic's crawls, the last of them visits, and the answers that a page had not changed."""

    crawls: tuple[Crawl, ...]
    unchanged: list[FailedRequest]


@pytest.fixture
def visited(transactional_db, data_dir: Path, tmp_path: Path, monkeypatch) -> Iterator[Visited]:
    monkeypatch.setattr(READER, "read", read_article)
    web = ChangingWeb(SCRIPT, datetime.now(UTC) - 3 * DAY)
    with serve(web) as port:
        month = Month(web, port, person("ada"), tmp_path)
        watch = month.watch(100)
        month.run(watch, "all of it", uniform)
    crawls = Crawl.objects.filter(topic=month.topic).select_related("topic", "web").order_by("pk")
    rows = FailedRequest.objects.filter(kind=Failure.NOT_MODIFIED, crawl__topic=month.topic)
    yield Visited(tuple(crawls), list(rows))


def test_they_follow_the_pages_that_they_repeat(visited: Visited, tmp_path: Path) -> None:
    archive = b"".join(warc.export(Selection(visited.crawls)))
    pages: dict[tuple[str, str], str] = {}
    revisits = []
    for record in ArchiveIterator(io.BytesIO(archive), check_digests=True):
        head = record.rec_headers
        at = head.get_header("WARC-Target-URI"), head.get_header("WARC-Date")
        if record.rec_type == "response":
            pages[at] = head.get_header("WARC-Payload-Digest")
        elif record.rec_type == "revisit":
            revisits.append(at[0])
            assert head.get_header("WARC-Profile") == PROFILE
            assert record.length == 0, "a reader shows the page, not an empty answer"
            refers = (
                head.get_header("WARC-Refers-To-Target-URI"),
                head.get_header("WARC-Refers-To-Date"),
            )
            assert at[1] > refers[1]
            assert pages[refers] == head.get_header("WARC-Payload-Digest")
    assert visited.unchanged
    assert sorted(revisits) == sorted(row.final_url for row in visited.unchanged)
    path = tmp_path / "watched.warc.gz"
    path.write_bytes(archive)
    summary = import_web("again", path)[1]
    assert summary.pages == len({url for url, _ in pages})
    assert "revisit" not in summary.skipped


def test_the_index_of_a_package_leads_to_them(visited: Visited) -> None:
    packed = b"".join(wacz.export(Selection(visited.crawls)))
    package = zipfile.ZipFile(io.BytesIO(packed))
    archive = package.read(wacz.ARCHIVE)
    fields = [
        json.loads(line.split(" ", 2)[2]) for line in package.read(wacz.INDEX).decode().splitlines()
    ]
    pages = {each["digest"] for each in fields if each["mime"] != "warc/revisit"}
    revisits = [each for each in fields if each["mime"] == "warc/revisit"]
    assert len(revisits) == len(visited.unchanged)
    for each in revisits:
        start, length = int(each["offset"]), int(each["length"])
        text = gzip.decompress(archive[start : start + length])
        assert text.startswith(b"WARC/1.1\r\nWARC-Type: revisit\r\n")
        assert f"WARC-Target-URI: {each['url']}\r\n".encode() in text
        assert each["digest"] in pages and each["status"] == "200"
    listed = package.read(wacz.PAGES).decode().splitlines()[1:]
    assert len(listed) == len(fields) - len(revisits)


def test_a_file_without_the_page_has_no_revisit_of_it(visited: Visited) -> None:
    last = b"".join(warc.export(Selection(visited.crawls[-1:])))
    first = b"".join(warc.export(Selection(visited.crawls[:1])))
    for archive in (last, first):
        records = ArchiveIterator(io.BytesIO(archive))
        assert "revisit" not in [record.rec_type for record in records]
