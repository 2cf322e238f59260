"""Pages as JSON objects."""

from __future__ import annotations

import json

import pytest

from apps.engine.errors import BadLine
from apps.engine.networking.web_import.lines import page_line


def read(**values: object):
    return page_line(3, json.dumps(values).encode())


@pytest.mark.parametrize("name", ["html", "content", "body", "page_source"])
def test_the_markup_may_have_the_names_of_other_programs(name: str) -> None:
    page = read(url="http://a.test/", **{name: "<p>Rye"})
    assert (page.url, page.html) == ("http://a.test/", "<p>Rye")


def test_of_a_page_without_markup_title_and_text_are_made_a_page() -> None:
    page = read(url="http://a.test/", title="A & B", text="One <two>.\n\nThree\nfour.")
    assert page.html == "<title>A &amp; B</title><p>One &lt;two&gt;.</p><p>Three<br>four.</p>"


def test_an_address_that_was_redirected_counts_under_the_one_that_answered() -> None:
    page = read(url="http://a.test/old", final_url="http://a.test/new", html="")
    assert (page.asked, page.url) == ("http://a.test/old", "http://a.test/new")


def test_the_moment_of_the_copy_is_read() -> None:
    assert read(url="u", html="", captured_at="1970-01-01T00:01:00Z").fetched_at == 60.0
    assert read(url="u", html="").fetched_at == 0.0


def test_what_is_not_a_page_names_which_part_is_wrong() -> None:
    with pytest.raises(BadLine, match='line 3 is not a page: "html" must be a text'):
        read(url="http://a.test/", html=5)
    with pytest.raises(BadLine, match="it is not an object"):
        page_line(3, b"[1]")
