"""Collections as CSV, JSON lines and WARC."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth import get_user_model
from django.core.management import CommandError, call_command
from django.db import connections
from django.test import AsyncClient
from django.urls import reverse
from warcio.archiveiterator import ArchiveIterator

from apps.accounts.sharing import share_with_everybody
from apps.collection.indexing.reading import main_texts
from apps.crawls.models import Crawl, Page
from apps.crawls.pages.folder import crawl_folder
from apps.engine.answers import Answer
from apps.engine.errors import BadWebFile
from apps.engine.networking.page_store.store import PageStoreWriter
from apps.exports import csv as csv_export
from apps.exports import jsonl, rows, warc
from apps.exports.columns import COLUMNS, USUAL, UnknownColumn, column_names
from apps.exports.csv import neutralised
from apps.exports.dictionary import dictionary
from apps.exports.rows import Selection
from apps.screens.downloads.views import pieces
from apps.stored_pages.page_text import VisibleText, page_text
from apps.topics.models import Topic
from apps.webs.importing import import_web
from apps.webs.models import Web
from apps.webs.opening import open_web

HOSTILE = ['=cmd|"/c calc"!A1', "+1", "-1+2", "@SUM(A1)", "\tx", "\rx", 'a "quoted", title', "ü\n"]
MOMENT = datetime(2026, 6, 3, 10, 12, 5, 250_000, UTC)


@pytest.fixture
def owner(db):
    return get_user_model().objects.create_user("ada")


def new_crawl(owner, web: Web, over: str) -> Crawl:
    name = "Rye: =bread!" if over == "http" else "Recorded"
    topic = Topic.objects.create(owner=owner, name=name)
    return Crawl.objects.create(
        owner=owner,
        topic=topic,
        web=web,
        over=over,
        strategy="full_page",
        budget=10,
        request_limit=50,
    )


def add_page(crawl: Crawl, seq: int, **values: Any) -> Page:
    fields: dict[str, Any] = {
        "request": seq,
        "number": seq - 1,
        "url": f"http://a.test/{seq}",
        "final_url": f"http://a.test/{seq}",
        "host": "a.test",
        "http_status": 200,
        "words": 3,
        "priority": -0.5,
        "parent": -1,
        "depth": 0,
        "fetched_at": MOMENT,
        "seconds": 0.1,
        "digest": "sha1:X",
        "file": "",
        "offset": 0,
        "length": 0,
        **values,
    }
    return Page.objects.create(crawl=crawl, seq=seq, **fields)


@pytest.fixture
def crawl(owner, data_dir: Path) -> Crawl:
    """Eight pages with hostile titles, stored by the crawl itself; the first is a seed."""
    web = Web.objects.create(name="live", source=Web.Source.LIVE)
    crawl = new_crawl(owner, web, "http")
    folder = crawl_folder(crawl.pk)
    folder.mkdir(parents=True)
    writer = PageStoreWriter(folder / "pages-000001.warc.gz")
    for seq, title in enumerate(HOSTILE, 1):
        url = f"http://a.test/{seq}"
        record = writer.append(
            Answer(
                url,
                url,
                200,
                (("Content-Type", "text/html"),),
                f"<p>Rye number {seq}</p>".encode(),
                fetched_at=MOMENT.timestamp(),
            )
        )
        add_page(
            crawl,
            seq,
            title=title,
            seed=seq == 1,
            parent=seq - 2,
            relevant=seq % 2 == 0,
            votes=2,
            votes_of=3,
            probability=0.75,
            file=record.file,
            offset=record.offset,
            length=record.length,
            digest=record.digest,
        )
    writer.close()
    Crawl.objects.filter(pk=crawl.pk).update(pages=len(HOSTILE))
    return Crawl.objects.get(pk=crawl.pk)


@pytest.fixture
def recorded(owner, data_dir: Path) -> Crawl:
    """Three pages of a recorded web, which the crawl has not stored again."""
    lines = [
        json.dumps({"url": f"http://a.test/{i}", "html": f"<p>Wheat {i}</p>"}) for i in range(1, 4)
    ]
    path = data_dir / "small.jsonl"
    path.write_text("\n".join(lines))
    crawl = new_crawl(owner, import_web("small", path)[0], "record")
    for seq in range(1, 4):
        add_page(crawl, seq)
    return crawl


def as_csv(crawl: Crawl, *columns: str) -> list[dict[str, str]]:
    text = b"".join(csv_export.export(Selection.of_crawl(crawl, *columns))).decode()
    return list(csv.DictReader(io.StringIO(text, newline="")))


def as_json(crawl: Crawl, *columns: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in jsonl.export(Selection.of_crawl(crawl, *columns))]


def as_warc(crawl: Crawl) -> dict[str, bytes]:
    data = io.BytesIO(b"".join(warc.export(Selection.of_crawl(crawl))))
    return {
        record.rec_headers.get_header("WARC-Target-URI"): record.content_stream().read()
        for record in ArchiveIterator(data, check_digests="raise")
        if record.rec_type == "response"
    }


def test_no_cell_is_a_formula(crawl: Crawl) -> None:
    titles = [row["title"] for row in as_csv(crawl)]
    assert titles == [f"'{t}" if t[0] in "=+-@\t\r" else t for t in HOSTILE]


@pytest.mark.parametrize(
    "text",
    ["＝1+1", "＋1", "－1", "＠SUM(A1)", "\ufeff=1", "\u200b+1", " =1", "\u00a0@A1", "\u3000＝1"],
)
def test_a_formula_in_full_width_or_behind_unseen_letters_is_one_too(text: str) -> None:
    assert neutralised(text) == f"'{text}"


def test_other_texts_are_left_as_they_are() -> None:
    for text in ("", " ", "a=b", "\ufeffplain", "１＋１"):
        assert neutralised(text) == text


def test_numbers_stay_numbers(crawl: Crawl) -> None:
    columns = (
        "page priority probability relevant votes_for votes seed topicality parent_url fetched_at"
    ).split()
    row = as_csv(crawl, *columns)[1]
    assert list(row) == columns
    assert (row["page"], row["priority"], row["probability"]) == ("2", "-0.5", "0.7500")
    assert (row["relevant"], row["seed"]) == ("true", "false")
    assert (row["votes_for"], row["votes"]) == ("2", "3")
    assert (row["topicality"], row["parent_url"]) == ("", "http://a.test/1")
    assert row["fetched_at"] == "2026-06-03T10:12:05.250+00:00"


def test_a_sentence_gives_the_reason_a_page_is_there(crawl: Crawl) -> None:
    Page.objects.filter(seq=3).update(relevant=None, needs_javascript=True, depth=2)
    sentences = [row["why"] for row in as_csv(crawl, "why")]
    assert sentences[:3] == [
        "Not relevant: 2 of 3 judges say yes, probability 0.75. A seed of the crawl.",
        "Relevant: 2 of 3 judges say yes, probability 0.75. 0 links from a seed, linked from"
        " http://a.test/1.",
        "Not judged: its text needs JavaScript. 2 links from a seed, linked from http://a.test/2.",
    ]


def test_the_dictionary_names_type_and_meaning_of_every_column() -> None:
    text = b"".join(dictionary(COLUMNS.values())).decode()
    read = {row["column"]: row for row in csv.DictReader(io.StringIO(text, newline=""))}
    assert list(read) == list(COLUMNS)
    assert all(row["meaning"] for row in read.values())
    assert read["votes"]["type"] == "whole number"


def test_a_file_has_the_columns_that_people_read_unless_others_are_chosen(crawl: Crawl) -> None:
    first = as_csv(crawl)[0]
    read = "title language published published_source url final_url host kind words relevant"
    judged = "votes_for votes probability label why topicality topicality_at_end captured_at crawl"
    assert list(first) == f"{read} {judged}".split()


def test_columns_are_chosen_by_name_in_any_order(crawl: Crawl) -> None:
    assert column_names(["url,title", "page", "url"]) == ("url", "title", "page")
    assert list(as_csv(crawl, "url", "page")[0]) == ["url", "page"]
    with pytest.raises(UnknownColumn, match=r"“rank” is not a column. The columns are page, title"):
        column_names(["rank"])


def test_json_lines_hold_what_the_csv_holds(crawl: Crawl) -> None:
    lines = as_json(crawl)
    assert [row["title"] for row in lines] == HOSTILE
    usual = [name for name in USUAL if name != "labels"]
    assert list(lines[0]) == [*usual, "text"]
    assert (lines[0]["relevant"], lines[0]["label"], lines[0]["votes"]) == (False, None, 3)


def test_json_lines_hold_the_text_as_written(crawl: Crawl, recorded: Crawl) -> None:
    assert as_json(crawl)[2]["text"] == "Rye number 3"
    assert [row["text"] for row in as_json(recorded, "text")] == ["Wheat 1", "Wheat 2", "Wheat 3"]


def test_a_web_can_be_made_of_json_lines(crawl: Crawl, data_dir: Path) -> None:
    Page.objects.filter(seq=3).update(title="Bread & butter")
    path = data_dir / "again.jsonl"
    path.write_bytes(b"".join(jsonl.export(Selection.of_crawl(crawl))))
    web, summary = import_web("again", path)
    assert summary.pages == 8
    answer = open_web(web).get("http://a.test/3")
    assert page_text(answer) == VisibleText("Bread & butter", "Rye number 3")
    assert answer.fetched_at == MOMENT.timestamp()


def test_small_chunks_change_nothing(crawl: Crawl, monkeypatch) -> None:
    whole = as_json(crawl)
    monkeypatch.setattr(rows.Selection.chunks, "__defaults__", (3,))
    assert as_json(crawl) == whole


def test_the_warc_is_what_was_stored(crawl: Crawl) -> None:
    stored = (crawl_folder(crawl.pk) / "pages-000001.warc.gz").read_bytes()
    assert b"".join(warc.export(Selection.of_crawl(crawl))) in stored
    assert as_warc(crawl)["http://a.test/3"] == b"<p>Rye number 3</p>"


def test_the_warc_of_a_recorded_web_is_read_from_it(recorded: Crawl, monkeypatch) -> None:
    monkeypatch.setattr(warc, "CHUNK", 2)
    assert as_warc(recorded) == {
        f"http://a.test/{i}": f"<p>Wheat {i}</p>".encode() for i in range(1, 4)
    }


def test_the_date_of_a_capture_outlives_import_crawl_and_download(owner, data_dir: Path) -> None:
    path = data_dir / "old.warc.gz"
    writer = PageStoreWriter(path)
    captured = datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC)
    url, html = "http://a.test/1", (("Content-Type", "text/html"),)
    writer.append(Answer(url, url, 200, html, b"<p>Rye", fetched_at=captured.timestamp()))
    writer.close()
    crawl = new_crawl(owner, import_web("old", path)[0], "record")
    add_page(crawl, 1)
    (row,) = as_json(crawl, "captured_at", "fetched_at")
    assert datetime.fromisoformat(row["captured_at"]) == captured
    assert datetime.fromisoformat(row["fetched_at"]) == MOMENT
    data = io.BytesIO(b"".join(warc.export(Selection.of_crawl(crawl))))
    dates = [record.rec_headers.get_header("WARC-Date") for record in ArchiveIterator(data)]
    assert dates == ["2024-05-06T07:08:09.000000Z"]


def test_a_web_without_dates_has_none(recorded: Crawl) -> None:
    assert [row["captured_at"] for row in as_json(recorded, "captured_at")] == [None] * 3


def test_a_lost_page_is_reported(crawl: Crawl) -> None:
    path = crawl_folder(crawl.pk) / "pages-000001.warc.gz"
    path.write_bytes(path.read_bytes()[:600])
    with pytest.raises(BadWebFile, match="has been cut"):
        as_warc(crawl)
    path.unlink()
    with pytest.raises(BadWebFile, match="page 1 cannot be read"):
        as_warc(crawl)


def test_pieces_are_the_same_bytes() -> None:
    parts = [b"ab", b"", b"cdef", b"g"] * 10
    joined = list(pieces(iter(parts), 5))
    assert b"".join(joined) == b"".join(parts)
    assert all(len(piece) >= 5 for piece in joined[:-1])


def test_the_command_writes_a_whole_file_or_none(crawl: Crawl, tmp_path: Path) -> None:
    path = tmp_path / "out.csv"
    call_command("export", str(crawl.pk), "--format", "csv", "-o", str(path))
    assert len(path.read_text().splitlines()) >= 9
    for stored in crawl_folder(crawl.pk).iterdir():
        stored.unlink()
    broken = tmp_path / "out.warc.gz"
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("export", str(crawl.pk), "--format", "warc", "-o", str(broken))
    assert sorted(p.name for p in tmp_path.glob("out.*")) == ["out.csv"]


def test_the_command_reads_the_texts_that_no_worker_has_read(crawl: Crawl, capfd) -> None:
    columns = ("--columns", "page,language")
    call_command("export", str(crawl.pk), "--format", "csv", *columns)
    first = capfd.readouterr()
    assert "Reading the text of" in first.err
    assert len(main_texts([page.pk for page in crawl.pages_fetched.all()])) == 8
    call_command("export", str(crawl.pk), "--format", "csv", *columns)
    again = capfd.readouterr()
    assert (again.out, again.err) == (first.out, "")


def test_the_command_writes_to_stdout(crawl: Crawl, capfdbinary) -> None:
    columns = ("--columns", "page,url")
    call_command("export", str(crawl.pk), "--format", "jsonl", "--relevant", *columns)
    lines = capfdbinary.readouterr().out.splitlines()
    assert [json.loads(line)["page"] for line in lines] == [2, 4, 6, 8]


def test_the_command_refuses_what_a_format_cannot_do(crawl: Crawl) -> None:
    for options, words in (
        (("--format", "csv", "--columns", "rank"), "“rank” is not a column"),
        (("--format", "warc", "--columns", "url"), "WARC has no columns to choose"),
        (("--format", "queue", "--relevant"), "no filter applies to it"),
    ):
        with pytest.raises(CommandError, match=words):
            call_command("export", str(crawl.pk), *options)


def test_an_unknown_crawl_is_reported(db) -> None:
    with pytest.raises(CommandError, match="no crawl 999"):
        call_command("export", "999", "--format", "csv")


def test_the_list_of_crawls_is_json(crawl: Crawl) -> None:
    out = io.StringIO()
    call_command("crawls", "--json", stdout=out)
    written = json.loads(out.getvalue())
    assert [(each["crawl"], each["topic"], each["state"]) for each in written] == [
        (crawl.pk, "Rye: =bread!", "draft"),
    ]
    assert "trajectory" not in written[0]


async def download(user, pk: int, format: str, **query: str) -> Any:
    client = AsyncClient()
    if user is not None:
        await client.aforce_login(user)
    address = reverse("downloads:crawl_search", args=[pk])
    return await client.get(address, {"format": format, **query})


async def body(answer: Any) -> bytes:
    return b"".join([piece async for piece in answer.streaming_content])


@pytest.fixture
async def closed(crawl: Crawl) -> AsyncIterator[None]:
    """Closes the connections of the threads that views ran in."""
    yield
    await sync_to_async(connections.close_all)()


@pytest.mark.django_db(transaction=True)
async def test_a_download_is_streamed_to_its_owner(crawl: Crawl, owner, closed) -> None:
    answer = await download(owner, crawl.pk, "csv", relevant="1", columns="page")
    assert answer.status_code == 200
    assert answer.streaming
    assert answer["Content-Disposition"] == (
        f'attachment; filename="crawl-{crawl.pk}-rye-bread.csv"'
    )
    lines = list(csv.DictReader(io.StringIO((await body(answer)).decode(), newline="")))
    assert [line["page"] for line in lines] == ["2", "4", "6", "8"]


@pytest.mark.django_db(transaction=True)
async def test_a_download_of_lost_pages_leads_back_with_a_sentence(
    crawl: Crawl, owner, closed
) -> None:
    for stored in crawl_folder(crawl.pk).iterdir():
        stored.unlink()
    answer = await download(owner, crawl.pk, "warc")
    assert answer.status_code == 302
    assert answer.url.startswith(reverse("collection:crawl", args=[crawl.pk]))


@pytest.mark.django_db(transaction=True)
async def test_downloads_are_for_those_who_may_see_the_crawl(crawl: Crawl, owner, closed) -> None:
    stranger = await get_user_model().objects.acreate(username="eve")
    assert (await download(stranger, crawl.pk, "csv")).status_code == 404
    assert (await download(None, crawl.pk, "csv")).status_code == 302
    assert (await download(owner, crawl.pk, "exe")).status_code == 404
    await sync_to_async(share_with_everybody)(crawl)
    shared = await download(stranger, crawl.pk, "jsonl")
    assert len((await body(shared)).splitlines()) == 8
