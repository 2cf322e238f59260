"""A collection as references: BibTeX and RIS, for Zotero, JabRef and similar programs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from functools import partial
from typing import Any

from apps.exports.columns import COLUMNS, PROBABILITY_DIGITS, SIMILARITY
from apps.exports.format import DownloadSample, Format, Size, length
from apps.exports.rows import Selection, rows

_NEEDED = tuple(
    COLUMNS[name]
    for name in (
        *("crawl", "page", "title", "author", "language", "published", "published_precision"),
        *("final_url", "host", "captured_at", "fetched_at", "why", SIMILARITY),
    )
)
# Each is what TeX reads as the letter itself. BibTeX counts braces, those after a backslash too.
_TEX = {
    **{letter: f"\\{letter}" for letter in "&%$#_"},
    "{": "\\textbraceleft{}",
    "}": "\\textbraceright{}",
    "\\": "\\textbackslash{}",
    "~": "\\textasciitilde{}",
    "^": "\\textasciicircum{}",
}
SEPARATOR = "; "
"""Between the authors of a page (`main_text.head`)."""
_LINE_END = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Reference:
    """A page as a reference: `key` is unique in the file, `read_at` the moment of its copy.

    `authors` are those that the page declares, `published` is a day as 2024-05-06 or a month as
    2024-05, `language` a code (ISO 639-1); each is empty where the page shows none.
    """

    key: str
    title: str
    url: str
    host: str
    read_at: datetime
    note: str
    authors: tuple[str, ...] = ()
    published: str = ""
    language: str = ""


def references(selection: Selection) -> Iterator[Reference]:
    """The pages of a selection."""
    for values in rows(selection, _NEEDED):
        yield Reference(
            key=f"crawl{values['crawl']}page{values['page']}",
            title=_one_line(values["title"] or values["final_url"]),
            url=_one_line(values["final_url"]),
            host=values["host"],
            read_at=values["captured_at"] or values["fetched_at"],
            note=_note(values["why"], values[SIMILARITY]),
            authors=tuple(map(_one_line, filter(None, (values["author"] or "").split(SEPARATOR)))),
            published=_day(values["published"], values["published_precision"]),
            language=values["language"] or "",
        )


def bibtex(reference: Reference) -> str:
    """An entry `@misc` with `urldate`, as biblatex and Zotero read it; the address as it is, since
    it is read by \\url."""
    address = reference.url.replace("{", "%7B").replace("}", "%7D")
    fields = {
        "title": f"{{{_tex(reference.title)}}}",
        "author": " and ".join(map(_tex_name, reference.authors)),
        "date": reference.published,
        "year": reference.published[:4],
        "langid": reference.language,
        "howpublished": _tex(reference.host),
        "url": address,
        "urldate": f"{reference.read_at:%Y-%m-%d}",
        "note": _tex(reference.note),
    }
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@misc{{{reference.key},\n{lines}}}\n\n"


def ris(reference: Reference) -> str:
    """An entry of type ELEC (a web page)."""
    fields = (
        ("TY", "ELEC"),
        ("ID", reference.key),
        ("TI", reference.title),
        *(("AU", name) for name in reference.authors),
        *_ris_date(reference.published),
        *([("LA", reference.language)] if reference.language else []),
        ("PB", reference.host),
        ("UR", reference.url),
        ("Y2", f"{reference.read_at:%Y/%m/%d}"),
        ("N1", reference.note),
        ("ER", ""),
    )
    return "".join(f"{tag}  - {text}\r\n" for tag, text in fields)


def _ris_date(published: str) -> Iterator[tuple[str, str]]:
    """Year, and the date as year/month/day/ with the part that is missing left empty."""
    if published:
        year, month, day = [*published.split("-"), ""][:3]
        yield "PY", year
        yield "DA", f"{year}/{month}/{day}/"


def _note(why: str, similarity: float | None) -> str:
    """Why the page was fetched and, of a search for near pages, its similarity."""
    near = "" if similarity is None else f" Similarity: {similarity:.{PROBABILITY_DIGITS}f}."
    return _one_line(f"{why}{near}")


def _day(published: date | None, precision: str) -> str:
    text = published.isoformat() if published else ""
    return text[:7] if precision == "month" else text


def _tex_name(name: str) -> str:
    """A name, in braces if it would be read as two."""
    return f"{{{_tex(name)}}}" if " and " in name else _tex(name)


def _one_line(text: str) -> str:
    return _LINE_END.sub(" ", text).strip()


def _tex(text: str) -> str:
    return "".join(_TEX.get(letter, letter) for letter in text)


def _export(write: Callable[[Reference], str], selection: Selection) -> Iterator[bytes]:
    for reference in references(selection):
        yield write(reference).encode("utf-8", "replace")


def _size(write: Callable[[Reference], str], sample: DownloadSample) -> Size:
    size = length(_export(write, sample.few))
    return Size(sample.share * size, len(sample.pages) == sample.rows)


def _format(write: Callable[[Reference], str], **values: Any) -> Format:
    return Format(
        export=partial(_export, write), size=partial(_size, write), unit="reference", **values
    )


BIBTEX = _format(
    bibtex,
    id="bibtex",
    title="BibTeX",
    words="references, for LaTeX and Zotero",
    sentence="A reference a page, with its address and the day of its copy, for LaTeX, JabRef and"
    " Zotero. Of a search for near pages the note has the similarity.",
    content_type="application/x-bibtex; charset=utf-8",
    extension="bib",
)
RIS = _format(
    ris,
    id="ris",
    title="RIS",
    words="references, for EndNote and Citavi",
    sentence="The same references for EndNote, Citavi and Zotero.",
    content_type="application/x-research-info-systems; charset=utf-8",
    extension="ris",
)
