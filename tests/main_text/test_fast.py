"""The fast extraction of main text."""

from __future__ import annotations

from apps.main_text.article import Block
from apps.main_text.fast import FastPage

SENTENCE = "The council heats the school with two heat pumps, which replace the boiler. "
PAGE = f"""<html><body>
<nav><ul><li><a href="/">Home</a></li><li><a href="/b">More</a></li></ul></nav>
<main><article><h1>Two winters</h1><p>{SENTENCE * 4}</p><p>Line one<br>Line two, {SENTENCE}</p>
<table><tr><td>Heat</td><td>212</td></tr></table></article></main>
<footer><p>Imprint and cookies</p></footer></body></html>"""


def test_it_takes_the_main_text_as_written() -> None:
    page = FastPage(PAGE)
    assert "Imprint" not in page.text and "Home" not in page.text
    assert SENTENCE.strip() in page.text
    assert "Imprint" in page.visible


def test_blocks_have_headings_line_breaks_and_rows() -> None:
    blocks = FastPage(PAGE[PAGE.index("<main>") :]).visible_blocks
    assert blocks[0] == Block("heading", "Two winters", 1)
    assert blocks[2] == Block("paragraph", f"Line one\nLine two, {SENTENCE.strip()}")
    assert Block("row", "Heat\t212") in blocks


def test_a_page_without_main_text_has_all_of_its_text() -> None:
    links = "".join(f"<li><a href='/{i}'>Product {i} for your home</a></li>" for i in range(60))
    page = FastPage(f"<html><body><ul>{links}</ul><p>Ten offers.</p></body></html>")
    assert "Product 41" in page.text
    assert FastPage("").visible_blocks == [] and FastPage("").text == ""
