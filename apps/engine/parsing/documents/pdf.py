"""PDF by PDFium: the text of each page, and links with the words that they lie on."""

from __future__ import annotations

import ctypes
import re
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

from apps.engine.codes import Failure
from apps.engine.parsing.documents.conversion import Conversion, TextPart
from apps.engine.parsing.documents.dates import pdf_date
from apps.engine.parsing.documents.limits import MOST_LINKS, MOST_PAGES, DocumentFailed

LONGEST_ANCHOR = 500
MOST_QUADS = 100
MOST_SEARCHED = 20_000
MOST_FAILED_PAGES = 20
"""A page tree that leads nowhere is left after so many pages in a row that are not there."""
_INSET, _NEAR = 1.0, 4.0  # points
_ENCRYPTED = frozenset({raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY})
_LINE_HYPHEN = "\x02"
# Accents that stand before their letter; an acute or a grave may be a quotation mark.
_COMBINING = {"\xa8": "\u0308", "\u02c7": "\u030c", "\u02dd": "\u030b", "\u02da": "\u030a"}
_ACCENTED = re.compile("(?:(?<=[A-Za-z]) )?([\xa8\u02c7\u02dd\u02da])([A-Za-z])")


class _LinkSpan(NamedTuple):
    """A link on the characters `start` to `end` of a page; without any if they are equal."""

    start: int
    end: int
    href: str


def convert(body: bytes) -> Conversion:
    """Reads a PDF. Raises DocumentFailed for one that is encrypted or broken."""
    try:
        document = pdfium.PdfDocument(body)
    except pdfium.PdfiumError as error:
        code = getattr(error, "err_code", None)
        if code in _ENCRYPTED:
            raise DocumentFailed(Failure.ENCRYPTED) from None
        raise DocumentFailed(Failure.BROKEN_DOCUMENT, str(error)) from None
    try:
        return _read(document)
    finally:
        document.close()


def _read(document: pdfium.PdfDocument) -> Conversion:
    conversion = Conversion(
        title=document.get_metadata_value("Title"),
        author=document.get_metadata_value("Author"),
        language=_language(document),
        published=pdf_date(document.get_metadata_value("CreationDate")),
        modified=pdf_date(document.get_metadata_value("ModDate")),
        pages=len(document),
    )
    failed = 0
    for number in range(min(len(document), MOST_PAGES)):
        if not conversion.has_room() or failed == MOST_FAILED_PAGES:
            break
        try:
            page = document[number]
        except pdfium.PdfiumError:
            failed += 1
            continue
        failed = 0
        conversion.begin_page(number + 1)
        with suppress(pdfium.PdfiumError):
            _read_page(document, page, conversion)
        page.close()
    conversion.is_cut = conversion.is_cut or len(document) > MOST_PAGES
    if failed and failed == min(len(document), MOST_FAILED_PAGES):
        raise DocumentFailed(Failure.BROKEN_DOCUMENT, "none of its pages can be opened")
    return conversion


def _read_page(document: pdfium.PdfDocument, page: pdfium.PdfPage, conversion: Conversion) -> None:
    text = page.get_textpage()
    try:
        pieces, at = [], 0
        links = [*_annotated(document, page, text)]
        for link in sorted([*links, *_addresses_in_text(text, links)]):
            if link.start < at or link.start == link.end:
                pieces.append(TextPart("", link.href))
                continue
            pieces.append(TextPart(_text(text, at, link.start)))
            pieces.append(TextPart(_text(text, link.start, link.end), link.href))
            at = link.end
        pieces.append(TextPart(_text(text, at, text.count_chars())))
    finally:
        text.close()
    conversion.add(pieces)


def _text(text: pdfium.PdfTextPage, start: int, end: int) -> str:
    """The characters, with words put together that a line divides."""
    if start >= end:
        return ""
    read: str = text.get_text_range(start, end - start)
    read = read.replace(f"{_LINE_HYPHEN}\r\n", "").replace(_LINE_HYPHEN, "").replace("\r\n", "\n")
    return _ACCENTED.sub(_compose, read)


def _compose(accented: re.Match[str]) -> str:
    """`ü` of the `¨u` that TeX has drawn; as it was if there is no such letter."""
    composed = unicodedata.normalize("NFC", accented[2] + _COMBINING[accented[1]])
    return composed if len(composed) == 1 else accented[0]


