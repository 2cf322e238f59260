"""A parsed web is the web it was made of, page by page."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from apps.engine.model import Document, Links
from apps.engine.networking.webs.virtual_web import RecordedFetcher, read
from apps.engine.parsing.contexts.aggregation import aggregation
from apps.engine.parsing.contexts.dom_offsets import dom_offsets
from apps.engine.parsing.contexts.layout import Layout, layout
from apps.engine.parsing.contexts.tag_tree import tag_tree
from apps.engine.parsing.contexts.window import window
from apps.engine.parsing.document import parse
from apps.engine.replays.parsed_web import ParsedWeb
from apps.engine.replays.prepared_contexts import PREPARED
from apps.engine.replays.preparing import prepare
from tests.engine.replays.odd_web import OddWeb

UNLIKE = {"tree", "prepared", "text_mark", "links", "nodes", "words"}


def values_of(thing: Document | Links | Layout) -> Iterator[Any]:
    for name in (field.name for field in fields(thing)):
        value = getattr(thing, name)
        if name not in UNLIKE:
            yield name, value.tolist() if isinstance(value, np.ndarray) else value


def test_every_document_is_the_one_that_parsing_gives(odd_web: OddWeb, parsed: ParsedWeb) -> None:
    compared = 0
    for url in odd_web.urls():
        answer, document = read(odd_web, url), parsed.document(url)
        if answer.failure:
            assert document is None
            continue
        expected = parse(answer)
        assert dict(values_of(document)) == dict(values_of(expected))
        assert list(document.words) == list(expected.words)
        assert dict(values_of(document.links)) == dict(values_of(expected.links))
        if len(expected.links):
            assert dict(values_of(layout(document))) == dict(values_of(layout(expected)))
        for key, context in PREPARED.items():
            kept = document.prepared_context(*key)
            assert dict(values_of(kept)) == dict(values_of(context.compute(expected))), key
        compared += 1
    assert compared > 200


async def test_every_answer_is_the_recorded_one(odd_web: OddWeb, parsed: ParsedWeb) -> None:
    fetcher, recorded = parsed.fetcher(), RecordedFetcher(odd_web)
    others = [
        "http://h1.test/4/old",
        "http://h1.test/gone",
        "http://unknown.test/",
        "http://h1.test/robots.txt",
        "http://h0.test/calendar?month=3",
    ]
    for url in [*odd_web.urls(), *others]:
        fetched, expected = await fetcher.fetch(url), await recorded.fetch(url)
        assert fetched.body in (b"", expected.body)
        for name in (f.name for f in fields(fetched)):
            if name not in ("body", "document", "fetched_at"):
                assert getattr(fetched, name) == getattr(expected, name), (url, name)
    robots = await fetcher.fetch("http://h1.test/robots.txt", any_type=True)
    assert b"Disallow" in robots.body


def test_it_has_the_web_s_pages_hosts_and_labels(odd_web: OddWeb, parsed: ParsedWeb) -> None:
    assert list(parsed.urls()) == list(odd_web.urls())
    assert (parsed.hosts, parsed.count) == (odd_web.hosts, odd_web.count)
    assert parsed.labels(odd_web.url(4)) == ("bread",)


def test_strategies_read_the_kept_contexts_unless_set_otherwise(odd_web, parsed) -> None:
    page, plain = parsed.document(odd_web.url(33)), parse(odd_web.get(odd_web.url(33)))
    kept = page.prepared.contexts
    asked = []
    watched = page.prepared._replace(contexts=lambda key: asked.append(key) or kept(key))
    page = replace(page, prepared=watched)
    for find, least in ((tag_tree, 2), (tag_tree, 5)):
        assert dict(values_of(find(page, least))) == dict(values_of(find(plain, least)))
    window(page, 40), aggregation(page, False), aggregation(page, other_anchors=True)
    dom_offsets(page)
    assert set(asked) - set(PREPARED) == {("tag_tree", 5, 40)} and set(asked) >= set(PREPARED)


def test_a_document_is_found_over_redirects(odd_web: OddWeb, parsed: ParsedWeb) -> None:
    assert parsed.document("http://h1.test/4/old").url == odd_web.url(4)
    assert parsed.document("http://h1.test/gone/4") is None
    assert parsed.document("http://unknown.test/") is None


def test_a_page_that_is_read_each_time_has_a_document_too(
    odd_web: OddWeb, parsed: ParsedWeb
) -> None:
    assert parsed.document(odd_web.url(5)).refresh == "http://h2.test/p/8.html"
    assert parsed.document("http://h0.test/calendar?month=3").words[:2] == ["monday", "tuesday"]


def test_a_limit_of_bytes_cuts_its_pages(odd_web: OddWeb, parsed: ParsedWeb, tmp_path) -> None:
    prepare(tmp_path / "cut", odd_web, 500)
    cut = ParsedWeb(tmp_path / "cut", odd_web, 500).document(odd_web.url(4))
    whole = parsed.document(odd_web.url(4))
    assert cut.truncated and list(cut.words) == list(whole.words)[: len(cut.words)]


def test_a_folder_that_is_cut_off_is_refused(odd_web: OddWeb, tmp_path) -> None:
    prepare(tmp_path / "web", odd_web, None)
    with (tmp_path / "web" / "word").open("r+b") as file:
        file.truncate(100)
    with pytest.raises(ValueError, match="word has 100 bytes"):
        ParsedWeb(tmp_path / "web", odd_web)


def test_documents_of_two_webs_are_distinguished(odd_web: OddWeb, prepared, parsed) -> None:
    again = ParsedWeb(prepared, odd_web)
    keys = {web.document(odd_web.url(i)).prepared.key for web in (parsed, again) for i in (0, 4)}
    assert len(keys) == 4
    assert parsed.document(odd_web.url(0)).prepared.key in keys
