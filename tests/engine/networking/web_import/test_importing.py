from __future__ import annotations

import gzip
import json
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from apps.engine.answers import Answer
from apps.engine.errors import BadWebFile
from apps.engine.networking.page_store.store import PageStoreWriter
from apps.engine.networking.web_import.importing import Skipped, import_json_lines, import_warc
from apps.engine.networking.webs.virtual_web import VirtualWeb, read

ROOT = "http://bakery.test/"
SHARED = Path(__file__).parents[4] / "shared" / "webs"


def lines(*pages: object) -> bytes:
    return b"\n".join(json.dumps(page).encode() for page in pages) + b"\n"


def page(path: str, **more: object) -> dict[str, object]:
    return {"url": ROOT + path, "html": f"<p>{path}", "topics": ["bread"]} | more


@pytest.mark.parametrize("packed", [True, False])
def test_it_imports_json_lines(tmp_path, packed):
    data = lines(
        page("a", split="s", headers={"Server": "x"}),
        page("b"),
        page("b"),
        page("c", url="ftp://x.test/"),
        {"url": "http://two.test/", "html": ""},
    )
    (tmp_path / "w.jsonl").write_bytes(gzip.compress(data) if packed else data)
    (tmp_path / "r.json").write_text(
        json.dumps({ROOT + "old": ROOT + "a", ROOT + "b": ROOT + "a", "ftp://x.test/": ROOT})
    )
    seen = []
    summary = import_json_lines(
        tmp_path / "w.jsonl", tmp_path / "web", tmp_path / "r.json", lambda *at: seen.append(at)
    )
    assert (summary.pages, summary.redirects, summary.hosts) == (3, 1, 2)
    assert summary.skipped == {
        "duplicate": 1,
        "not_http": 1,
        "redirect_not_needed": 1,
        "redirect_not_http": 1,
    }
    assert summary.examples[0] == Skipped(3, "duplicate", ROOT + "b")
    size = (tmp_path / "w.jsonl").stat().st_size
    assert seen[-1] == (size, size, 3)
    web = VirtualWeb(tmp_path / "web")
    assert web.get(ROOT + "a").body == b"<p>a" and web.split(ROOT + "a") == "s"
    assert web.get(ROOT + "a").header("server") == "x"
    assert web.labels(ROOT + "b") == ("bread",)
    assert read(web, ROOT + "old").final_url == ROOT + "a"
    assert read(web, "http://two.test/").failure == "empty"


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        (b"{not json", "line 2 is not a page: a name in double quotes is missing near"),
        (b"[1, 2]", "line 2 is not a page: it is not an object"),
        (b'{"html": "x"}', 'line 2 is not a page: "url" must be a text'),
        (b'{"url": "http://x.test/"}', 'line 2 is not a page: "html" must be a text'),
        (b'{"url": "http://x.test", "html": "", "topics": "b"}', 'line 2 is not a page: "topics"'),
        (b'{"url": "http://x.test", "html": "x", "topics": [1]}', 'line 2 is not a page: "topics"'),
        (b'{"url": "http://x.test", "html": "", "headers": []}', 'line 2 is not a page: "headers"'),
        (b"\xff\xfe\x00", "line 2 is not a page"),
    ],
)
def test_it_names_the_line_that_cannot_be_read(tmp_path, bad, words):
    (tmp_path / "w.jsonl").write_bytes(lines(page("a")) + bad + b"\n" + lines(page("b")))
    with pytest.raises(BadWebFile, match=words) as caught:
        import_json_lines(tmp_path / "w.jsonl", tmp_path / "web")
    assert caught.value.details["line"] == 2
    assert not (tmp_path / "web").exists() and not (tmp_path / "web.part").exists()


