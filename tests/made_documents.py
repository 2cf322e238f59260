"""Small documents for tests, written byte by byte so that what they hold is known."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from apps.engine.answers import Answer
from tests.made_web import BREAD, STARS, MadeWeb

HTTP = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_ODF = "urn:oasis:names:tc:opendocument:xmlns"
PICTURE = "0 0 0 rg 20 20 200 200 re f"
"""What a page of scanned paper shows instead of text."""


def pdf(
    pages: Sequence[Sequence[str]],
    *,
    title: str = "",
    author: str = "",
    links: Mapping[tuple[int, int], str] | None = None,
    language: str = "",
    created: str = "",
    scanned: bool = False,
    root: str = "",
    encrypt: bool = False,
) -> bytes:
    """A PDF of these lines by page. `links` are addresses by page and line (from 0), each on the
    whole line; `root` replaces the page tree; with `encrypt` it needs a password."""
    numbers = [5 + 2 * i for i in range(len(pages))]
    kids = " ".join(f"{number} 0 R" for number in numbers)
    lang = f" /Lang ({language})" if language else ""
    declared = {"Title": title, "Author": author, "CreationDate": created}
    info = "".join(f" /{name} ({value})" for name, value in declared.items() if value)
    objects = {
        1: f"<< /Type /Catalog /Pages 2 0 R{lang} >>",
        2: root or f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        3: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        4: f"<<{info} >>",
    }
    for index, (number, lines) in enumerate(zip(numbers, pages, strict=True)):
        notes = "".join(
            f"<< /Type /Annot /Subtype /Link /Rect [70 {_height(line) - 4} 540"
            f" {_height(line) + 10}] /A << /S /URI /URI ({address}) >> >> "
            for (page, line), address in (links or {}).items()
            if page == index
        )
        objects[number] = (
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F 3 0 R"
            f" >> >> /Contents {number + 1} 0 R /Annots [{notes}] >>"
        )
        content = PICTURE if scanned else "\n".join(map(_line, range(len(lines)), lines))
        objects[number + 1] = f"<< /Length {len(content)} >>\nstream\n{content}\nendstream"
    secret = "/Encrypt << /Filter /Standard /V 1 /R 2 /O <" + "ab" * 32 + "> /U <" + "cd" * 32
    return _with_table(objects, f"{secret}> /P -4 >> /ID [<00> <00>]" if encrypt else "")


def _height(line: int) -> int:
    return 760 - 20 * line


def _line(number: int, text: str) -> str:
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /F 12 Tf 72 {_height(number)} Td ({escaped}) Tj ET"


def _with_table(objects: Mapping[int, str], trailer: str) -> bytes:
    body, offsets = b"%PDF-1.4\n", {}
    for number, content in objects.items():
        offsets[number] = len(body)
        body += f"{number} 0 obj\n{content}\nendobj\n".encode("cp1252")
    size = max(objects) + 1
    rows = [
        f"{offsets[n]:010d} 00000 n \n" if n in offsets else "0000000000 65535 f \n"
        for n in range(1, size)
    ]
    table = f"xref\n0 {size}\n0000000000 65535 f \n{''.join(rows)}"
    end = f"trailer << /Size {size} /Root 1 0 R /Info 4 0 R {trailer} >>\n"
    return body + table.encode() + end.encode() + f"startxref\n{len(body)}\n%%EOF\n".encode()


def packed(parts: Mapping[str, str | bytes]) -> bytes:
    """A zip archive of these parts; a part named `mimetype` stands first and is not deflated."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            kind = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            archive.writestr(name, content, kind)
    return buffer.getvalue()


def _office(
    parts: Mapping[str, str | bytes], title: str = "", modified: str = "", author: str = ""
) -> bytes:
    core = (
        '<cp:coreProperties xmlns:cp="urn:cp" xmlns:dc="urn:dc" xmlns:dcterms="urn:dcterms">'
        f"<dc:title>{title}</dc:title><dc:creator>{author}</dc:creator><dcterms:modified>{modified}</dcterms:modified>"
        "</cp:coreProperties>"
    )
    return packed({"[Content_Types].xml": "<Types/>", "docProps/core.xml": core, **parts})


def relations(targets: Mapping[str, str], external: bool = True) -> str:
    """The relations of a part."""
    mode = ' TargetMode="External"' if external else ""
    each = "".join(
        f'<Relationship Id="{name}" Target="{target}"{mode}/>' for name, target in targets.items()
    )
    return f'<Relationships xmlns="urn:relations">{each}</Relationships>'


def word(
    body: str, *, title: str = "", modified: str = "", author: str = "", address: str = ""
) -> bytes:
    """A Word document with this content of its body; the relation `rId1` leads to `address`."""
    document = (
        f'<w:document xmlns:w="{_WORD}" xmlns:r="{HTTP}"><w:body>{body}</w:body></w:document>'
    )
    parts = {
        "word/document.xml": document,
        "word/_rels/document.xml.rels": relations({"rId1": address} if address else {}),
    }
    return _office(parts, title, modified, author)


def paragraph(text: str, style: str = "") -> str:
    """A paragraph of a Word document."""
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{named}<w:r><w:t>{text}</w:t></w:r></w:p>"


