"""What the head of a page declares."""

from __future__ import annotations

import pytest
from lxml import html

from apps.main_text.head import author_of, read_declarations, title_of


def head(inner: str):
    return read_declarations(
        html.document_fromstring(f"<html><head>{inner}</head><body></body></html>")
    )


@pytest.mark.parametrize(
    ("title", "more", "heading", "expected"),
    [
        ("Heat pumps | Town Paper", '<meta property="og:site_name" content="Town Paper">', "", 0),
        ("Heat pumps – councils-heat", "", "", 0),
        ("Heat pumps - Councils Heat Network", "", "", 0),
        ("Town Paper: Heat pumps", '<meta name="application-name" content="town paper">', "", 1),
        (
            "Heat pumps | and more | A long slogan",
            "",
            "Heat pumps | and more",
            "Heat pumps | and more",
        ),
        ("Well-known pumps", "", "", "Well-known pumps"),
        ("Pumps - a diary", "", "", "Pumps - a diary"),
        ("Councils Heat", "", "", "Councils Heat"),
    ],
)
def test_the_title_stands_without_the_name_of_the_site(title, more, heading, expected) -> None:
    if isinstance(expected, int):
        expected = "Heat pumps"
    declared = head(f"<title>{title}</title>{more}")
    assert title_of(declared, heading, "https://www.councils-heat.example/a") == expected


def test_an_author_is_one_that_the_head_names() -> None:
    assert author_of(head('<meta name="author" content="Ada Lovelace">')) == "Ada Lovelace"
    in_json = """<script type="application/ld+json">{"@graph": [{"@type": "NewsArticle",
        "author": [{"@type": "Person", "name": "Ada  Lovelace"}, "Grace Hopper"]}]}</script>"""
    assert author_of(head(in_json)) == "Ada Lovelace; Grace Hopper"
    both = '<meta name="author" content="ada lovelace">' + in_json
    assert author_of(head(both)) == "ada lovelace; Grace Hopper"


@pytest.mark.parametrize(
    "inner",
    [
        "",
        '<meta property="article:author" content="https://social.example/ada">',
        '<meta name="author" content="ada@a.example">',
        '<meta property="og:site_name" content="A Paper"><meta name="author" content="a paper">',
        '<script type="application/ld+json">{"@type": "Comment", "author": "Eve"}</script>',
        '<script type="application/ld+json">{broken</script>',
    ],
)
def test_no_address_no_site_and_no_commenter_is_an_author(inner) -> None:
    assert author_of(head(inner)) == ""
