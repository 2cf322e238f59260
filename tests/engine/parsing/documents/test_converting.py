"""Documents become pages: title, date, language, text by page, and links with their words."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.engine.kinds import DocumentKind
from apps.engine.model import Document
from apps.engine.parsing.contexts.window import window
from apps.engine.parsing.document import parse
from apps.engine.parsing.documents.converting import convert
from apps.engine.parsing.documents.limits import DocumentFailed
from tests import made_documents as made

ADDRESS = "http://h.test/files/report.bin"
LINK = "http://far.test/next.pdf"


def read(body: bytes) -> Document:
    """The page that a document becomes."""
    return parse(Answer(ADDRESS, ADDRESS, 200, converted=convert(body, ADDRESS)))


def html(body: bytes) -> str:
    return convert(body, ADDRESS).html.decode()


def anchors(document: Document) -> list[tuple[str, Sequence[str]]]:
    """The links with their words."""
    links = document.links
    return [
        (links.urls[target], document.words[start:end])
        for target, start, end in zip(
            links.target, links.anchor_start, links.anchor_end, strict=True
        )
    ]


def test_a_pdf_becomes_a_page_with_a_section_for_each_of_its_pages():
    body = made.pdf(
        [["Heat pumps in schools", "see the next report", "for more"], ["Second (page)"]],
        title="Annual report",
        language="en-GB",
        created="D:20260311120000Z",
        links={(0, 1): LINK},
    )
    converted = convert(body, ADDRESS)
    assert (converted.kind, converted.pages, converted.is_cut) == (DocumentKind.PDF, 2, False)
    page = converted.html.decode()
    assert '<html lang="en-GB">' in page
    assert '<meta property="article:published_time" content="2026-03-11">' in page
    assert page.index('data-page="1"') < page.index("schools") < page.index('data-page="2"')
    document = read(body)
    assert document.title == "Annual report"
    assert document.kind is DocumentKind.PDF
    assert not document.has_no_text
    assert " ".join(document.words) == (
        "annual report heat pumps in schools see the next report for more second page"
    )
    assert anchors(document) == [(LINK, ["see", "the", "next", "report"])]


def test_the_context_of_a_link_in_a_pdf_is_the_text_around_it():
    document = read(made.pdf([["before it", "click", "after it"]], links={(0, 1): LINK}))
    spans = window(document, 4)
    texts = [document.words[a:b] for a, b in zip(spans.start, spans.end, strict=True)]
    assert [word for words in texts for word in words] == [
        *("before", "it", "click", "after", "it")
    ]


def test_a_link_on_no_words_goes_by_the_title_of_its_document():
    body = made.pdf([["one line"]], title="On bread", links={(0, 20): LINK})
    assert anchors(read(body)) == [(LINK, ["on", "bread"])]


def test_an_address_in_the_text_is_a_link_as_in_viewers():
    body = made.pdf([["More at http://far.test/a.html today"]])
    assert [url for url, _ in anchors(read(body))] == ["http://far.test/a.html"]


def test_a_document_without_a_declared_title_has_that_of_its_file():
    assert read(made.pdf([["text"]])).title == "report.bin"


def test_a_scanned_pdf_has_no_text_and_cannot_be_judged():
    document = read(made.pdf([[], []], scanned=True, title="Plans"))
    assert document.has_no_text
    assert not document.can_be_judged


def test_a_word_document_has_headings_links_pages_and_a_date():
    link = '<w:p><w:r><w:t>see </w:t></w:r><w:hyperlink r:id="rId1"><w:r><w:t>the </w:t></w:r><w:r>'
    link += "<w:t>annex</w:t></w:r></w:hyperlink><w:r><w:t> there</w:t></w:r></w:p>"
    pages = "<w:p><w:r><w:lastRenderedPageBreak/><w:t>second page</w:t></w:r></w:p>"
    body = made.word(
        made.paragraph("Scope", "Heading2") + link + pages + "<w:p><w:del><w:r><w:delText>gone"
        "</w:delText></w:r></w:del></w:p>",
        title="Lot 2",
        modified="2025-02-03T10:00:00Z",
        address=LINK,
    )
    page = html(body)
    assert "<h2>Scope</h2>" in page
    assert page.index("annex") < page.index('data-page="2"') < page.index("second page")
    assert 'article:modified_time" content="2025-02-03"' in page
    assert "gone" not in page
    document = read(body)
    assert (document.kind, document.title) == (DocumentKind.WORD, "Lot 2")
    assert anchors(document) == [(LINK, ["the", "annex"])]


def test_a_link_field_of_a_word_document_is_a_link():
    field = '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK'
    field += f' "{LINK}"</w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r>'
    field += "<w:t>here</w:t></w:r><w:r><w:fldChar w:fldCharType='end'/></w:r><w:r><w:t> no"
    field += "</w:t></w:r></w:p>"
    assert anchors(read(made.word(field))) == [(LINK, ["here"])]


def test_slides_are_pages_and_their_runs_may_be_links():
    body = made.powerpoint(["Why yeast", "Why salt"], title="Bread", address=LINK)
    converted = convert(body, ADDRESS)
    assert (converted.kind, converted.pages) == (DocumentKind.POWERPOINT, 2)
    document = read(body)
    assert " ".join(document.words) == "bread why yeast end why salt end"
    assert anchors(document) == [(LINK, ["why", "yeast"])]


def test_the_cells_of_a_sheet_are_read_row_by_row_with_dates_as_dates():
    rows = '<row><c r="A1" t="s"><v>0</v></c><c r="B1"><v>12.5</v></c></row>'
    rows += '<row><c r="A2" t="s"><v>1</v></c><c r="B2" s="1"><v>45000</v></c></row>'
    rows += '<row><c t="inlineStr"><is><t>inline</t></is></c><c t="s"><v>99</v></c></row>'
    body = made.excel(rows, ["flour", "source"], address=LINK)
    page = html(body)
    assert "<h2>Prices</h2>" in page
    assert "<p>flour | 12.5</p>" in page
    assert f'<a href="{LINK}">source</a> | 2023-03-15' in page
    assert "inline" in page
    assert convert(body, ADDRESS).kind is DocumentKind.EXCEL


def test_an_opendocument_text_has_headings_links_and_its_declarations():
    meta = "<office:meta><dc:title>Baking</dc:title><dc:date>2024-05-06T00:00:00</dc:date>"
    meta += "<dc:language>de-AT</dc:language></office:meta>"
    body = made.opendocument(
        '<text:h text:outline-level="3">Rye</text:h><text:p>Read <text:a xlink:href="'
        f'{LINK}">this</text:a> and<text:s/>that</text:p><text:tracked-changes><text:p>gone'
        "</text:p></text:tracked-changes>",
        meta=meta,
    )
    page = html(body)
    assert '<html lang="de-AT">' in page
    assert "<h3>Rye</h3>" in page
    assert "gone" not in page
    document = read(body)
    assert " ".join(document.words) == "baking rye read this and that"
    assert (document.kind, anchors(document)) == (DocumentKind.OPENDOCUMENT, [(LINK, ["this"])])


def test_an_opendocument_sheet_and_presentation_are_read_by_page():
    table = '<table:table table:name="List"><table:table-row><table:table-cell><text:p>a</text:p>'
    table += "</table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell>"
    sheet = made.opendocument(table + "</table:table-row></table:table>", kind="spreadsheet")
    assert "<h2>List</h2>" in html(sheet)
    assert "<p>a | b</p>" in html(sheet)
    slides = (
        "<draw:page><text:p>one</text:p></draw:page><draw:page><text:p>two</text:p></draw:page>"
    )
    converted = convert(made.opendocument(slides, kind="presentation"), ADDRESS)
    assert converted.pages == 2
    assert b'data-page="2"><p>two' in converted.html


RTF = rb"""{\rtf1\ansi\ansicpg1252\deflang1031{\fonttbl{\f0 Arial;}}
{\info{\title Br\'f6tchen}{\creatim\yr2023\mo4\dy5}}{\footer no}{\*\unknown no}
Mehl \u246?l und {\field{\*\fldinst HYPERLINK "http://far.test/next.pdf"}{\fldrslt ein Link}} hier
\par zweite {\b Zeile}\page dritte}"""


def test_rich_text_is_read_with_its_code_page_links_and_declarations():
    page = html(RTF)
    assert '<html lang="de-DE">' in page
    assert 'article:published_time" content="2023-04-05"' in page
    document = read(RTF)
    assert document.title == "Brötchen"
    assert " ".join(document.words[1:]) == "mehl öl und ein link hier zweite zeile dritte"
    assert anchors(document) == [(LINK, ["ein", "link"])]
    assert convert(RTF, ADDRESS).pages == 2


@pytest.mark.parametrize(
    ("body", "failure"),
    [
        (made.pdf([["secret"]], encrypt=True), Failure.ENCRYPTED),
        (made.pdf([["text"]])[:200], Failure.BROKEN_DOCUMENT),
        (made.word("<w:p>")[:-40], Failure.BROKEN_DOCUMENT),
        (made.word("<w:p>"), Failure.BROKEN_DOCUMENT),
        (made.opendocument("", manifest="<manifest:encryption-data/>"), Failure.ENCRYPTED),
        (made.packed({"mimetype": "application/vnd.oasis.opendocument.text"}), "broken_document"),
        (made.packed({"[Content_Types].xml": "<Types/>", "a.txt": "no"}), Failure.NOT_TEXT),
        (b"plain words", Failure.BROKEN_DOCUMENT),
    ],
    ids="secret pdf,cut pdf,cut zip,bad xml,secret odt,no content,archive,text".split(","),
)
def test_what_cannot_be_read_has_a_reason(body: bytes, failure: str):
    with pytest.raises(DocumentFailed) as failed:
        convert(body, ADDRESS)
    assert failed.value.failure == failure


def test_an_accent_that_is_drawn_before_its_letter_belongs_to_it():
    document = read(made.pdf([["n\xa8amlich f \xa8ur alle", "it\xb4s"]], title="t"))
    assert " ".join(document.words[1:]).startswith("nämlich für alle it")
