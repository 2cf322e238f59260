"""A labelled web in parts: closed in themselves, with the root's reach known."""

from __future__ import annotations

import numpy as np
import pytest

from apps.engine.errors import BadWebFile
from apps.engine.parsing.document import parse_html
from apps.papers.tables.parted_web import links_within
from tests.papers.made_webkb import UNIVERSITIES, url


def test_parts_with_a_root_can_be_crawled_and_the_others_serve_as_text(parted):
    assert parted.names == list(UNIVERSITIES)
    assert parted.without_root == ["misc"]
    assert len(parted.texts("misc")) == 29
    with pytest.raises(BadWebFile, match="misc has 0 pages labelled department"):
        parted.part("misc")
    with pytest.raises(BadWebFile, match="oxford has 0"):
        parted.part("oxford")


def test_links_stay_in_the_part_under_the_names_its_pages_have(parted):
    for name in UNIVERSITIES:
        part = parted.part(name)
        targets = {link for page in part.documents.values() for link in page.links.urls}
        assert targets <= set(part.documents)
        assert (url(name, 0) in targets) or name != "north"


def test_a_page_without_links_to_it_is_out_of_reach(parted):
    part = parted.part("north")
    assert set(part.documents) - part.reachable == {url("north", 29)}
    assert url("north", 28) in part.reachable


def test_relevant_pages_carry_the_label(parted):
    assert parted.part("west").relevant("student") == {url("west", n) for n in range(3, 30, 3)}


def test_a_page_parsed_anew_is_the_page_parsed_before(parted):
    part = parted.part("south")
    page = url("south", 4)
    again = part.read(parted.web.get(page))
    assert again.words == part.documents[page].words
    assert again.links.urls == part.documents[page].links.urls


HTML = """<p><a href=/a>one</a> <a href=/out>two</a> <a href=/b rel=nofollow>three</a>
<a href=/b2>four</a> <a href=/>own</a> <a href=/a rel=nofollow>five</a></p>"""
NAMES = {f"http://x.test/{name}": f"http://x.test/{name}" for name in ("a", "b", "")}
NAMES["http://x.test/b2"] = "http://x.test/b"


def test_occurrences_keep_their_anchors_when_links_are_dropped_or_joined():
    page = parse_html(HTML, "http://x.test/start")
    links = links_within(page.links, "http://x.test/", NAMES)
    assert links.urls == ("http://x.test/a", "http://x.test/b")
    assert links.target.tolist() == [0, 1, 1, 0]
    anchors = [page.words[a:b] for a, b in zip(links.anchor_start, links.anchor_end, strict=True)]
    assert anchors == [["one"], ["three"], ["four"], ["five"]]
    assert len(links.nodes) == len(links.position) == 4
    assert links.nofollow.tolist() == [False, False]


def test_no_link_may_be_left():
    page = parse_html(HTML, "http://x.test/start")
    links = links_within(page.links, "http://x.test/", {})
    assert len(links) == 0
    assert links.best(np.empty(0)).size == 0
