"""A page without what is not its main text."""

from __future__ import annotations

import pytest
from lxml import html

from apps.main_text.fast import FastPage
from apps.main_text.pruning import prune

SENTENCE = "The council heats the school with two heat pumps, which replace the old boiler. "


def left(body: str) -> str:
    """The words of a page that are left."""
    pruned = prune(f"<html><body>{body}</body></html>")
    return " ".join(html.fromstring(pruned).text_content().split())


@pytest.mark.parametrize(
    "element",
    [
        "<nav>Menu</nav>",
        "<div role='navigation'>Menu</div>",
        "<div hidden>Menu</div>",
        "<p aria-hidden='true'>Menu</p>",
        "<div style='color: red; display: none'>Menu</div>",
        "<div class='site-footer'>Menu</div>",
        "<ul id='share'><li>Menu</li></ul>",
        "<ul><li><a href='/'>Menu of links</a></li></ul>",
        "<script>Menu</script>",
    ],
)
def test_what_is_beside_the_text_is_left_out_but_not_what_follows(element: str) -> None:
    text = left(f"<p>{SENTENCE * 4}</p><div>Then {element} comes <b>more</b></div>")
    assert "Menu" not in text and text.endswith("Then comes more")


def test_a_class_is_no_reason_to_leave_out_the_page_or_a_word_of_the_text() -> None:
    page = f"<div class='has-sidebar'><p>{SENTENCE * 4}<i class='menu'>pumps</i></p></div>"
    assert left(page).endswith("boiler. pumps")
    assert left(f"<div class='navigational'>Here</div><p>{SENTENCE * 4}</p>").startswith("Here")


def test_the_main_part_is_taken_alone_once() -> None:
    post = f"<article><p>{SENTENCE * 4}</p><article>Inner</article></article>"
    for opened, closed in (("<main>", "</main>"), ("<div role='main'>", "</div>"), ("", "")):
        text = left(f"<div>Before</div>{opened}{post}{closed}<div>After</div>")
        assert (
            text.startswith("The council") and text.endswith("Inner") and text.count("Inner") == 1
        )


def test_on_a_page_of_lists_they_stay() -> None:
    links = "".join(f"<li><a href='/{i}'>Product {i} for your home</a></li>" for i in range(60))
    text = left(f"<nav>Menu</nav><main><ul>{links}</ul><p>Ten offers.</p></main>")
    assert "Product 41" in text and "Menu" not in text


def test_a_page_without_a_main_text_stays_whole() -> None:
    page = f"<nav><p>{SENTENCE}</p></nav><footer><p>{SENTENCE}</p></footer><p>Home</p>"
    assert prune(page) == page
    assert prune("") == ""


def test_a_page_without_a_title_keeps_its_text() -> None:
    pruned = prune(f"<html><head><title></title></head><body><p>{SENTENCE * 4}</p></body></html>")
    assert FastPage(pruned).visible == (SENTENCE * 4).strip()
