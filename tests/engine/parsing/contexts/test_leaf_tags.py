from __future__ import annotations

from apps.engine.parsing.contexts.layout import layout
from apps.engine.parsing.contexts.leaf_tags import _leaves, leaf_tags
from apps.engine.parsing.document import parse_html
from tests.engine.intelligence.strategies.toy import toy_web


def test_tags_at_their_offsets_by_hand():
    # Leaves: "see" (p), "one" (a), br, "two" (a), "end" (b). The first link has p at −1, br at 1;
    # the second br at −1 and b at 1; anchors are left out.
    page = parse_html(
        "<p>see<a href=/1>one</a><br><a href=/2>two</a><b>end</b></p>", "http://a.test/"
    )
    assert leaf_tags(page, 1) == {(-1, "p"): 1, (1, "br"): 1, (-1, "br"): 1, (1, "b"): 1}


def test_an_image_in_an_anchor_stands_at_offset_0():
    page = parse_html("<a href=/1><img src=x.gif>one</a>", "http://a.test/")
    assert leaf_tags(page, 0) == {(0, "img"): 1}


def test_leaves_are_those_of_the_layout():
    pages = [parse_html(html, url) for url, html in toy_web().items()]
    odd = "<title>x</title><script>a</script><!-- c -->tail<area href=/1><iframe src=/2></iframe>y"
    for page in (*pages, parse_html(odd, "http://a.test/")):
        leaves, expected = _leaves(page.tree, set(page.links.nodes)), layout(page)
        assert len(leaves[0]) == len(expected.leaf_word) - 1
        ends = zip(
            expected.leaf_start[expected.links].tolist(),
            expected.leaf_end[expected.links].tolist(),
            strict=True,
        )
        assert sorted(leaves[1]) == sorted(ends)
