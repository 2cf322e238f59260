"""Documents that are parsed later."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from apps.engine.errors import BadWebFile
from apps.engine.model import Document, PageSizes
from apps.engine.parsing.document import parse_html
from apps.engine.parsing.later import parsed_later

PAGE = "<title>Bread</title><p>Rye <a href=/more>and more</a>"
URL, SIZES = "http://a.test/", PageSizes(words=4, targets=1, links=1, numbers=0)


def test_it_is_parsed_once_when_something_of_it_is_read() -> None:
    parsed: list[Document] = []

    def parse() -> Document:
        parsed.append(parse_html(PAGE, URL))
        return parsed[0]

    document = parsed_later(parse, URL, SIZES)
    assert isinstance(document, Document) and not parsed
    assert document.title == "Bread" and list(document.links.urls) == ["http://a.test/more"]
    for field in fields(Document):
        assert getattr(document, field.name) is getattr(parsed[0], field.name)
    assert len(parsed) == 1


def test_a_changed_copy_is_parsed() -> None:
    document = parsed_later(lambda: parse_html(PAGE, URL), URL, SIZES)
    assert replace(document, title="Loaf").words == document.words


def test_address_and_sizes_are_given() -> None:
    def refuse() -> Document:
        raise AssertionError("it is parsed")

    document = parsed_later(refuse, URL, SIZES)
    assert (document.url, document.sizes) == (URL, SIZES)
    assert parse_html(PAGE, URL).sizes == SIZES
    copied = replace(parsed_later(lambda: parse_html(PAGE, URL), URL, SIZES), numbers=7)
    assert copied.sizes == SIZES._replace(numbers=7)


def test_a_name_that_no_document_has_parses_nothing() -> None:
    def refuse() -> Document:
        raise AssertionError("it is parsed")

    assert not hasattr(parsed_later(refuse, URL, SIZES), "shape")


def test_a_page_that_is_gone_is_an_error_for_whoever_reads_it() -> None:
    def parse() -> Document:
        raise BadWebFile("gone")

    with pytest.raises(BadWebFile):
        _ = parsed_later(parse, URL, SIZES).words
