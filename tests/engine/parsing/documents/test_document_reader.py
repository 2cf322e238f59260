"""Documents of web archives, read back as they are imported."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from apps.engine.answers import Answer
from apps.engine.kinds import DocumentKind
from apps.engine.networking.page_store.store import PageStoreWriter
from apps.engine.networking.web_import.importing import import_warc
from apps.engine.networking.webs.virtual_web import VirtualWeb, read
from apps.engine.parsing.document import parse
from apps.engine.parsing.documents.document_reader import DocumentReader
from tests.made_documents import pdf

URL, BROKEN, PAGE = (f"http://bakery.test/{name}" for name in ("rye.pdf", "broken.pdf", "a.html"))
PDF = (("Content-Type", "application/pdf"),)
BODY = pdf([["Rye bread of sour dough"]], title="Rye", links={(0, 0): PAGE})


def own_archive(path: Path) -> None:
    """As a crawl stores it: the document with the page that it was converted to."""
    writer = PageStoreWriter(path)
    with DocumentReader() as convert:
        writer.append(convert(Answer(URL, URL, 200, PDF, BODY, fetched_at=5.0)))
    writer.append(Answer(PAGE, PAGE, 200, (("Content-Type", "text/html"),), b"<p>bread"))
    writer.close()


def foreign_archive(path: Path) -> None:
    """As other programs store it: the document alone, and one that is none."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        for url, kind, body in (
            (URL, "application/pdf", BODY),
            (BROKEN, "application/pdf", b"%PDF-1.4 and nothing more"),
            (PAGE, "text/html", b"<p>bread"),
        ):
            http = StatusAndHeaders("200 OK", [("Content-Type", kind)], protocol="HTTP/1.1")
            record = writer.create_warc_record(url, "response", BytesIO(body), http_headers=http)
            writer.write_record(record)


@pytest.mark.parametrize(
    ("write", "skipped"),
    [
        pytest.param(own_archive, {}, id="our_own"),
        pytest.param(foreign_archive, {"broken_document": 1}, id="of_others"),
    ],
)
def test_a_pdf_of_an_archive_is_a_page_with_its_bytes_kept(tmp_path, write, skipped) -> None:
    write(tmp_path / "a.warc.gz")
    with DocumentReader() as convert:
        summary = import_warc(tmp_path / "a.warc.gz", tmp_path / "web", convert=convert)
    assert (summary.pages, dict(summary.skipped)) == (2, skipped)
    web = VirtualWeb(tmp_path / "web")
    document = parse(read(web, URL))
    assert document.title == "Rye"
    assert document.words[:3] == ["rye", "rye", "bread"]
    assert document.links.urls == (PAGE,)
    stored = web.stored(URL)
    assert stored is not None and stored.body == BODY
    assert stored.converted is not None
    assert stored.converted.kind is DocumentKind.PDF
    web.close()


def test_without_a_reader_documents_are_skipped(tmp_path) -> None:
    foreign_archive(tmp_path / "a.warc.gz")
    summary = import_warc(tmp_path / "a.warc.gz", tmp_path / "web")
    assert (summary.pages, dict(summary.skipped)) == (1, {"not_text": 2})
