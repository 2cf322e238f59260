"""A stored page, read whole."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from apps.engine.answers import Answer
from apps.engine.parsing import markup
from apps.engine.parsing.documents.converting import convert
from apps.main_text.article import Article, Block, Dated, Marks
from apps.main_text.reading import read_article, read_marks
from tests import made_documents as made

SENTENCE = "Die Stadt heizt ihr Rathaus seit Oktober mit zwei Wärmepumpen. "


def answer(body: str, content_type: str = "text/html; charset=utf-8") -> Answer:
    url = "https://rathaus.example/praxis"
    return Answer(url, url, 200, (("Content-Type", content_type),), body.encode())


def test_a_page_is_read_with_all_that_it_declares() -> None:
    page = (
        "<html><head><title>Zwei Winter | Rathaus</title><meta name='author' content='Ada'>"
        "<meta name='date' content='2026-10-14'></head><body><article>"
        f"<h1>Zwei Winter</h1><p>{SENTENCE * 6}</p></article></body></html>"
    )
    assert read_article(answer(page)) == Article(
        (Block("heading", "Zwei Winter", 1), Block("paragraph", (SENTENCE * 6).strip())),
        "Zwei Winter",
        "Ada",
        (("de", 1.0),),
        Dated(date(2026, 10, 14), "head"),
    )


def test_text_and_signs_are_read_of_one_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def counting(encoded: bytes) -> Any:
        made.append(encoded)
        return parsed(encoded)

    parsed = markup._parsed
    monkeypatch.setattr(markup, "_parsed", counting)
    page = (
        "<html><head><meta name='robots' content='noai'></head><body><main>"
        f"<p>{SENTENCE * 6}</p></main></body></html>"
    )
    read = read_article(answer(page))
    assert len(made) == 1
    assert [sign.text for sign in read.signs] == ["robots: noai"] and len(read.blocks) == 1


def test_plain_text_is_split_at_empty_lines() -> None:
    read = read_article(answer("First\nline\n\n\nSecond", "text/plain"))
    assert read.blocks == (Block("paragraph", "First\nline"), Block("paragraph", "Second"))


def test_what_is_not_a_page_has_nothing() -> None:
    assert read_article(answer("")) == Article()
    assert read_article(answer("\x00\x01<<<>>>")).languages == ()


def test_of_a_document_all_text_is_read_and_its_date_is_that_of_its_file() -> None:
    url = "http://a.test/2019/05/report.pdf"
    body = made.pdf([["First page"], ["Second"]], title="Report", created="D:20240311")
    article = read_article(Answer(url, url, 200, (), body, converted=convert(body, url)))
    assert article.title == "Report"
    assert [block.text for block in article.blocks] == ["First page", "Second"]
    assert article.dated == Dated(date(2024, 3, 11), "file")


@pytest.mark.parametrize(
    "body",
    [
        made.pdf([["Winters"]], author="Ann Miller"),
        made.word(made.paragraph("Winters"), author="Ann Miller"),
        made.opendocument(
            "<text:p>Winters</text:p>",
            meta="<office:meta><meta:initial-creator>Ann Miller</meta:initial-creator>"
            "<dc:creator>Her clerk</dc:creator></office:meta>",
        ),
        rb"{\rtf1\ansi{\info{\author Ann  Miller}} Winters}",
    ],
    ids=["pdf", "word", "opendocument", "rtf"],
)
def test_the_author_of_a_document_is_the_one_that_its_file_names(body: bytes) -> None:
    url = "http://a.test/report"
    article = read_article(Answer(url, url, 200, (), body, converted=convert(body, url)))
    assert (article.author, article.text) == ("Ann Miller", "Winters")


def test_a_document_may_be_older_than_the_web() -> None:
    url = "http://a.test/report"
    for body in (
        made.pdf([["First page"]], created="D:19850311"),
        rb"{\rtf1\ansi{\info{\creatim\yr1985\mo3\dy11}} A scan}",
    ):
        document = Answer(url, url, 200, (), body, converted=convert(body, url))
        assert read_article(document).dated == Dated(date(1985, 3, 11), "file")
        assert read_marks(document).dated == Dated(date(1985, 3, 11), "file")


def test_marks_are_those_of_the_article() -> None:
    page = f"<title>T</title><meta name='date' content='2026-10-14'><p>{SENTENCE * 6}"
    url = "http://a.test/2019/05/report.pdf"
    body = made.pdf([["First page"]], title="Report", created="D:20240311")
    document = Answer(url, url, 200, (), body, converted=convert(body, url))
    for each in (answer(page), answer(SENTENCE * 3, "text/plain"), answer(""), document):
        article = read_article(each)
        assert read_marks(each) == Marks(article.language, article.dated)
    assert read_marks(answer(page)) == Marks("de", Dated(date(2026, 10, 14), "head"))
    assert read_marks(document).dated == Dated(date(2024, 3, 11), "file")
