"""The text by which stored pages are searched."""

from __future__ import annotations

import pytest

from apps.engine.answers import Answer
from apps.stored_pages.page_text import VisibleText, page_text

URL = "https://a.example/"


def text_of(body: str, content_type: str = "text/html") -> VisibleText:
    return page_text(Answer(URL, URL, 200, (("content-type", content_type),), body.encode()))


def test_title_and_visible_words_without_scripts() -> None:
    page = text_of("<title>Two  winters</title><p>One<br>two<script>three</script> four")
    assert page == VisibleText("Two winters", "One two four")


def test_plain_text_has_no_title() -> None:
    assert text_of("<title>one\n two", "text/plain") == VisibleText("", "<title>one two")


@pytest.mark.parametrize(
    "part",
    [
        "<noscript><p>{}</p></noscript><script></script>",
        "<iframe srcdoc='<p>{}</p>'></iframe>",
        "<div><template shadowrootmode=open><p>{}</p></template></div>",
    ],
)
def test_parts_that_a_browser_shows_are_text(part: str) -> None:
    text = "Which telescope is for beginners? " * 20
    assert text_of(part.format(text)).text == text.strip()
