"""Large pages, parsed in another process: the same document, and a process that can be killed."""

from __future__ import annotations

import os
import signal
from collections.abc import AsyncIterator
from dataclasses import fields

import numpy as np
import pytest

from apps.engine.parsing import markup
from apps.engine.parsing.contexts.aggregation import aggregation
from apps.engine.parsing.contexts.dom_offsets import dom_offsets
from apps.engine.parsing.contexts.layout import Layout
from apps.engine.parsing.contexts.tag_tree import tag_tree
from apps.engine.parsing.contexts.window import window
from apps.engine.parsing.document import parse
from apps.engine.parsing.large_pages import LargePages, is_large
from apps.engine.parsing.processes import ParsingFailed
from tests.engine.parsing.pages import answer

PAGE = answer(
    b"<html><title>The title</title><base href=/sub/>"
    + b"".join(
        b"<div>words of block %d <a href=%d>anchor <b>%d</b></a> and <a href=/i%d><img alt=pic></a>"
        b"<ul><li>one<li>two <a href='#x'>no</a></ul></div>" % (i, i, i % 7, i)
        for i in range(400)
    )
)


@pytest.fixture
async def elsewhere() -> AsyncIterator[LargePages]:
    large_pages = LargePages(processes=1, deadline=600.0)
    yield large_pages
    await large_pages.close()


async def test_the_document_and_every_context_are_the_same_but_for_the_tree(elsewhere):
    there, here = await elsewhere.parse(PAGE), parse(PAGE)
    assert isinstance(there.tree, Layout)
    for name in (
        "url",
        "base_url",
        "title",
        "words",
        "visible",
        "text_start",
        "numbers",
        "scripts",
        "truncated",
        "encoding",
    ):
        assert getattr(there, name) == getattr(here, name)
    same(there.links, here.links, leave_out="nodes")
    for context in (
        dom_offsets,
        tag_tree,
        lambda page: window(page, 10),
        lambda page: aggregation(page, False),
    ):
        same(context(there), context(here))


async def test_pages_without_a_tree_come_back_too(elsewhere):
    assert (await elsewhere.parse(answer(b" "))).tree is None
    assert (await elsewhere.parse(answer(b"some words", "text/plain"))).words == ["some", "words"]


async def test_a_page_that_misses_its_deadline_costs_a_process_and_nothing_else():
    large_pages = LargePages(processes=1, deadline=0.0)
    with pytest.raises(ParsingFailed):
        await large_pages.parse(PAGE)
    large_pages.deadline = 600.0
    assert (await large_pages.parse(PAGE)).title == "The title"
    await large_pages.close()


async def test_a_page_that_takes_the_process_with_it_is_a_failure_of_its_own(elsewhere):
    await elsewhere.parse(PAGE)
    os.kill(elsewhere.idle[0].pid, signal.SIGKILL)
    with pytest.raises(ParsingFailed):
        await elsewhere.parse(PAGE)
    assert (await elsewhere.parse(PAGE)).title == "The title"


def test_size_and_tags_make_a_page_large():
    assert not is_large(PAGE)
    assert is_large(answer(b"x" * 600_000))
    assert is_large(answer(b"<b>" * 10_001))


@pytest.mark.parametrize("piece", ["<b>x</b>", "<p>word", "<a href=/x>y</a>", "</i><"])
def test_a_page_of_too_many_tags_is_cut_and_reports_it(piece, monkeypatch):
    monkeypatch.setattr(markup, "MOST_TAGS", 30_000)
    times = markup.MOST_TAGS // piece.count("<")
    assert not parse(answer((piece * times).encode())).truncated
    document = parse(answer((piece * (times + 1)).encode()))
    assert document.truncated
    assert len(list(document.tree.iter())) <= markup.MOST_TAGS + 3


def test_plain_text_is_cut_where_html_would_be():
    body = b"word " * (markup.MOST_CHARACTERS // 5)
    assert not parse(answer(body, "text/plain")).truncated
    document = parse(answer(body + b"more", "text/plain"))
    assert document.truncated
    assert document.visible == markup.MOST_CHARACTERS // 5


def same(one, other, leave_out: str = "") -> None:
    """Fails where two dataclasses of arrays and values differ."""
    for field in fields(one):
        if field.name != leave_out:
            assert np.array_equal(getattr(one, field.name), getattr(other, field.name)), field.name
