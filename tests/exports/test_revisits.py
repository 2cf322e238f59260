"""Revisit records of pages that a visit was told had not changed."""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from array import array
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from warcio.archiveiterator import ArchiveIterator

from apps.crawls.models import Crawl, FailedRequest, RevisitPlan
from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.engine.frontier.revisits import DueAddress
from apps.engine.networking.page_store.records import pack
from apps.exports import wacz, warc
from apps.exports.revisits import RevisitRecords
from apps.exports.rows import Selection
from apps.main_text.reader import READER
from apps.main_text.reading import read_article
from apps.months.changing_web import DAY, ChangingWeb, WebScript
from apps.months.month import Month
from apps.months.serving import serve
from apps.watches.visits.planning import uniform
from apps.webs.importing import import_web
from tests.crawl_rows import made_crawl, made_page, made_topic
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


def unchanged_in(visit: Crawl, copies: Crawl, pages: int) -> None:
    """Makes a crawl a visit that was answered that no page of another crawl had changed."""
    urls = [f"http://a.test/{seq}" for seq in range(1, pages + 1)]
    due = [DueAddress(url, crawl=copies.pk, seq=seq) for seq, url in enumerate(urls, 1)]
    RevisitPlan.objects.create(crawl=visit, due=[list(address) for address in due], met=b"")
    FailedRequest.objects.bulk_create(
        FailedRequest(
            crawl=visit,
            request=seq,
            number=seq,
            url=url,
            final_url=url,
            host="a.test",
            kind=Failure.NOT_MODIFIED,
            at=timezone.now(),
        )
        for seq, url in enumerate(urls, 1)
    )


@pytest.mark.parametrize("pages", [2, 20])
def test_a_visit_is_read_once_however_many_pages_it_has_asked_for(db, pages: int) -> None:
    first = made_crawl(made_topic(person("ada")))
    visits = [made_crawl(first.topic) for _ in range(3)]
    for visit in visits:
        unchanged_in(visit, first, pages)
    with CaptureQueriesContext(connection) as queries:
        records = RevisitRecords([first, *visits])
        for seq in range(1, pages + 1):
            page = made_page(first, seq)
            answer = Answer(page.url, page.url, 200, body=b"grass", fetched_at=1.0)
            made = list(records.of(page, pack(answer).data))
            assert [each.url for each in made] == [page.url] * 3
            moments = [each.fetched_at for each in made]
            assert moments == sorted(moments) and len({*moments}) == 3
        records.close()
    assert len(queries) == 1 + 2 * len(visits), "not a query for each page and visit"


def test_without_pages_no_visit_is_read(db) -> None:
    crawl = made_crawl(made_topic(person("ada")))
    unchanged_in(made_crawl(crawl.topic), crawl, 2)
    with CaptureQueriesContext(connection) as queries:
        assert not b"".join(warc.export(Selection((crawl,), keys=array("q"))))
    assert not queries
