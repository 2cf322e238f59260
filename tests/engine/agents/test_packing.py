"""A message is read as it was sent, whatever a page is like."""

from __future__ import annotations

import pickle
from dataclasses import fields, is_dataclass, replace
from typing import Any

import numpy as np
import pytest

from apps.engine.agents.answering import read
from apps.engine.agents.messages import Reply
from apps.engine.agents.packing import packed
from apps.engine.answers import Answer
from apps.engine.parsing.contexts.layout import Layout, LayoutLater

URL = "http://a.test/page"
PAGES = {
    "words and links": "<title>T</title>one <a href=/x>two</a> <a href=/y><img alt=z></a> three",
    "other scripts": "<p>Привет 漢字の本 \u0e01\u0e02 naïve <a href='/в?q=1'>да</a> İstanbul",
    "no words": "<a href=/x></a>",
    "no links": "only words",
    "nothing": " ",
}


def alike(sent: Any, got: Any) -> bool:
    """Whether two values are of the same types and equal, all the way down."""
    if type(sent) is not type(got):
        return False
    if is_dataclass(sent):
        return all(alike(getattr(sent, f.name), getattr(got, f.name)) for f in fields(sent))
    if isinstance(sent, np.ndarray):
        return (sent.dtype, sent.shape, sent.tolist()) == (got.dtype, got.shape, got.tolist())
    return bool(sent == got)


def as_it_travels(reply: Reply) -> Reply:
    """The reply without what is bound to the tag tree."""
    document = reply.answer.document
    assert document is not None
    tree = document.tree
    if tree is not None and not isinstance(tree, Layout):
        tree = LayoutLater()
    document = replace(document, tree=tree, links=replace(document.links, nodes=()))
    return replace(reply, answer=replace(reply.answer, document=document))


@pytest.mark.parametrize("main_text", [False, True])
@pytest.mark.parametrize("layout", [False, True])
@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES)
def test_a_page_arrives_as_it_was_sent(html: str, layout: bool, main_text: bool) -> None:
    asked = Answer(URL, URL, 200, (("Content-Type", "text/html; charset=utf-8"),), html.encode())
    reply = Reply(7, read(asked, layout, main_text), 0.5, 1.5)
    assert reply.answer.document is not None
    got = pickle.loads(packed(reply))
    assert alike(as_it_travels(reply), got)
    assert got.answer.document.links.target.flags.writeable


def test_an_answer_without_a_page_arrives_as_it_was_sent() -> None:
    answer = Answer(URL, URL, failure="timeout", detail="slow", hops=("http://a.test/",))
    reply = Reply(1, answer, 0.1, 0.2)
    assert alike(reply, pickle.loads(packed(reply)))
