"""Web archives in every packing make the same web."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import brotli
import pytest
import zstandard
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from apps.engine.errors import BadLine, BadWebFile
from apps.engine.networking.web_import import archive_files
from apps.engine.networking.web_import.importing import import_warc
from apps.engine.networking.web_import.kinds import WebKind, web_kind
from apps.engine.networking.webs.virtual_web import VirtualWeb

ROOT = "http://a.test/"
BODIES = {ROOT + name: f"<p>Rye {name}, <a href=/b>more</a>".encode() for name in "abc"}


def warc(
    packed: bool = False, code: Callable[[bytes], bytes] = bytes, *headers: tuple[str, str]
) -> bytes:
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=packed)
    for url, body in BODIES.items():
        lines = [("Content-Type", "text/html"), *headers]
        http = StatusAndHeaders("200 OK", lines, protocol="HTTP/1.1")
        payload = io.BytesIO(code(body))
        writer.write_record(
            writer.create_warc_record(url, "response", payload=payload, http_headers=http)
        )
    return out.getvalue()


def arc() -> bytes:
    out = b"filedesc://a.arc 0.0.0.0 20080101000000 text/plain 13\n1 0 Crawl\nURL\n\n"
    for url, body in BODIES.items():
        answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
        out += f"{url} 1.2.3.4 20080101120001 text/html {len(answer)}\n".encode() + answer + b"\n"
    return out


def zipped(**files: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        for name, data in files.items():
            package.writestr(name.replace("__", "."), data)
    return out.getvalue()


def with_dictionary(data: bytes) -> bytes:
    samples = [bytes([65 + i % 26]) * 40 + data[i : i + 60] for i in range(400)]
    dictionary = zstandard.train_dictionary(1_024, samples)
    head = archive_files.DICTIONARY + len(dictionary.as_bytes()).to_bytes(4, "little")
    body = zstandard.ZstdCompressor(dict_data=dictionary).compress(data)
    return head + dictionary.as_bytes() + body


def chunked(body: bytes) -> bytes:
    return f"{len(body):x}\r\n".encode() + body + b"\r\n0\r\n\r\n"


def zstd(body: bytes) -> bytes:
    return zstandard.ZstdCompressor().compress(body)


PACKINGS = {
    "plain": warc(),
    "a member a record": warc(packed=True),
    "one member": gzip.compress(warc()),
    "something after the last member": warc(packed=True) + b"\0\0\0garbage",
    "zstd": zstd(warc()),
    "zstd with a dictionary": with_dictionary(warc()),
    "arc": arc(),
    "gzipped arc": gzip.compress(arc()),
    "zip": zipped(x__warc=warc(), readme__txt=b"no"),
    "wacz in a wacz": zipped(x__wacz=zipped(y__arc__gz=gzip.compress(arc()))),
    "br": warc(False, brotli.compress, ("Content-Encoding", "br")),
    "zstd bodies": warc(True, zstd, ("Content-Encoding", "zstd")),
    "a stale header": warc(False, bytes, ("Content-Encoding", "br")),
    "two members": warc(
        False,
        lambda body: gzip.compress(body[:9]) + gzip.compress(body[9:]),
        ("Content-Encoding", "gzip"),
    ),
    "chunks": warc(False, chunked, ("Transfer-Encoding", "Chunked")),
}


@pytest.mark.parametrize("data", PACKINGS.values(), ids=PACKINGS)
def test_the_same_pages_come_of_every_packing(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "w"
    path.write_bytes(data)
    assert web_kind(path) is WebKind.ARCHIVE
    import_warc(path, tmp_path / "web")
    web = VirtualWeb(tmp_path / "web")
    assert {url: web.get(url).body for url in web.urls()} == BODIES
    assert all(web.captured_at(url) for url in BODIES)


@pytest.mark.parametrize(
    "data", [warc()[:-70], warc(packed=True)[:-70], gzip.compress(warc())[:-9]]
)
def test_of_a_torn_file_the_pages_before_come_on_request(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "w"
    path.write_bytes(data)
    with pytest.raises(BadLine, match="breaks off") as caught:
        import_warc(path, tmp_path / "web")
    assert caught.value.details["line"] and not (tmp_path / "web").exists()
    summary = import_warc(path, tmp_path / "web", leave_out_bad=True)
    assert 1 <= summary.pages <= 3 and summary.skipped["broken_off"] == 1


def test_several_files_make_one_web(tmp_path: Path) -> None:
    one, other = tmp_path / "one.warc", tmp_path / "other.arc"
    one.write_bytes(warc())
    other.write_bytes(arc().replace(b"a.test", b"b.test"))
    assert import_warc([one, other], tmp_path / "web").hosts == 2


def test_files_texts_and_revisits_are_read(tmp_path: Path) -> None:
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=False)

    def add(url: str, kind: str, body: bytes, of: str, **headers: str) -> None:
        writer.write_record(
            writer.create_warc_record(
                url, kind, payload=io.BytesIO(body), warc_content_type=of, warc_headers_dict=headers
            )
        )

    add(ROOT + "a", "resource", b"<p>a", "text/html")
    add(ROOT + "t", "conversion", b"Rye bread", "text/plain")
    http = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
    writer.write_record(
        writer.create_revisit_record(ROOT + "r", "sha1:A", ROOT + "a", "2024-05-06T07:08:09Z", http)
    )
    (tmp_path / "w").write_bytes(out.getvalue())
    summary = import_warc(tmp_path / "w", tmp_path / "web")
    assert (summary.pages, summary.redirects) == (2, 1)
    web = VirtualWeb(tmp_path / "web")
    assert web.page_at(ROOT + "r") == ROOT + "a"
    assert web.get(ROOT + "t").header("content-type") == "text/plain"


def test_what_unpacks_to_too_much_is_refused(tmp_path: Path, monkeypatch) -> None:
    path = tmp_path / "w"
    for data in (gzip.compress(warc()), zstd(warc()), zipped(x__warc=warc())):
        path.write_bytes(data)
        with monkeypatch.context() as patch:
            patch.setattr(archive_files, "MOST_UNPACKED", 500)
            with pytest.raises(BadWebFile, match="unpacks to more"):
                import_warc(path, tmp_path / "web")
    monkeypatch.setattr(archive_files, "MOST_ENTRIES", 1)
    path.write_bytes(zipped(x__warc=warc(), y__warc=warc()))
    with pytest.raises(BadWebFile, match="more than 1 files"):
        import_warc(path, tmp_path / "web")
