"""Collections as BibTeX and RIS."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from apps.collection.models import MainText
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
        "  title = {{50 \\% of R\\&D \\textbraceleft{}in\\textbraceright{} C\\_1 \\#2}},\n"
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
    assert b"title = {{a\\textbraceright{} ER" in b"".join(BIBTEX.export(Selection.of_crawl(crawl)))


WRITTEN = replace(
    PAGE,
    authors=("Ada Lovelace", "Müller, Jan", "Bread and Butter"),
    published="2024-05",
    language="de",
)


def test_authors_date_and_language_are_those_that_were_read() -> None:
    entry = bibtex(WRITTEN)
    assert "  author = {Ada Lovelace and Müller, Jan and {Bread and Butter}},\n" in entry
    assert "  date = {2024-05},\n  year = {2024},\n  langid = {de},\n" in entry
    lines = ris(WRITTEN).split("\r\n")
    assert lines[3:9] == [
        "AU  - Ada Lovelace",
        "AU  - Müller, Jan",
        "AU  - Bread and Butter",
        "PY  - 2024",
        "DA  - 2024/05//",
        "LA  - de",
    ]
    assert "DA  - 2024/05/06/" in ris(replace(WRITTEN, published="2024-05-06"))


@pytest.mark.parametrize(
    "title", ["a} b", "open { only", "back \\{ slash \\", "{{{", "}{", "@misc{a, b}"]
)
def test_braces_balance_as_bibtex_counts_them(title: str) -> None:
    # It knows no escape: a brace after a backslash counts too.
    depth = 0
    for letter in bibtex(replace(WRITTEN, title=title, note=title, authors=(title,))).strip():
        depth += (letter == "{") - (letter == "}")
        assert depth >= 0
    assert depth == 0


def test_a_page_that_was_read_is_a_reference_with_its_day(crawl: Crawl) -> None:
    page = Page.objects.get(crawl=crawl, seq=1)
    MainText.objects.update_or_create(
        page_id=page.pk,
        defaults={
            "blocks": b"",
            "crawl": crawl,
            "author": "Ada; Jan",
            "languages": [["de", 1.0]],
            "published": date(2024, 5, 1),
            "published_precision": "month",
        },
    )
    first = next(iter(BIBTEX.export(Selection.of_crawl(crawl)))).decode()
    assert "author = {Ada and Jan}" in first and "date = {2024-05}" in first
    assert "langid = {de}" in first
