"""Each format of lists: the addresses, titles and lines that are read of it."""

from __future__ import annotations

import io
import zipfile
from datetime import date

import pytest
from openpyxl import Workbook

from apps.lists.addresses import Fault
from apps.lists.formats.catalogue import FORMATS, format_of
from apps.lists.formats.format import Choices
from apps.lists.limits import BadList
from apps.lists.reading import read_list

OPML = """<?xml version="1.0" encoding="UTF-8"?>
<opml version="2.0"><head><title>Wells</title></head><body>
<outline text="Group">
  <outline text="Well 1" type="rss" xmlUrl="https://well1.example/feed" htmlUrl="https://well1.example/"/>
  <outline text="Well 2" type="rss" xmlUrl="https://well2.example/feed"/>
</outline></body></opml>"""
SITEMAP = """<?xml version="1.0" encoding="UTF-8"?>
<!-- made today -->
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<url><loc> https://well1.example/a </loc><lastmod>2026-01-01</lastmod></url>
<url><loc>https://well1.example/b?x=1&amp;y=2</loc></url>
</urlset>"""
INDEX = """<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>https://well1.example/part.xml</loc></sitemap></sitemapindex>"""
RSS = """<rss version="2.0"><channel><title>Wells</title><link>https://well1.example/</link>
<item><title>One</title><link>https://well1.example/1</link></item></channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://well1.example/"/>
<entry><title>Two</title><link rel="edit" href="https://well1.example/e"/>
<link href="https://well1.example/2"/></entry></feed>"""
BOOKMARKS = """<!DOCTYPE NETSCAPE-Bookmark-file-1>
<TITLE>Bookmarks</TITLE><DL><p>
<DT><A HREF="https://well1.example/" ADD_DATE="1">Well <b>1</b></A>
<DT><A HREF="javascript:alert(1)">script</A>
<DT><A HREF="place:sort=8">recent</A></DL>"""
RIS = """TY  - ELEC
TI  - Well 1
UR  - https://well1.example/1
ER  -

TY  - JOUR
T1  - Well without
ER  - """
BIB = r"""% wells
@string{w = "x"}
@misc{well1,
  title = {The {Well} of {\"O}hringen},
  url = {https://well1.example/a\_b},
}
@misc{well2, title = "Second", howpublished = "\url{https://well2.example/}" }
@article{none, title = {No address}}"""


def pairs(content: bytes | str, **choices: object) -> list[tuple[int, str, str]]:
    entries = read_list(content, Choices(**choices)).entries
    return [(entry.line, entry.url, entry.title) for entry in entries]


@pytest.mark.parametrize(
    ("text", "name", "read"),
    [
        (OPML, "opml", [(4, "https://well1.example/", "Well 1")]),
        (
            SITEMAP,
            "sitemap",
            [(4, "https://well1.example/a", ""), (5, "https://well1.example/b?x=1&y=2", "")],
        ),
        (RSS, "feed", [(2, "https://well1.example/1", "One")]),
        (ATOM, "feed", [(2, "https://well1.example/2", "Two")]),
        (BOOKMARKS, "bookmarks", [(3, "https://well1.example/", "Well 1")]),
        (RIS, "ris", [(1, "https://well1.example/1", "Well 1")]),
        (
            BIB,
            "bibtex",
            [
                (3, "https://well1.example/a_b", 'The Well of \\"Ohringen'),
                (7, "https://well2.example/", "Second"),
            ],
        ),
    ],
)
def test_the_addresses_of_a_format(text: str, name: str, read: list[tuple[int, str, str]]) -> None:
    assert format_of(text).id == name
    assert pairs(text) == read


def test_a_feed_without_a_page_and_a_sitemap_of_sitemaps_are_refused_with_their_address() -> None:
    [feed] = read_list(OPML).refused
    assert (feed.fault, feed.correction) == (Fault.ONLY_A_FEED, "https://well2.example/feed")
    [part] = read_list(INDEX).refused
    assert (part.fault, part.correction) == (
        Fault.SITEMAP_OF_SITEMAPS,
        "https://well1.example/part.xml",
    )


def test_references_without_an_address_are_refused_by_line() -> None:
    assert [line.line for line in read_list(RIS).refused] == [6]
    assert [line.line for line in read_list(BIB).refused] == [8]


@pytest.mark.parametrize(
    "attack",
    [
        '<!DOCTYPE r [<!ENTITY a "b">]><urlset><url><loc>&a;</loc></url></urlset>',
        '<!DOCTYPE opml [<!ENTITY x SYSTEM "file:///etc/passwd">]><opml><body>'
        '<outline htmlUrl="https://a.example/" text="&x;"/></body></opml>',
    ],
)
def test_xml_with_entities_is_refused(attack: str) -> None:
    with pytest.raises(BadList, match="defines entities"):
        from apps.lists.formats.sitemap import Sitemap

        Sitemap().read(attack, Choices())