def powerpoint(slides: Sequence[str], *, title: str = "", address: str = "") -> bytes:
    """A presentation with one line of text a slide; that of the first leads to `address`."""
    listed = "".join(f'<p:sldId id="{i}" r:id="rId{i}"/>' for i in range(len(slides)))
    parts: dict[str, str | bytes] = {
        "ppt/presentation.xml": f'<p:presentation xmlns:p="urn:p" xmlns:r="{HTTP}"><p:sldIdLst>'
        f"{listed}</p:sldIdLst></p:presentation>",
        "ppt/_rels/presentation.xml.rels": relations(
            {f"rId{i}": f"slides/slide{i}.xml" for i in range(len(slides))}, external=False
        ),
    }
    for i, text in enumerate(slides):
        click = '<a:hlinkClick r:id="rId9"/>' if address and not i else ""
        parts[f"ppt/slides/slide{i}.xml"] = (
            f'<p:sld xmlns:p="urn:p" xmlns:a="{_DRAWING}" xmlns:r="{HTTP}"><a:p><a:r><a:rPr>{click}'
            f"</a:rPr><a:t>{text}</a:t></a:r><a:r><a:t> end</a:t></a:r></a:p></p:sld>"
        )
        parts[f"ppt/slides/_rels/slide{i}.xml.rels"] = relations({"rId9": address})
    return _office(parts, title)


def excel(rows: str, strings: Sequence[str], *, address: str = "") -> bytes:
    """A workbook with one sheet, Prices, of these rows; the cell A2 leads to `address`, and style 1
    shows a date."""
    shared = "".join(f"<si><t>{text}</t></si>" for text in strings)
    links = '<hyperlinks><hyperlink ref="A2" r:id="rId1"/></hyperlinks>' if address else ""
    parts = {
        "xl/workbook.xml": f'<workbook xmlns="{_SHEET}" xmlns:r="{HTTP}"><sheets><sheet'
        ' name="Prices" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": relations({"rId1": "worksheets/sheet1.xml"}, external=False),
        "xl/sharedStrings.xml": f'<sst xmlns="{_SHEET}">{shared}</sst>',
        "xl/styles.xml": f'<styleSheet xmlns="{_SHEET}"><cellXfs><xf numFmtId="0"/><xf'
        ' numFmtId="14"/></cellXfs></styleSheet>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{_SHEET}" xmlns:r="{HTTP}"><sheetData>'
        f"{rows}</sheetData>{links}</worksheet>",
        "xl/worksheets/_rels/sheet1.xml.rels": relations({"rId1": address}),
    }
    return _office(parts)


def opendocument(body: str, *, kind: str = "text", meta: str = "", manifest: str = "") -> bytes:
    """An OpenDocument with this content of its office:body."""
    names = " ".join(
        f'xmlns:{prefix}="{_ODF}:{name}:1.0"'
        for prefix, name in (
            ("office", "office"), ("text", "text"), ("table", "table"), ("draw", "drawing"),
            ("meta", "meta"), ("manifest", "manifest"),
        )
    )  # fmt: skip
    names += ' xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:dc="urn:dc"'
    parts = {
        "mimetype": f"application/vnd.oasis.opendocument.{kind}",
        "content.xml": f"<office:document-content {names}><office:body><office:{kind}>{body}"
        f"</office:{kind}></office:body></office:document-content>",
        "meta.xml": f"<office:document-meta {names}>{meta}</office:document-meta>",
        "META-INF/manifest.xml": f"<manifest:manifest {names}>{manifest}</manifest:manifest>",
    }
    return packed(parts)


def bomb(size: int) -> bytes:
    """A Word document whose text unpacks to `size` bytes."""
    document = f'<w:document xmlns:w="{_WORD}"><w:body><w:p><w:r><w:t>'.encode()
    packing = zlib.compressobj(9)
    assert packing
    return _office({"word/document.xml": document + b"a" * size})


class DocumentWeb(MadeWeb):
    """The made web with a PDF for every fifth page, which links to it; the PDF links on to the page
    after that. One in four of them is scanned."""

    def documents(self) -> Iterator[str]:
        """The addresses of the PDFs."""
        return (self._document_url(i) for i in range(0, self.count, 5))

    def get(self, url: str) -> Answer:
        name = url.rpartition("/d/")[2]
        if not name.endswith(".pdf") or not name[:-4].isdigit():
            return super().get(url)
        i = int(name[:-4])
        words = BREAD if i % 4 == 0 else STARS
        lines = [" ".join(words[k % len(words)] for k in range(j, j + 6)) for j in range(12)]
        after = self.url((i + 1) % self.count)
        body = pdf([lines, lines], title=f"Report {i}", links={(0, 3): after}, scanned=i % 20 == 15)
        return Answer(url, url, 200, (("Content-Type", "application/pdf"),), body)

    def _document_url(self, i: int) -> str:
        return f"http://{self.url(i).split('/')[2]}/d/{i}.pdf"

    def _page(self, url: str, i: int) -> Answer:
        page = super()._page(url, i)
        if i % 5:
            return page
        link = (
            f"<p>a report on it <a href='{self._document_url(i)}'>as a file</a> to read</p></body>"
        )
        return replace(page, body=page.body.replace(b"</body>", link.encode()))
