"""Collections as BibTeX and RIS."""

from __future__ import annotations

from datetime import UTC, datetime

from apps.crawls.models import Crawl, Page
from apps.exports.references import BIBTEX, RIS, Reference, bibtex, ris
from apps.exports.rows import Selection
from tests.exports.test_exports import crawl, owner  # noqa: F401

PAGE = Reference(
    key="crawl7page3",
    title="50 % of R&D {in} C_1 #2",
    url="https://a.test/x_y?a=1&b=%7B{2}",
    host="a.test",
    read_at=datetime(2024, 5, 6, 7, tzinfo=UTC),
    note="Relevant.",
)


def test_a_page_is_an_entry_of_bibtex() -> None:
    assert bibtex(PAGE) == (
        "@misc{crawl7page3,\n"
        "  title = {{50 \\% of R\\&D \\{in\\} C\\_1 \\#2}},\n"
        "  howpublished = {a.test},\n"
        "  url = {https://a.test/x_y?a=1&b=%7B%7B2%7D},\n"
        "  urldate = {2024-05-06},\n"
        "  note = {Relevant.},\n"
        "}\n\n"
    )


def test_a_page_is_an_entry_of_ris() -> None:
    assert ris(PAGE).split("\r\n") == [
        "TY  - ELEC",
        "ID  - crawl7page3",
        "TI  - 50 % of R&D {in} C_1 #2",
        "PB  - a.test",
        "UR  - https://a.test/x_y?a=1&b=%7B{2}",
        "Y2  - 2024/05/06",
        "N1  - Relevant.",
        "ER  - ",
        "",
    ]


def test_a_title_cannot_end_its_field(crawl: Crawl) -> None:
    Page.objects.filter(seq=1).update(title="a}\nER  - \nTY  - JOUR")
    first = b"".join(RIS.export(Selection.of_crawl(crawl))).decode().split("\r\nER  - \r\n")[0]
    assert "\r\nTI  - a} ER - TY - JOUR\r\n" in first
    assert b"title = {{a\\} ER" in b"".join(BIBTEX.export(Selection.of_crawl(crawl)))