def test_it_states_where_a_packed_file_breaks_off(tmp_path):
    packed = gzip.compress(lines(*(page(str(i), html="x" * i) for i in range(500))))
    (tmp_path / "w.jsonl.gz").write_bytes(packed[: len(packed) // 2])
    with pytest.raises(BadWebFile, match="cannot be read after line"):
        import_json_lines(tmp_path / "w.jsonl.gz", tmp_path / "web")


@pytest.mark.parametrize("data", [b"", b"\n\n", lines(page("a", url="ftp://x.test/"))])
def test_a_file_without_a_page_is_refused(tmp_path, data):
    (tmp_path / "w.jsonl").write_bytes(data)
    with pytest.raises(BadWebFile, match="has no pages"):
        import_json_lines(tmp_path / "w.jsonl", tmp_path / "web")


@pytest.mark.parametrize("redirects", ["[1]", "{bad", ""])
def test_a_redirects_file_that_cannot_be_read_is_named(tmp_path, redirects):
    (tmp_path / "w.jsonl").write_bytes(lines(page("a")))
    (tmp_path / "r.json").write_text(redirects)
    with pytest.raises(BadWebFile, match=r"r\.json"):
        import_json_lines(tmp_path / "w.jsonl", tmp_path / "web", tmp_path / "r.json")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(BadWebFile, match=r"none\.jsonl"):
        import_json_lines(tmp_path / "none.jsonl", tmp_path / "web")
    with pytest.raises(BadWebFile, match=r"none\.warc"):
        import_warc(tmp_path / "none.warc", tmp_path / "web")


# WARC and WACZ ----------------------------------------------------------------------------------


def warc(packed: bool = True) -> bytes:
    out = BytesIO()
    writer = WARCWriter(out, gzip=packed)
    writer.write_record(writer.create_warcinfo_record("x", {"software": "test"}))

    def add(path: str, status: str, body: bytes, *headers: tuple[str, str]) -> None:
        named = headers or (("Content-Type", "text/html; charset=utf-8"),)
        http = StatusAndHeaders(status, list(named), protocol="HTTP/1.1")
        writer.write_record(
            writer.create_warc_record(
                ROOT + path, "response", payload=BytesIO(body), http_headers=http
            )
        )

    add("a", "200 OK", b"<p>a")
    add("a", "200 OK", b"<p>again")
    add(
        "z",
        "200 OK",
        gzip.compress(b"<p>packed", mtime=0),
        ("Content-Type", "text/html"),
        ("Content-Encoding", "gzip"),
    )
    add("old", "301 Moved", b"", ("Location", "/a"))
    add("image", "200 OK", b"\x89PNG", ("Content-Type", "image/png"))
    add("missing", "404 Not Found", b"no")
    add("none", "200 OK", b"")
    add("brotli", "200 OK", b"\x0b\x02", ("Content-Type", "text/html"), ("Content-Encoding", "br"))
    writer.write_record(
        writer.create_warc_record(
            ROOT + "a", "request", payload=BytesIO(b"GET /a HTTP/1.1\r\n\r\n")
        )
    )
    return out.getvalue()


def wacz(data: bytes) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w") as package:
        package.writestr("archive/data.warc.gz", data)
        package.writestr("datapackage.json", "{}")
    return out.getvalue()


def torn_page() -> bytes:
    """An archive that ends within the body of its last page."""
    out = BytesIO()
    writer = WARCWriter(out, gzip=False)
    http = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
    body = BytesIO(b"<p>" + b"x" * 5_000)
    writer.write_record(
        writer.create_warc_record(ROOT + "a", "response", payload=body, http_headers=http)
    )
    return out.getvalue()[:-3_000]


@pytest.mark.parametrize("data", [warc(), warc(packed=False), wacz(warc())])
def test_it_imports_archives(tmp_path, data):
    (tmp_path / "w").write_bytes(data)
    seen = []
    summary = import_warc(tmp_path / "w", tmp_path / "web", lambda *at: seen.append(at))
    assert (summary.pages, summary.redirects, summary.hosts) == (2, 1, 1)
    reasons = ("duplicate", "not_text", "http_404", "empty", "encoding")
    assert summary.skipped == dict.fromkeys(reasons, 1)
    assert seen[-1] == (len(data), len(data), 2)
    web = VirtualWeb(tmp_path / "web")
    assert web.get(ROOT + "a").body == b"<p>a"
    assert web.get(ROOT + "z").body == b"<p>packed"
    assert web.get(ROOT + "z").header("Content-Encoding") is None
    assert web.get(ROOT + "a").fetched_at > 1_000_000_000
    assert read(web, ROOT + "old").final_url == ROOT + "a"


def test_it_imports_what_our_own_page_store_wrote(tmp_path):
    (tmp_path / "w.jsonl").write_bytes(lines(page("a"), page("b")))
    import_json_lines(tmp_path / "w.jsonl", tmp_path / "one")
    summary = import_warc(tmp_path / "one" / "pages.warc.gz", tmp_path / "two")
    assert summary.pages == 2 and not summary.skipped
    one, two = VirtualWeb(tmp_path / "one"), VirtualWeb(tmp_path / "two")
    assert [one.get(url) for url in one.urls()] == [two.get(url) for url in two.urls()]


@pytest.mark.parametrize("data", [b"", b"hello there", warc()[:-200], torn_page()])
def test_an_archive_that_cannot_be_read_is_named(tmp_path, data):
    (tmp_path / "w.warc.gz").write_bytes(data)
    with pytest.raises(BadWebFile, match=r"w\.warc\.gz|record 1 breaks off"):
        import_warc(tmp_path / "w.warc.gz", tmp_path / "web")
    assert not (tmp_path / "web").exists()


RECORD = b"WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.test/\r\n"
CHUNK = (
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff\r\n"
)
SPACE = b" " * 2**20


@pytest.mark.parametrize(
    "data",
    [
        RECORD + b"X:" + SPACE,
        RECORD + b"X: 1\r\n" * 200_000,
        RECORD + b"Content-Length: 99999999\r\n\r\nHTTP/1.1 200 OK\r\nX:" + SPACE,
        RECORD + b"Content-Length: 999999999\r\n\r\n" + CHUNK,
        RECORD + b"Content-Length: 0\r\n\r\n" + SPACE,
    ],
)
def test_a_record_that_inflates_without_end_is_refused(tmp_path, data):
    (tmp_path / "w.warc.gz").write_bytes(gzip.compress(data, 1))
    with pytest.raises(BadWebFile, match="a record has"):
        import_warc(tmp_path / "w.warc.gz", tmp_path / "web")
    assert not (tmp_path / "web").exists()


def test_a_page_that_was_asked_under_another_url_keeps_both(tmp_path):
    writer = PageStoreWriter(tmp_path / "w.warc.gz")
    writer.append(Answer(ROOT + "x", ROOT + "y", 200, (("Content-Type", "text/html"),), b"<p>y"))
    writer.close()
    import_warc(tmp_path / "w.warc.gz", tmp_path / "web")
    web = VirtualWeb(tmp_path / "web")
    assert web.get(ROOT + "y").body == b"<p>y"
    assert read(web, ROOT + "x").final_url == ROOT + "y"


@pytest.mark.skipif(not SHARED.is_dir(), reason="needs the shared webs")
def test_it_imports_a_real_web(tmp_path):
    summary = import_json_lines(
        SHARED / "webkb.jsonl.gz", tmp_path / "web", SHARED / "webkb.redirects.json"
    )
    assert summary.pages == 8_219 and summary.skipped["not_http"] == 46
