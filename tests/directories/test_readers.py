"""Reading directories: ODP dumps as they are, lines, and files that break off."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from apps.directories.readers import odp
from apps.directories.readers.listing import (
    BadDirectoryFile,
    Listed,
    category_path,
)
from apps.directories.readers.reading import read_directory

# One dump names each page's category, the other does not; namespaces and roots differ.
NEWER = """<?xml version="1.0" encoding="UTF-8"?>
<RDF xmlns:r="http://www.w3.org/TR/RDF/" xmlns:d="http://purl.org/dc/elements/1.0/"
     xmlns="http://directory.test/rdf/">
  <!-- made for a test -->
  <Topic r:id=""><catid>1</catid></Topic>
  <Topic r:id="Top/Arts/Glass"><catid>2</catid>
    <link1 r:resource="http://a.test/"></link1><link r:resource="http://b.test/"></link>
    <rss r:resource="http://a.test/feed"/></Topic>
  <ExternalPage about="http://a.test/"><d:Title>Blown
     glass</d:Title><d:Description>About &amp; around</d:Description><priority>1</priority>
    <topic>Top/Arts/Glass</topic></ExternalPage>
  <ExternalPage about="http://c.test/"><d:Title>C</d:Title><topic>Top/Arts</topic></ExternalPage>
