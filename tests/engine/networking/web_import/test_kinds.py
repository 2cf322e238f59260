"""What a file to make a web of is."""

from __future__ import annotations

import gzip
import zipfile
from pathlib import Path

import pytest

from apps.engine.errors import BadWebFile
from apps.engine.networking.web_import.kinds import WebKind, web_kind


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"WARC/1.0\r\n", WebKind.ARCHIVE),
        (gzip.compress(b"WARC/1.1\r\n", mtime=0), WebKind.ARCHIVE),
        (b"filedesc://x.arc 0.0.0.0", WebKind.ARCHIVE),
        (b'{"url": "http://a.test/"}\n', WebKind.JSON_LINES),
        (b' [{"url": "http://a.test/"}]', WebKind.JSON),
        (gzip.compress(b'{ "log": {"entries": []}}', mtime=0), WebKind.JSON),
        (b"", WebKind.JSON_LINES),
        (b"\x1f\x8b\x00", WebKind.JSON_LINES),
    ],
)
def test_a_file_is_known_by_its_beginning(tmp_path: Path, data: bytes, kind: WebKind) -> None:
    (tmp_path / "w").write_bytes(data)
    assert web_kind(tmp_path / "w") is kind


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (
            b'From: x\nSubject: y\nContent-Type: multipart/related;\n\tboundary="b"\n\n--b\n',
            "is an MHTML file",
        ),
        (b'org,example)/ 20240506070809 {"url": "x"}\n', "is the index"),
        (b" CDX N b a m s k r M S V g\n", "is the index"),
        (b"<!DOCTYPE html><p>x", "is one HTML page"),
    ],
)
def test_what_holds_no_web_is_named_with_what_to_do(
    tmp_path: Path, data: bytes, words: str
) -> None:
    (tmp_path / "w").write_bytes(data)
    with pytest.raises(BadWebFile, match=words):
        web_kind(tmp_path / "w")


def test_a_zip_or_folder_is_known_by_its_names(tmp_path: Path) -> None:
    for names, kind in ((["a/x.warc.gz", "i.html"], WebKind.ARCHIVE), (["i.HTM"], "html files")):
        with zipfile.ZipFile(tmp_path / "w.zip", "w") as package:
            for name in names:
                package.writestr(name, b"")
        assert web_kind(tmp_path / "w.zip") == kind
        with zipfile.ZipFile(tmp_path / "w.zip") as package:
            package.extractall(tmp_path / kind)
        assert web_kind(tmp_path / kind) == kind
    with zipfile.ZipFile(tmp_path / "w.zip", "w") as package:
        package.writestr("photo.jpg", b"")
    with pytest.raises(BadWebFile, match="has neither web archives"):
        web_kind(tmp_path / "w.zip")
