"""Which words of a page are its main text, and crawls that judge pages by those alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from apps.engine.answers import Answer, Converted
from apps.engine.kinds import DocumentKind
from apps.engine.model import Document, PreparedPage, Visit
from apps.engine.parsing.contexts.layout import without_tree
from apps.engine.parsing.document import parse, read_tree
from apps.engine.parsing.main_text import main_words, parse_judged, with_main_text
from apps.engine.parsing.words import words
from apps.engine.representation.link_contexts import pack_contexts, unpack_contexts
from tests.engine.crawl.crawls import batches_of, recorded_crawl
from tests.made_web import MadeWeb, bread_topic

URL = "http://a.test/page"
MENU = "".join(f"<li><a href='/{n}'>Menu {n}</a></li>" for n in range(12))
SENTENCE = "The council heats the school with two heat pumps, which replace the old boiler. "
PAGE = (
    f"<html><head><title>Two winters</title></head><body><nav><ul>{MENU}</ul></nav><article>"
    f"<h1>Two winters</h1><p>{SENTENCE * 4}</p><p>It is <b>half</b>finished, <a href='/more'>more"
    f"</a> will follow. {SENTENCE * 3}</p></article><footer>All rights reserved, cookies, imprint"
    "</footer></body></html>"
)


def answer(body: str = PAGE, content_type: str = "text/html; charset=utf-8") -> Answer:
    return Answer(URL, URL, 200, (("Content-Type", content_type),), body.encode())


def read(document: Document) -> str:
    assert document.main is not None
    return " ".join(document.words[i] for i in document.main)


def test_the_main_text_is_the_title_and_the_paragraphs() -> None:
    document = parse_judged(answer(), main_text=True)
    text = read(document)
    assert text.startswith("two winters two winters the council heats")
    assert "halffinished more will follow" in text
    assert "menu" not in text and "cookies" not in text
    whole = parse_judged(answer(), main_text=False)
    assert whole.main is None
    # Link contexts have the whole page.
    assert whole.words == document.words and whole.links.urls == document.links.urls


def main_part(body: str) -> str:
    """The words of a page that are its main text, in one line."""
    document = parse_judged(answer(f"<html><body>{body}</body></html>"), main_text=True)
    return read(document)


@pytest.mark.parametrize("name", ["nav", "footer", "aside", "form", "dialog", "button", "select"])
def test_what_stands_in_such_elements_is_left_out(name: str) -> None:
    text = main_part(f"<p>{SENTENCE * 3}</p><div><{name}>One <b>two</b></{name}> three</div>")
    assert text.endswith("the old boiler three")


def test_a_form_that_is_the_page_is_read() -> None:
    assert "heats" in main_part(f"<p>Home</p><form><p>{SENTENCE * 3}</p></form>")


def test_a_list_of_links_is_left_out_and_one_of_words_with_links_is_not() -> None:
    linked = "<ul><li><a href='/1'>a link of five words</a></li><li><a href='/2'>b</a> c</li></ul>"
    mixed = "<ul><li><a href='/1'>three</a> of many words</li></ul>"
    assert main_part(f"<p>{SENTENCE * 3}</p>{linked}{mixed}").endswith("boiler three of many words")
    # Two words are no menu.
    assert main_part(f"<p>{SENTENCE * 3}</p><p><a href='/'>Read on</a></p>").endswith("read on")


@pytest.mark.parametrize("name", ["main", "article"])
def test_the_part_that_is_marked_is_taken_alone(name: str) -> None:
    around = "<div>Before it</div>{}<div>after it</div>"
    text = main_part(around.format(f"<{name}><p>{SENTENCE * 3}</p></{name}>"))
    assert text.startswith("the council") and text.endswith("boiler")
    # It is not, where it has hardly anything.
    assert main_part(f"<p>{SENTENCE * 3}</p><{name}>Nothing here</{name}>").startswith(
        "the council"
    )


def test_characters_like_its_marks_change_nothing() -> None:
    words = [f"<p>{SENTENCE * 3}</p>", "&#127;", "<nav>Menu</nav>"]
    for stray in ("&#127;! ", "&#127; ", "&#127;", "a&#127;b", "&#127;*&#127;&#127; &shy;"):
        text = main_part(stray.join(words))
        assert "council" in text and "menu" not in text


@pytest.mark.parametrize("script", ["漢字の本を読む。" * 20, "Привет мир. " * 20, "ﬃ ẞ İ " * 20])
def test_positions_are_right_in_every_script(script: str) -> None:
    text = main_part(f"<nav>{SENTENCE}</nav><main>{script}</main><footer>{SENTENCE}</footer>")
    assert text.split() == words(script)


def test_a_page_without_words_has_none() -> None:
    for page in ("", "<p>", "<nav></nav>"):
        document = parse_judged(answer(page), main_text=True)
        assert document.main is None or not document.main.size
        root, _ = read_tree(page)
        assert root is None or not main_words(root).size


def test_a_page_that_was_read_elsewhere_has_the_same() -> None:
    here = parse_judged(answer(), main_text=True)
    travelled = without_tree(parse(answer()))
    assert read(with_main_text(travelled, answer())) == read(here)
    # It is not read twice.
    assert with_main_text(here, answer(body="")) is here


@pytest.mark.parametrize(
    "page",
    [
        answer("plain words", "text/plain"),
        answer("<p>" + "word " * 5 + "</p>" + "<ul>" + MENU * 40 + "</ul>"),
        answer(PAGE + "<p>" * 20_000),
        replace(answer(), converted=Converted(DocumentKind.PDF, b"<p>A report", 1)),
    ],
)
def test_what_has_no_main_text_is_read_whole(page: Answer) -> None:
    document = parse_judged(page, main_text=True)
    assert document.main is None or document.main.tolist() == [*range(document.visible)]


def test_a_rendered_page_is_read_as_its_scripts_have_made_it() -> None:
    rendered = replace(
        answer("<p>Loading"), converted=Converted(DocumentKind.PAGE, PAGE.encode(), 1)
    )
    assert "the council heats" in read(parse_judged(rendered, main_text=True))


def test_a_judgement_of_the_whole_text_is_not_remembered_for_it() -> None:
    prepared = replace(parse(answer()), prepared=PreparedPage((0, 0)))
    assert with_main_text(prepared, answer()).key is None
    listed = answer("<ul>" + MENU * 40 + "</ul>")
    whole = replace(parse(listed), prepared=PreparedPage((0, 0)))
    assert with_main_text(whole, listed).key == (0, 0)


def test_it_outlives_packing() -> None:
    document = parse_judged(answer(), main_text=True)
    tokens = np.arange(len(document.words), dtype=np.int32)
    numbers = np.arange(len(document.links), dtype=np.int64)
    visit = Visit(1, URL, 0, -1, 0, document, tokens, numbers)
    assert visit.text.tolist() == document.main.tolist()
    again = unpack_contexts(pack_contexts(visit), 1, 0, URL)
    assert again.text.tolist() == visit.text.tolist()
    whole = replace(visit, document=parse(answer()))
    assert unpack_contexts(pack_contexts(whole), 1, 0, URL).text.tolist() == whole.text.tolist()


class Wrapped(MadeWeb):
    """Each page stands in an article, and below it a notice with words of the topic, as many."""

    def get(self, url: str) -> Answer:
        page = super().get(url)
        notice = "<footer class='cookie-banner'>" + "dough flour oven yeast " * 60 + "</footer>"
        body = page.body.decode()
        shown = f"<article><p>{SENTENCE * 3}</p>{body}</article>{notice}"
        return replace(page, body=shown.encode())


async def topicalities(main_text: bool) -> dict[str, float]:
    web = Wrapped(pages=60)
    topic = replace(bread_topic(web), main_text=main_text)
    crawl = recorded_crawl(web, "full_page", budget=40, topic=topic)
    crawl.start()
    pages = [page for batch in await batches_of(crawl) for page in batch.pages]
    return {page.answer.url: page.topicality for page in pages}


async def test_a_crawl_judges_pages_by_it() -> None:
    whole, main = await topicalities(False), await topicalities(True)
    both = whole.keys() & main.keys()
    assert both and any(whole[url] != main[url] for url in both)