def _annotated(
    document: pdfium.PdfDocument, page: pdfium.PdfPage, text: pdfium.PdfTextPage
) -> Iterator[_LinkSpan]:
    """The links of a page that are annotations with an address."""
    position, link = ctypes.c_int(0), raw.FPDF_LINK()
    for _ in range(MOST_LINKS):
        if not raw.FPDFLink_Enumerate(page, position, link):
            return
        action = raw.FPDFLink_GetAction(link)
        if not action or raw.FPDFAction_GetType(action) != raw.PDFACTION_URI:
            continue
        size = raw.FPDFAction_GetURIPath(document, action, None, 0)
        buffer = ctypes.create_string_buffer(size)
        raw.FPDFAction_GetURIPath(document, action, buffer, size)
        if href := buffer.value.decode("utf-8", "replace").strip():
            yield _LinkSpan(*_characters_under(text, link), href)


def _characters_under(text: pdfium.PdfTextPage, link: object) -> tuple[int, int]:
    """The characters from the first that a link lies on to the last; (0, 0) if it lies on none."""
    area = raw.FS_RECTF()
    if not raw.FPDFLink_GetAnnotRect(link, area):
        return 0, 0
    boxes = [*_quads(link)] or [_Box(area.left, area.right, area.bottom, area.top)]
    first, last = boxes[0], boxes[-1]
    start = _character_at(text, first.left + _INSET, first.middle)
    end = _character_at(text, last.right - _INSET, last.middle)
    if start < 0 or end < 0:  # the area is wider than its words
        start, end = _ends_within(text, boxes)
    return (start, end + 1) if 0 <= start <= end < start + LONGEST_ANCHOR else (0, 0)


class _Box(NamedTuple):
    """A part of a page, in points from its lower left corner."""

    left: float
    right: float
    bottom: float
    top: float

    @property
    def middle(self) -> float:
        return (self.bottom + self.top) / 2

    def holds(self, x: float, y: float) -> bool:
        return self.left <= x <= self.right and self.bottom <= y <= self.top


def _quads(link: object) -> Iterator[_Box]:
    """The boxes of a link, one for each line that it goes over."""
    quad = raw.FS_QUADPOINTSF()
    for index in range(min(raw.FPDFLink_CountQuadPoints(link), MOST_QUADS)):
        if raw.FPDFLink_GetQuadPoints(link, index, quad):
            xs, ys = (quad.x1, quad.x2, quad.x3, quad.x4), (quad.y1, quad.y2, quad.y3, quad.y4)
            yield _Box(min(xs), max(xs), min(ys), max(ys))


def _ends_within(text: pdfium.PdfTextPage, boxes: list[_Box]) -> tuple[int, int]:
    """The first and the last character in one of the boxes; (−1, −1) if none is."""
    ends, (x, y) = (-1, -1), (ctypes.c_double(), ctypes.c_double())
    for index in range(min(text.count_chars(), MOST_SEARCHED)):
        raw.FPDFText_GetCharOrigin(text, index, x, y)
        if any(box.holds(x.value, y.value) for box in boxes):
            ends = (index if ends[0] < 0 else ends[0], index)
    return ends


def _character_at(text: pdfium.PdfTextPage, x: float, y: float) -> int:
    return int(raw.FPDFText_GetCharIndexAtPos(text, x, y, _NEAR, _NEAR))


def _addresses_in_text(text: pdfium.PdfTextPage, annotated: list[_LinkSpan]) -> Iterator[_LinkSpan]:
    """The addresses that stand in the text, as viewers make links of them."""
    addresses = {link.href for link in annotated}
    links = raw.FPDFLink_LoadWebLinks(text)
    try:
        for index in range(min(raw.FPDFLink_CountWebLinks(links), MOST_LINKS)):
            size = raw.FPDFLink_GetURL(links, index, None, 0)
            buffer = (ctypes.c_ushort * max(size, 1))()
            raw.FPDFLink_GetURL(links, index, buffer, size)
            href = bytes(buffer).decode("utf-16-le", "replace").rstrip("\0")
            start, count = ctypes.c_int(), ctypes.c_int()
            is_placed = raw.FPDFLink_GetTextRange(links, index, start, count)
            if is_placed and href.startswith(("http://", "https://")) and href not in addresses:
                span = _LinkSpan(start.value, start.value + count.value, href)
                if not any(a.start < span.end and span.start < a.end for a in annotated):
                    yield span
    finally:
        raw.FPDFLink_CloseWebLinks(links)


def _language(document: pdfium.PdfDocument) -> str:
    size = raw.FPDFCatalog_GetLanguage(document, None, 0)
    if size <= 0:
        return ""
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    raw.FPDFCatalog_GetLanguage(document, buffer, size)
    return bytes(buffer).decode("utf-16-le", "replace").partition("\0")[0].strip()
