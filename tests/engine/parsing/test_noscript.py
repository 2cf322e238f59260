"""Links of `<noscript>` count, its text only where a page has no other; template and drawings'
titles give neither."""

from __future__ import annotations

import pytest

from apps.engine.parsing.contexts.tag_tree import tag_tree
from apps.engine.parsing.contexts.window import window
from apps.engine.parsing.document import parse_html
from tests.engine.parsing.pages import PAGE

AT = "http://example.com/dir/"


def links_of(html: str) -> list[tuple[str, str]]:
    """(target, the words that speak for it) of each occurrence."""
    document = parse_html(html, PAGE)
    links = document.links
    return [
        (links.urls[target].removeprefix(AT), " ".join(document.words[start:end]))
        for target, start, end in zip(
            links.target, links.anchor_start, links.anchor_end, strict=True
        )
    ]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<noscript>no <a href=x>The Words</a> no</noscript>", [("x", "the words")]),
        (
            "<noscript><a href=x>b<b>old</b></a><a href=y>y</a></noscript>",
            [("x", "b old"), ("y", "y")],
        ),
        ("<noscript><a href=x><img alt='In Alt'></a></noscript>", [("x", "in alt")]),
        ("<noscript><a href=x title='In Title'></a></noscript>", [("x", "in title")]),
        (
            "<noscript><iframe src=x></iframe><map><area href=y alt='an area'></map></noscript>",
            [("x", ""), ("y", "an area")],
        ),
        ("<noscript><noscript><a href=x>once</a></noscript></noscript>", [("x", "once")]),
        ("<head><noscript><a href=x>head</a></noscript></head>", [("x", "head")]),
        ("<noscript><a name=x>no link</a></noscript>", []),
        ("<template><a href=x>y</a></template>", []),
        ("<template><noscript><a href=x>y</a></noscript></template>", []),
        ("<svg><title><a href=x>y</a></title></svg>", []),
        ("<svg><a href=x>y</a></svg>", [("x", "y")]),
    ],
)
def test_it_gives_the_links_a_browser_without_scripts_follows(
    html: str, expected: list[tuple[str, str]]
) -> None:
    assert links_of(html) == expected


def test_its_text_is_no_text_of_the_page() -> None:
    document = parse_html("one<noscript>no <a href=x>no</a> no</noscript>two <a href=y>z</a>", PAGE)
    assert document.words[: document.visible] == ["one", "two", "z"]


THREAD = "<p>" + "Which beginner telescope do you recommend? " * 20 + "<a href=x>reply</a></p>"


def test_its_text_is_that_of_a_page_without_another() -> None:
    page = (
        "<title>New telescope</title><noscript><img src=count></noscript>"
        f"<noscript><meta http-equiv=refresh content='0;url=no'>{THREAD}</noscript>"
        "<div id=app></div><script src=app.js></script>"
    )
    document = parse_html(page, PAGE)
    assert document.visible > 100 and not document.needs_javascript
    assert links_of(page) == [("x", "reply")]
    assert document.refresh is None


@pytest.mark.parametrize(
    "page",
    [
        f"<p>{'a text of its own ' * 10}</p><noscript>{THREAD}</noscript><script></script>",
        "<noscript>Please turn scripts on to read this thread.</noscript><script></script>",
    ],
)
def test_beside_another_text_and_where_it_asks_for_scripts_it_is_none(page: str) -> None:
    assert "telescope" not in parse_html(page, PAGE).words
    assert "scripts" not in parse_html(page, PAGE).words


def test_its_nofollow_holds_and_its_refresh_does_not() -> None:
    document = parse_html(
        "<noscript><meta http-equiv=refresh content='0;url=no'>"
        "<a href=x rel=nofollow>x</a></noscript>",
        PAGE,
    )
    assert document.links.nofollow.tolist() == [True]
    assert document.refresh is None


def test_contexts_of_its_links_are_the_words_round_it() -> None:
    document = parse_html(
        "<p>one two three<noscript><a href=x>link</a></noscript>four five</p>", PAGE
    )
    assert words_in(document, window(document, 4)) == ["two", "three", "four", "five", "link"]
    assert words_in(document, tag_tree(document)) == ["one", "two", "three", "four", "five", "link"]


def words_in(document, spans):
    return [
        word
        for start, end in zip(spans.start, spans.end, strict=True)
        for word in document.words[start:end]
    ]