</RDF>"""
OLDER = """<?xml version="1.0" encoding="UTF-8"?>
<RDF xmlns:r="http://www.w3.org/1999/RDF" xmlns:d="http://purl.org/dc/" xmlns="http://other.test">
<Topic r:id="Top"><catid>1</catid></Topic>
<Topic r:id="Top/Games"><link r:resource="http://g.test/"/><link r:resource="http://h.test/"/>
</Topic>
<ExternalPage about="http://g.test/"><d:Title>G</d:Title></ExternalPage>
<Topic r:id="Top/Home"/>
</RDF>"""


@pytest.fixture
def write(tmp_path: Path):
    def written(content: str | bytes, name: str = "content.rdf.u8") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return written


def test_a_dump_that_names_categories_is_read(write):
    assert list(read_directory(write(NEWER))) == [
        Listed("", ""),
        Listed("Arts/Glass", ""),
        Listed("Arts/Glass", "http://a.test/", "Blown glass", "About & around"),
        Listed("Arts", "http://c.test/", "C"),
        Listed("Arts/Glass", "http://b.test/"),
    ]


def test_a_dump_that_leaves_categories_to_the_order_is_read(write):
    assert list(read_directory(write(OLDER))) == [
        Listed("", ""),
        Listed("Games", ""),
        Listed("Games", "http://g.test/", "G"),
        Listed("Games", "http://h.test/"),
        Listed("Home", ""),
    ]


def test_a_gzipped_dump_is_read_like_a_plain_one(write):
    packed = write(gzip.compress(NEWER.encode()), "content.rdf.u8.gz")
    assert list(read_directory(packed)) == list(read_directory(write(NEWER)))


def test_bytes_that_xml_forbids_do_not_stop_it(write):
    spoilt = NEWER.encode().replace(b"About", b"\x0bAb\xff out\x00")
    page = list(read_directory(write(spoilt)))[2]
    assert page.description == "Ab� out & around"


def test_a_character_cut_by_the_reading_is_put_together_again(write):
    long = "é" * 70_001
    page = list(read_directory(write(NEWER.replace("About &amp; around", long))))[2]
    assert page.description == long


def test_a_dump_that_breaks_off_states_how_far_it_came(write):
    path = write(NEWER[: NEWER.index("<priority>") + 4])
    with pytest.raises(BadDirectoryFile) as reports:
        list(read_directory(path))
    assert "content.rdf.u8 is not complete XML: line" in str(reports.value)
    assert "after 0 pages" in str(reports.value)
    many = "".join(
        f'<ExternalPage about="http://{i}.test/"><topic>Top/A</topic></ExternalPage>\n'
        for i in range(3_000)
    )
    with pytest.raises(BadDirectoryFile, match=r"line 3,?00\d?.*after 3,000 pages"):
        list(read_directory(write(f"<RDF>\n{many}<Topic")))


def test_a_gzip_that_breaks_off_is_refused(write):
    packed = gzip.compress(NEWER.encode() * 1)
    with pytest.raises(BadDirectoryFile, match="cannot be read"):
        list(read_directory(write(packed[:-20], "x.gz")))


def test_nothing_outside_the_dump_is_read(write, tmp_path):
    (tmp_path / "secret").write_text("secret")
    doctype = f'<!DOCTYPE RDF [<!ENTITY x SYSTEM "file://{tmp_path}/secret">]>'
    dump = NEWER.replace("<RDF", doctype + "<RDF").replace("About", "&x;About")
    texts = [page.description for page in read_directory(write(dump))]
    assert not any("secret" in text for text in texts)


def test_reading_a_long_dump_does_not_keep_it(write):
    import tracemalloc

    page = '<ExternalPage about="http://{}.test/"><topic>Top/A</topic></ExternalPage>'
    path = write("<RDF>" + "".join(page.format(i) for i in range(20_000)) + "</RDF>")
    tracemalloc.start()
    count = sum(1 for listed in read_directory(path) if listed.url)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 20_000
    assert peak < 4 * 2**20


def test_a_dump_of_other_elements_is_refused(write, monkeypatch):
    monkeypatch.setattr(odp, "MOST_BETWEEN", 10_000)
    with pytest.raises(BadDirectoryFile, match="without a Topic or an ExternalPage"):
        list(read_directory(write("<RDF>" + "<x/>" * 30_000 + "</RDF>")))


def test_a_line_without_end_is_refused(write):
    packed = gzip.compress(b"http://a.test/,Arts\nhttp://b.test/," + b"A" * 2**21)
    with pytest.raises(BadDirectoryFile, match="Line 2 is longer than 1,000,000"):
        list(read_directory(write(packed, "lines.csv.gz")))


@pytest.mark.parametrize("separator", [",", "\t"])
def test_lines_are_read_with_or_without_heading(write, separator):
    rows = [
        ["url", "topic", "title", "description"],
        ["http://a.test/", "Top/Arts/Glass", "Glass", "Of glass"],
        ["http://b.test/", "Games"],
        [],
    ]
    text = "\r\n".join(separator.join(row) for row in rows)
    expected = [
        Listed("Arts/Glass", "http://a.test/", "Glass", "Of glass"),
        Listed("Games", "http://b.test/"),
    ]
    assert list(read_directory(write(text, "lines.csv"))) == expected
    assert list(read_directory(write(text.split("\r\n", 1)[1], "lines.csv"))) == expected
    marked = b"\xef\xbb\xbf" + text.encode()
    assert list(read_directory(write(gzip.compress(marked), "lines.csv.gz"))) == expected


def test_quoted_fields_may_hold_commas_and_line_ends(write):
    text = 'http://a.test/,Arts,"One, two","three\nfour"\nhttp://b.test/,Arts\n'
    assert list(read_directory(write(text, "lines.csv"))) == [
        Listed("Arts", "http://a.test/", "One, two", "three four"),
        Listed("Arts", "http://b.test/"),
    ]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "lines.csv is empty"),
        (b"http://a.test/,Arts\nhttp://b.test/\n", "line 2: write url,topic"),
        ("http://a.test/,Arts\nhttp://b.test/,é".encode() + b"\xff\n", "UTF-8 up to line 2 and"),
        (b"http://a.test/\nhttp://b.test/\n", "has no topics"),
    ],
)
def test_lines_that_cannot_be_taken_are_named(write, content, words):
    with pytest.raises(BadDirectoryFile, match=words):
        list(read_directory(write(content, "lines.csv")))


SWAPPED = "title;category;address\nReef;Science > Récifs;https://r.test/1\n;Science;r.test\n"


@pytest.mark.parametrize(
    "content",
    [
        SWAPPED.encode("utf-8-sig"),
        SWAPPED.encode("utf-16"),
        SWAPPED.encode("utf-16-le"),
        SWAPPED.encode("cp1252"),
        SWAPPED.replace(";", "\t").encode(),
        b"sep=|\r\n" + SWAPPED.replace(";", "|").encode(),
    ],
    ids=["semicolon", "utf16", "utf16 unmarked", "cp1252", "tab", "sep"],
)
def test_columns_are_recognised_in_any_order_delimiter_and_encoding(write, content):
    assert list(read_directory(write(content, "lines.csv"))) == [
        Listed("Science/Récifs", "https://r.test/1", "Reef"),
        Listed("Science", "https://r.test"),
    ]


def test_a_long_table_is_streamed(write):
    import tracemalloc

    rows = "".join(f"http://h{i}.test/,Top/Arts/{i},A title\n" for i in range(60_000))
    path = write(rows, "lines.csv")
    tracemalloc.start()
    count = sum(1 for _ in read_directory(path))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 60_000
    assert peak < 8 * 2**20


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(BadDirectoryFile, match=r"gone\.csv cannot be read"):
        list(read_directory(tmp_path / "gone.csv"))


def test_paths_lose_their_root_and_empty_parts():
    assert category_path("Top/Arts//Glass/") == "Arts/Glass"
    assert category_path("Top") == category_path("") == ""
    assert category_path(" Arts / Top ") == "Arts/Top"


EXCERPTS = Path(__file__).resolve().parents[3] / "shared" / "odp"


@pytest.mark.skipif(not EXCERPTS.is_dir(), reason="the real excerpts are not here")
def test_real_excerpts_are_read_whole():
    for path in sorted(EXCERPTS.glob("*.xml")):
        listed = list(read_directory(path))
        pages = [page for page in listed if page.url]
        assert sum(bool(page.title) for page in pages) == path.read_text().count("</ExternalPage>")
        assert all(page.category for page in pages)


CASES = Path(__file__).resolve().parents[3] / "shared" / "cases" / "files"


@pytest.mark.skipif(not CASES.is_dir(), reason="needs ../shared")
def test_the_directories_of_public_reports_are_right():
    expected = json.loads((CASES / "expected.json").read_text())
    cases = {name: case for name, case in expected.items() if name.startswith("directories/")}
    assert cases
    for name, case in cases.items():
        listed = list(read_directory(CASES / name))
        assert len(listed) == case["pages"], name
        assert {page.category for page in listed} == set(case.get("categories", ["Science/Reefs"]))