def a_workbook() -> bytes:
    book = Workbook()
    book.active.title = "Notes"
    sheet = book.create_sheet("Wells")
    sheet.append(["Wells of 2026"])
    sheet.append([])
    sheet.append(["Nr", "Name", "Website", "Seen"])
    sheet.append([1, "Well 1", "https://well1.example/", date(2026, 1, 2)])
    sheet.append([2, "Well 2", "well2.example", None])
    other = book.create_sheet("More")
    other.append(["https://well3.example/"])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def test_the_first_sheet_with_cells_of_a_workbook_is_read_or_the_chosen_one() -> None:
    reading = read_list(a_workbook())
    assert pairs(a_workbook()) == [
        (4, "https://well1.example/", "Well 1"),
        (5, "https://well2.example", "Well 2"),
    ]
    assert (reading.sheets, reading.sheet) == (("Notes", "Wells", "More"), "Wells")
    assert reading.rows[0].cells == ("1", "Well 1", "https://well1.example/", "2026-01-02")
    assert pairs(a_workbook(), sheet="More") == [(1, "https://well3.example/", "")]


@pytest.mark.parametrize("cell", ["XFD1048576", "ZZ30000"])
def test_a_workbook_of_two_cells_far_apart_is_refused(cell: str) -> None:
    """The library would end the process, or take hundreds of megabytes."""
    book = Workbook()
    book.active["A1"], book.active["B2"] = "https://well1.example/", "far"
    file, attack = io.BytesIO(), io.BytesIO()
    book.save(file)
    with zipfile.ZipFile(file) as whole, zipfile.ZipFile(attack, "w") as changed:
        for name in whole.namelist():
            part = whole.read(name).replace(b"A1:B2", b"A1:" + cell.encode())
            row = cell.lstrip("XFDZ").encode()
            part = part.replace(b'<row r="2"', b'<row r="' + row + b'"')
            changed.writestr(name, part.replace(b'r="B2"', b'r="' + cell.encode() + b'"'))
    with pytest.raises(BadList, match=r"too much memory or time|more than 5,000,000 cells"):
        read_list(attack.getvalue())


def test_an_opendocument_sheet_is_read() -> None:
    cell = '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>'
    rows = "".join(
        f"<table:table-row>{cell.format(name)}{cell.format(url)}</table:table-row>"
        for name, url in (("Name", "URL"), ("Well 1", "https://well1.example/"))
    )
    content = (
        '<?xml version="1.0"?><office:document-content'
        ' xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
        ' xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
        ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.2">'
        f'<office:body><office:spreadsheet><table:table table:name="S">{rows}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as package:
        package.writestr("mimetype", kind)
        package.writestr("content.xml", content)
        package.writestr(
            "META-INF/manifest.xml",
            "<manifest:manifest"
            ' xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
            f'<manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/>'
            "</manifest:manifest>",
        )
    assert pairs(file.getvalue()) == [(2, "https://well1.example/", "Well 1")]


def test_a_cell_of_a_formula_is_its_link() -> None:
    text = 'URL,Note\n"=HYPERLINK(""https://well1.example/"",""Well 1"")",x\n'
    assert pairs(text) == [(2, "https://well1.example/", "Well 1")]


def test_every_format_has_a_name_and_the_last_takes_anything() -> None:
    assert len({each.id for each in FORMATS}) == len(FORMATS)
    assert all(each.title for each in FORMATS)
    assert FORMATS[-1].recognises("anything")


def a_linked_workbook() -> bytes:
    book = Workbook()
    sheet = book.active
    sheet.append(["Office", "Town"])
    for name, town in (("Town hall", "Lindau"), ("School", "Neuwied"), ("Baths", "Leeds")):
        sheet.append([name, town])
    sheet["A2"].hyperlink = "https://lindau.example/hall?a=1&b=2"
    sheet["A3"] = '=HYPERLINK("https://neuwied.example/school", "School")'
    sheet["A4"].hyperlink = "https://leeds.example/baths"
    sheet["B4"].hyperlink = "mailto:baths@leeds.example"
    sheet.append(["https://own.example/", "Gera"])
    sheet["A5"].hyperlink = "https://elsewhere.example/"
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def test_the_addresses_behind_the_cells_of_excel_are_read_with_their_texts() -> None:
    assert [(entry.url, entry.title) for entry in read_list(a_linked_workbook()).entries] == [
        ("https://lindau.example/hall?a=1&b=2", "Town hall"),
        ("https://neuwied.example/school", "School"),
        ("https://leeds.example/baths", "Baths"),
        ("https://own.example/", "Gera"),
    ]
