"""Bodies by their type and first bytes: what is text, what is a page."""

from __future__ import annotations

import pytest

from apps.engine.answers import Answer
from apps.engine.networking.content import (
    SNIFFED,
    is_disguised,
    is_text,
    is_text_type,
    judge,
    looks_like_text,
)

PAGE = b"<html><title>Bread</title><p>Sourdough and rye.</html>"
ALLOWED_CONTROLS = {0x09, 0x0A, 0x0C, 0x0D, 0x1B}
# A head of every kind of file that the web has and that is no page.
FILES = {
    "pdf": b"%PDF-1.7",
    "postscript": b"%!PS-Adobe-3.0",
    "gif": b"GIF87a",
    "gif 89": b"GIF89a",
    "png": b"\x89PNG\r\n\x1a\n",
    "jpeg": b"\xff\xd8\xff\xe0",
    "icon": b"\0\0\1\0\1",
    "cursor": b"\0\0\2\0\1",
    "ogg": b"OggS\0",
    "midi": b"MThd\0\0\0\6",
    "matroska": b"\x1a\x45\xdf\xa3",
    "flac": b"fLaC\0",
    "truetype": b"\0\1\0\0",
    "opentype": b"OTTO\0",
    "font collection": b"ttcf\0",
    "woff": b"wOFF\0",
    "woff2": b"wOF2\0",
    "gzip": b"\x1f\x8b\x08",
    "zip": b"PK\x03\x04",
    "rar": b"Rar!\x1a\x07",
    "7z": b"7z\xbc\xaf\x27\x1c",
    "xz": b"\xfd7zXZ\0",
    "zstandard": b"\x28\xb5\x2f\xfd",
    "elf": b"\x7fELF",
    "sqlite": b"SQLite format 3\0",
    "ole": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
    "bitmap": b"BM\x46\0",
    "wave": b"RIFF\x10\0",
    "aiff": b"FORM\0",
    "mp3": b"ID3\x03",
    "program": b"MZ\x90\0",
    "bzip2": b"BZh9\x17",
    "tiff": b"II*\0",
    "tiff 2": b"MM\0*",
    "mp4": b"\0\0\0\x18ftypmp42",
}


@pytest.mark.parametrize("head", FILES.values(), ids=FILES)
def test_no_file_is_text_whatever_it_is_declared_as(head):
    assert is_disguised(head)
    assert not is_text("text/html", head)
    assert not is_text(None, head) and not looks_like_text(head)


@pytest.mark.parametrize("head", [b"BMW", b"RIFFS", b"FORMAT", b"ID3 tags", b"MZ", b"BZh"])
def test_a_word_that_begins_like_a_file_is_text(head):
    assert looks_like_text(head) and not is_disguised(head)


def test_a_file_type_is_read_where_it_stands():
    assert is_disguised(b"\0\0\0\x18ftyp") and not is_disguised(b"\0\0\0ftyp")
    assert not is_disguised(b"\0\0\0\x18\0ftyp") and not is_disguised(b"The ftyp box")


def test_the_control_bytes_of_text_are_no_binary_and_all_others_are():
    for code in range(32):
        assert looks_like_text(b"word %c word" % code) is (code in ALLOWED_CONTROLS), code
    assert looks_like_text(bytes(range(32, 256)))


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\xfe\xff", b"\xff\xfe"])
def test_a_byte_order_mark_is_the_mark_of_text(mark):
    assert looks_like_text(mark + b"\0a\0b") and not looks_like_text(mark[:1] + b"\0a")


def test_a_body_of_unknown_type_is_judged_by_its_first_512_bytes():
    assert SNIFFED == 512
    assert looks_like_text(b"x" * 512 + b"\0") and not looks_like_text(b"x" * 511 + b"\0")
    assert is_disguised(b"BM" + b"x" * 509 + b"\0") and not is_disguised(b"BM" + b"x" * 510 + b"\0")


@pytest.mark.parametrize(
    ("declared", "expected"),
    [
        ("text/html", True),
        (" TEXT/Plain ; charset=utf-8", True),
        ("text/x-unknown", True),
        ("application/xhtml+xml", True),
        ("application/xml", True),
        ("application/rss+xml", True),
        ("application/atom+xml", True),
        ("application/json", False),
        ("image/svg+xml", False),
        ("context/html", False),
        ("", None),
        (None, None),
        ("html", None),
        ("; a/b", None),
    ],
)
def test_a_declared_type_is_text_or_not_or_undecided(declared, expected):
    assert is_text_type(declared) is expected


def test_a_declared_type_comes_first_unless_the_body_belies_it():
    assert is_text("text/html", b"<p>stray \x01 byte") and is_text(None, PAGE)
    assert not is_text("image/png", PAGE) and not is_text(None, b"<p>stray \x01 byte")


# Judging ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "kind", "body", "failure"),
    [
        (200, "text/html", PAGE, None),
        (299, "text/html", PAGE, None),
        (200, "", PAGE, None),
        (199, "text/html", PAGE, "http_199"),
        (300, "text/html", PAGE, "http_300"),
        (404, "text/html", PAGE, "http_404"),
        (200, "text/html", b"", "empty"),
        (404, "image/png", b"", "http_404"),
        (200, "image/png", PAGE, "not_text"),
        (200, "text/html", b"%PDF-1.7", "not_text"),
    ],
)
def test_an_answer_is_a_page_or_names_its_failure(status, kind, body, failure):
    judged = judge(Answer("u", "u", status, (("Content-Type", kind),), body))
    assert judged.failure == failure
    assert judged.body == (b"" if failure == "not_text" else body)


def test_what_has_failed_already_keeps_its_failure():
    for answer in (
        Answer("u", "u", 200, failure="timeout"),
        Answer("u", "u", None),
        Answer("u", "u", 503, failure="dns"),
    ):
        assert judge(answer) == answer


@pytest.mark.parametrize(
    "kind", ["calendar", "css", "csv", "event-stream", "javascript", "vcard", "x-vCard; a=b"]
)
def test_text_that_nobody_reads_as_a_page_is_none(kind: str) -> None:
    assert is_text_type(f"text/{kind}") is False


@pytest.mark.parametrize("kind", ["*/*", "unknown/unknown", "application/unknown; charset=x", ""])
def test_a_type_that_names_nothing_leaves_it_to_the_body(kind: str) -> None:
    assert is_text_type(kind) is None
