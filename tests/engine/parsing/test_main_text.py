"""Which words of a page are its main text, and crawls that judge pages by those alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from apps.engine.kinds import DocumentKind
from apps.engine.model import Answer, Converted, Document, PreparedPage, Visit
from apps.engine.parsing.document import parse
from apps.engine.parsing.main_text import main_lines, parse_judged, positions, with_main_text
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


def test_its_words_are_those_of_the_extraction() -> None:
    document = parse_judged(answer(), main_text=True)
    extracted = [word for line in main_lines(PAGE) for word in words(line)]
    assert read(document).split() == [*words("Two winters"), *extracted]


def test_a_paragraph_that_is_split_otherwise_is_found_by_its_ends() -> None:
    page = "title one two three four five six seven eight nine ten eleven twelve other".split()
    paragraph = "one two three four five sixseven eight nine ten eleven twelve".split()
    assert positions(page, 1, iter([paragraph, ["gone"], ["other"]])).tolist() == [*range(14)]
    assert positions(page, 1, iter([["two"], ["one"]])).tolist() == [0, 2]


def test_words_are_compared_whole() -> None:
    assert positions("x cart art".split(), 0, iter([["art"]])).tolist() == [2]
    assert positions([], 0, iter([["art"]])).tolist() == []


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
    assert parse_judged(page, main_text=True).main is None


def test_a_rendered_page_is_read_as_its_scripts_have_made_it() -> None:
    rendered = replace(
        answer("<p>Loading"), converted=Converted(DocumentKind.PAGE, PAGE.encode(), 1)
    )
    assert "the council heats" in read(parse_judged(rendered, main_text=True))


def test_a_judgement_of_the_whole_text_is_not_remembered_for_it() -> None:
    prepared = replace(parse(answer()), prepared=PreparedPage((0, 0)))
    assert with_main_text(prepared, answer()).key is None


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
