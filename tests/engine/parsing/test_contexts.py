"""Link contexts against a slow, obvious reading of the same page."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.model import Document, Spans
from apps.engine.parsing.contexts.aggregation import aggregation
from apps.engine.parsing.contexts.anchor import anchor
from apps.engine.parsing.contexts.dom_offsets import OffsetSpans, dom_offsets
from apps.engine.parsing.contexts.full_page import full_page
from apps.engine.parsing.contexts.layout import layout
from apps.engine.parsing.contexts.tag_tree import tag_tree
from apps.engine.parsing.contexts.window import window
from apps.engine.parsing.document import parse_html
from tests.engine.parsing.pages import HTML, PAGE
from tests.engine.parsing.slow_page import SlowPage


def positions(spans: Spans | OffsetSpans) -> list[set[int]]:
    """The word positions of each row; fails where one is in a row twice."""
    rows: list[set[int]] = [set() for _ in range(spans.rows)]
    assert spans.row.tolist() == sorted(spans.row.tolist())
    for row, start, end in zip(spans.row, spans.start, spans.end, strict=True):
        piece = set(range(start, end))
        assert not rows[row] & piece
        rows[row] |= piece
    return rows


def texts(document: Document, spans: Spans) -> list[str]:
    return [" ".join(document.words[k] for k in sorted(row)) for row in positions(spans)]


def occurrences(document: Document) -> range:
    return range(len(document.links.target))


@given(HTML)
def test_anchors_hold_the_words_inside_them(html: str) -> None:
    document = parse_html(html, PAGE)
    slow = SlowPage(document) if document.tree is not None else None
    expected = [slow.anchor(j) for j in occurrences(document)] if slow else []
    assert positions(anchor(document)) == expected


@given(HTML, st.integers(0, 9), st.sampled_from(["fill", "cut"]))
def test_windows_hold_the_words_round_the_anchor(html: str, size: int, edge: Any) -> None:
    document = parse_html(html, PAGE)
    slow = SlowPage(document) if document.tree is not None else None
    expected = [slow.window(j, size, edge == "fill") for j in occurrences(document)] if slow else []
    assert positions(window(document, size, edge)) == expected


@given(HTML, st.integers(0, 4))
def test_the_tag_tree_gives_the_first_element_with_enough_words(html: str, least: int) -> None:
    document = parse_html(html, PAGE)
    slow = SlowPage(document) if document.tree is not None else None
    expected = [slow.tag_tree(j, least) for j in occurrences(document)] if slow else []
    assert positions(tag_tree(document, least, most=10_000)) == expected


@given(HTML, st.integers(0, 3), st.integers(1, 6))
def test_the_truncated_tag_tree_keeps_the_anchor_in_the_middle(
    html: str, least: int, most: int
) -> None:
    document = parse_html(html, PAGE)
    whole = positions(tag_tree(document, least, most=10_000))
    cut = positions(tag_tree(document, least, most))
    anchors = positions(anchor(document))
    for j in occurrences(document):
        assert cut[j] <= whole[j]
        assert len(cut[j]) == min(most, len(whole[j]))
        if len(anchors[j]) <= most:
            assert anchors[j] <= cut[j]
        else:
            assert cut[j] == set(sorted(anchors[j])[:most])
        if anchors[j] and max(anchors[j]) < document.visible and len(anchors[j]) <= most:
            before = min(anchors[j]) - min(cut[j])
            after = max(cut[j]) - max(anchors[j])
            at_the_start, at_the_end = min(cut[j]) == min(whole[j]), max(cut[j]) == max(whole[j])
            assert before <= after or at_the_end
            assert after <= before + 1 or at_the_start


@given(HTML, st.booleans(), st.integers(1, 3), st.integers(0, 9) | st.just(1000))
def test_aggregation_joins_the_blocks_of_a_target(
    html: str, other_anchors: bool, levels: int, most: int
) -> None:
    document = parse_html(html, PAGE)
    slow = SlowPage(document) if document.tree is not None else None
    targets = range(len(document.links))
    expected = [slow.aggregation(t, other_anchors, levels, most) for t in targets] if slow else []
    assert positions(aggregation(document, other_anchors, levels, most)) == expected


@given(HTML, st.integers(0, 5))
def test_dom_offsets_count_leaves(html: str, dmax: int) -> None:
    document = parse_html(html, PAGE)
    spans = dom_offsets(document, dmax)
    positions(spans)
    covered: list[set[tuple[int, int]]] = [set() for _ in range(spans.rows)]
    for row, start, end, offset in zip(
        spans.row, spans.start, spans.end, spans.offset, strict=True
    ):
        covered[row] |= {(k, offset) for k in range(start, end)}
    slow = SlowPage(document) if document.tree is not None else None
    expected = [slow.dom_offsets(j, dmax) for j in occurrences(document)] if slow else []
    assert covered == expected


@given(HTML)
def test_the_layout_finds_the_words_of_every_element(html: str) -> None:
    document = parse_html(html, PAGE)
    if document.tree is None:
        return
    slow, fast = SlowPage(document), layout(document)
    assert document.words[document.text_start : document.visible] == slow.words
    for number, element in enumerate(slow.seen_at):
        if element is not document.tree and list(element.iter("a", "p", "div", "td")):
            words = set(range(fast.start[number], fast.end[number]))
            assert words == slow.shown(slow.inside(element))


# Worked examples

OFFSETS = (
    "<html><body><ul><li>text <font>more</font></li>"
    "<li>here <em><a href='v.html'>link <b>to</b> v</a></em> after <br><img>last</li></ul></body>"
)


def test_offsets_are_numbered_as_in_the_paper() -> None:
    """AFC Fig. 3: leaves of the link are at 0, others at their distance, empty ones count."""
    document = parse_html(OFFSETS, PAGE)
    spans = dom_offsets(document)
    shown = [
        (" ".join(document.words[start:end]), int(offset))
        for start, end, offset in zip(spans.start, spans.end, spans.offset, strict=True)
    ]
    assert shown == [
        ("text", -3),
        ("more", -2),
        ("here", -1),
        ("link to v", 0),
        ("after", 1),
        ("last", 4),
    ]


def test_offsets_beyond_dmax_are_left_out() -> None:
    document = parse_html(OFFSETS, PAGE)
    assert set(dom_offsets(document, 2).offset.tolist()) == {-2, -1, 0, 1}


FIGURE_4 = """<html><head><title>CS@Illinois | Department of Computer Science at Illinois</title>
</head><body><h1 class="cs">Department of Computer Science</h1>
<a href="http://cs.illinois.edu/csillinois/overview">Overview</a>
<p><a href="/csillinois/history">History</a> have a look at awards<a href="/csillinois/awards">
Read more</a></p><h3>Connect with Us</h3></body></html>"""


def test_aggregation_takes_the_parent_of_the_anchor() -> None:
    """SLC Fig. 4: the block of `Read more` is the paragraph."""
    document = parse_html(FIGURE_4, "http://cs.illinois.edu/")
    overview, history, awards = texts(document, aggregation(document, other_anchors=True))
    assert history == awards == "history have a look at awards read more"
    assert overview.endswith("connect with us")
    _, history, awards = texts(document, aggregation(document, other_anchors=False))
    assert history == "history have a look at awards"
    assert awards == "have a look at awards read more"


def test_aggregation_joins_several_blocks_of_one_target() -> None:
    html = "<p>first <a href=a>x</a></p><p>between <a href=b>y</a></p><p>last <a href=a>z</a></p>"
    document = parse_html(html, PAGE)
    assert texts(document, aggregation(document, other_anchors=False)) == [
        "first x last z",
        "between y",
    ]


NUMBERED = " ".join(f"w{i}" for i in range(20))


@pytest.mark.parametrize(
    ("html", "edge", "expected"),
    [
        ("w0 w1 w2 w3 <a href=a>x y</a> w4 w5 w6 w7", "fill", "w2 w3 x y w4 w5"),
        ("w0 <a href=a>x y</a> w4 w5 w6 w7", "fill", "w0 x y w4 w5 w6"),
        ("w0 <a href=a>x y</a> w4 w5 w6 w7", "cut", "w0 x y w4 w5"),
        ("w0 w1 w2 w3 <a href=a>x</a>", "fill", "w0 w1 w2 w3 x"),
        ("w0 <a href=a>x</a> w1", "fill", "w0 x w1"),
        ("<title>t</title>w0 <a href=a>x</a> w1 w2 w3 w4", "fill", "w0 x w1 w2 w3"),
        ("w0 w1 w2<a href=a><img alt='an image'></a>w3 w4 w5", "fill", "w1 w2 w3 w4 an image"),
    ],
)
def test_a_window_keeps_its_size_at_the_edges(html: str, edge: Any, expected: str) -> None:
    document = parse_html(html, PAGE)
    assert texts(document, window(document, 4, edge)) == [expected]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>far</p><p>near <b><a href=a>click here</a></b> now</p>", "near click here now"),
        ("<p>far</p><p><a href=a>three words here</a> not this</p>", "three words here"),
        ("<title>T</title><a href=a>x</a>", "t x"),
        ("<p>a b c <a href=a><img alt='p q r'></a></p>", "p q r"),
        ("<p>a b c <a href=a><img alt=p></a></p>", "a b c p"),
    ],
)
def test_the_tag_tree_climbs_until_there_are_more_than_two_words(html: str, expected: str) -> None:
    """LC §8 with MIN = 2."""
    document = parse_html(html, PAGE)
    assert texts(document, tag_tree(document)) == [expected]


def test_the_truncation_is_centred_on_the_anchor() -> None:
    words = NUMBERED.split()
    html = f"<p>{' '.join(words[:10])} <a href=a>x</a> {' '.join(words[10:])}</p>"
    document = parse_html(html, PAGE)
    assert texts(document, tag_tree(document, most=5)) == ["w8 w9 x w10 w11"]


def test_the_full_page_is_one_row_of_title_and_text() -> None:
    document = parse_html("<title>t</title>a <a href=x><img alt=no></a> b", PAGE)
    assert texts(document, full_page(document)) == ["t a b"]


@pytest.mark.parametrize("html", ["", "no links", "<p>", "<!-- -->"])
def test_a_page_without_links_has_no_link_contexts(html: str) -> None:
    document = parse_html(html, PAGE)
    for spans in (
        anchor(document),
        window(document, 10),
        tag_tree(document),
        aggregation(document, other_anchors=True),
        aggregation(document, other_anchors=False),
        dom_offsets(document),
    ):
        assert spans.rows == len(spans.row) == 0
