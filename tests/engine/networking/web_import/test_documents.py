"""Webs of HTML files, of JSON arrays and of HAR files."""

from __future__ import annotations

import base64
import json
import zipfile
from pathlib import Path

import pytest

from apps.engine.errors import BadLine, BadWebFile
from apps.engine.networking.web_import import documents
from apps.engine.networking.web_import.importing import import_html_files, import_json_document
from apps.engine.networking.webs.virtual_web import VirtualWeb

FILES = {"a.test/index.html": "<p>start", "a.test/x/y.html": "<p>y", "a.test/z.png": "no"}


def test_paths_of_html_files_are_addresses(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "w.zip", "w") as package:
        for name, text in FILES.items():
            package.writestr(name, text)
        package.extractall(tmp_path / "folder")
    for number, source in enumerate((tmp_path / "w.zip", tmp_path / "folder")):
        summary = import_html_files(source, tmp_path / f"web{number}")
        assert summary.pages == 2
        web = VirtualWeb(tmp_path / f"web{number}")
        assert web.get("https://a.test/x/y.html").body == b"<p>y"
        assert web.page_at("https://a.test/x/y") == "https://a.test/x/y.html"
        assert web.page_at("https://a.test/") == "https://a.test/index.html"


def test_files_without_a_host_have_one_that_cannot_exist(tmp_path: Path) -> None:
    (tmp_path / "folder" / "sub").mkdir(parents=True)
    (tmp_path / "folder" / "sub" / "a b.html").write_text("<p>x")
    import_html_files(tmp_path / "folder", tmp_path / "web")
    assert [*VirtualWeb(tmp_path / "web").urls()] == ["https://files.invalid/sub/a%20b.html"]


def test_an_array_of_pages_is_a_web(tmp_path: Path) -> None:
    pages = [{"url": f"http://a.test/{n}", "content": f"<p>{n}"} for n in range(3)]
    (tmp_path / "w.json").write_text(json.dumps([*pages, {"url": 1}]))
    with pytest.raises(BadLine, match="line 4 is not a page"):
        import_json_document(tmp_path / "w.json", tmp_path / "web")
    summary = import_json_document(tmp_path / "w.json", tmp_path / "web", leave_out_bad=True)
    assert (summary.pages, summary.skipped["bad_line"]) == (3, 1)


def test_the_answers_of_a_har_file_are_a_web(tmp_path: Path) -> None:
    def entry(url: str, status: int = 200, **response: object) -> dict[str, object]:
        return {
            "startedDateTime": "2024-05-06T07:08:09Z",
            "request": {"method": "GET", "url": url},
            "response": {"status": status, **response},
        }

    packed = base64.b64encode("<p>é".encode("latin-1")).decode()
    entries = [
        entry("http://a.test/", content={"mimeType": "text/html", "text": "<p>ü"}),
        entry("http://a.test/old", 301, redirectURL="/"),
        entry("http://a.test/no", 404),
        entry("http://a.test/i", content={"mimeType": "image/png", "text": "x"}),
        entry(
            "http://a.test/l",
            content={
                "mimeType": "text/html; charset=latin-1",
                "encoding": "base64",
                "text": packed,
            },
        ),
        {"request": None},
    ]
    (tmp_path / "w.har").write_text(json.dumps({"log": {"entries": entries}}))
    summary = import_json_document(tmp_path / "w.har", tmp_path / "web")
    assert (summary.pages, summary.redirects) == (2, 1)
    assert summary.skipped == {"http_404": 1, "not_text": 1}
    web = VirtualWeb(tmp_path / "web")
    assert web.get("http://a.test/").body == "<p>ü".encode()
    assert web.get("http://a.test/l").header("content-type") == "text/html; charset=latin-1"
    assert web.captured_at("http://a.test/") == 1714979289.0


def test_a_document_that_is_too_large_is_refused(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(documents, "LARGEST_DOCUMENT", 10)
    (tmp_path / "w.json").write_text("[" + " " * 20 + "]")
    with pytest.raises(BadWebFile, match="write one page a line instead"):
        import_json_document(tmp_path / "w.json", tmp_path / "web")
