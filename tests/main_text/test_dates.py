"""The day of publication, and what names it."""

from __future__ import annotations

from datetime import date

import pytest
from lxml import html

from apps.main_text.article import Dated
from apps.main_text.dates import date_of
from apps.main_text.head import read_declarations

URL = "https://a.example/text"


def dated(head: str = "", body: str = "", url: str = URL) -> Dated | None:
    tree = html.document_fromstring(f"<html><head>{head}</head><body>{body}</body></html>")
    heading = next((element.text_content() for element in tree.iter("h1")), "")
    return date_of(read_declarations(tree), tree, heading, tree.find("body").text_content, url)


@pytest.mark.parametrize(
    "head",
    [
        '<meta property="article:published_time" content="2024-05-03T23:10:00+02:00">',
        '<meta name="DC.date" content="2024-05-03">',
        '<script type="application/ld+json">{"@type": "BlogPosting", "datePublished": "2024-05-03",'
        ' "dateModified": "2025-01-01"}</script>',
    ],
)
def test_the_head_comes_first(head) -> None:
    assert dated(head, url="https://a.example/2023/01/02/x") == Dated(date(2024, 5, 3), "head")


def test_what_was_printed_before_the_web_may_declare_its_day() -> None:
    declared = '<meta name="citation_publication_date" content="1985/3/14">'
    assert dated(declared) == Dated(date(1985, 3, 14), "head")
    # An address names what a page tells of as well.
    assert dated(url="https://a.example/1985/03/14/x") is None


@pytest.mark.parametrize("day", ["1970-01-01", "1980-01-01", "1904-01-01", "1601-01-01"])
def test_the_zero_of_a_clock_is_no_day(day) -> None:
    assert dated(f'<meta name="date" content="{day}T00:00:00Z">') is None
    assert dated(f'<meta name="date" content="{day}"><meta name="dc.date" content="1985-03-14">')


def test_a_marked_date_of_the_page_comes_before_its_address() -> None:
    marked = '<p><time datetime="2024-05-03" pubdate>3 May 2024</time></p>'
    assert dated(body=marked, url="https://a.example/2023/01/02/x") == Dated(
        date(2024, 5, 3), "page"
    )


def test_the_address_may_name_a_day_or_a_month() -> None:
    assert dated(url="https://a.example/2023/01/02/x") == Dated(date(2023, 1, 2), "address")
    month = Dated(date(2023, 1, 1), "address", "month")
    assert dated(url="https://a.example/news/2023/01/x") == month


def test_a_date_counts_at_the_title_but_not_far_from_it() -> None:
    at_title = "<h1>Two winters</h1><p>By nobody, 14 November 2023. Since then it heats.</p>"
    assert dated(body=at_title) == Dated(date(2023, 11, 14), "title")
    far = f"<h1>Two winters</h1><p>{'word ' * 200}</p><p>14 November 2023</p>"
    assert dated(body=far) is None


@pytest.mark.parametrize(
    "head",
    [
        '<meta name="date" content="2999-01-01">',
        '<meta name="date" content="1066-10-14">',
        '<meta name="date" content="soon">',
    ],
)
def test_no_day_of_no_calendar(head) -> None:
    assert dated(head, body="<p>© 2024 Somebody</p>") is None
