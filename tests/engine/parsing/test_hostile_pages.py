"""Pages meant to break a parser: too deep, too wide, torn, or no pages at all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from apps.engine.parsing.document import parse, parse_html
from tests.engine.parsing.pages import PAGE, answer, well_formed

DEEP = 5_000


@pytest.mark.parametrize("tag", ["div", "b", "table", "span", "ul", "x", "noscript"])
def test_links_below_deep_nesting_are_found(tag: str) -> None:
    html = f"<title>t</title><{tag}>" * DEEP + "<a href=deep>deep</a>" + f"</{tag}>" * DEEP
    document = parse_html(f"{html}<a href=after>after</a>", PAGE)
    assert document.truncated
    assert document.links.urls[-1] == "http://example.com/dir/after"
    assert "deep" in document.words


def test_a_page_of_ordinary_depth_is_not_truncated() -> None:
    document = parse_html("<div>" * 300 + "<a href=deep>deep</a>", PAGE)
    assert not document.truncated
    assert len(document.links) == 1


@pytest.mark.parametrize(
    "attributes",
    [
        " ".join(f"a{i}=1" for i in range(100_000)),
        " ".join(f"a{i}" for i in range(100_000)),
        " ".join(f'a{i}=">"' for i in range(100_000)),
        " ".join(f"<a{i}='<'" for i in range(100_000)),
        "/".join(f"a{i}" for i in range(100_000)),
        "".join(f'a{i}="1"' for i in range(100_000)),
    ],
)
def test_a_tag_of_too_many_attributes_is_cut(attributes: str) -> None:
    document = parse_html(f"<p>x<div {attributes}>y</div><a href=after>after</a>", PAGE)
    assert document.truncated
    assert len(document.tree.find(".//div").attrib) <= 500
    assert document.links.urls == ("http://example.com/dir/after",)
    assert document.words == ["x", "y", "after"]


def test_long_pages_keep_their_scripts_comments_and_attributes() -> None:
    script = "<script>if (a<b && c>d) x = '<a " + "y " * 1000 + "';</script>"
    comment = "<!-- <a " + "z " * 1000 + " -->"
    html = f"{script}{comment}<p class='{'k ' * 1000}'>text</p><a href=a>x</a>" + "<p>w</p>" * 9000
    document = parse_html(html, PAGE)
    assert not document.truncated
    assert document.words[:3] == ["text", "x", "w"]
    assert document.links.urls == ("http://example.com/dir/a",)


NASTY = [
    "<a href=x>" * 20_000,
    "<b><p>" * 20_000,
    "<table><tr><td>" * 3_000,
    "<a href='" + "x" * 1_000_000,
    "<!--" * 200_000,
    "<script" * 100_000,
    "<" * 500_000,
    "&#" * 300_000,
    "<a href='http://\ud800/'>\udfff</a>",
    "<base href='http://['><a href='http://['>x</a>",
    "<title>" * 1_000,
    "<svg><title><a href=x>y</a></title></svg>",
    "<meta http-equiv=refresh content='" + "9" * 10_000 + "; url=x'>",
    "<select>" * 5_000 + "<option>x",
    "<x" + "y" * 500_000 + ">",
    "<a\x00 href\x00=x>\x00</a>",
]


@pytest.mark.parametrize("html", NASTY, ids=lambda html: html[:12].encode("ascii", "replace"))
def test_nasty_pages_break_nothing(html: str) -> None:
    document = parse_html(html, PAGE)
    assert len(document.words) >= document.visible >= document.text_start


@given(st.binary(max_size=400), st.sampled_from(["text/html", "text/plain", None, "x"]))
def test_no_bytes_break_it(body: bytes, content_type: str | None) -> None:
    well_formed(parse(answer(body, content_type)))


TAGS = st.sampled_from(
    [
        "<a href=",
        "<a ",
        ">",
        "<",
        "</",
        "</a>",
        "<base href=",
        "'",
        '"',
        "<title>",
        "</title>",
        "x",
        "<script>",
        "</script>",
        "<!--",
        "-->",
        "<![CDATA[",
        "]]>",
        "<?",
        "<iframe src=",
        "=",
        "&",
        ";",
        "<meta name=robots content=",
        "<meta http-equiv=refresh content=",
        "0;url=",
        "<svg>",
        "<math>",
        "<frameset>",
        "<frame src=",
        "<body>",
        "<html>",
        "<head>",
        "<table>",
        "<plaintext>",
        "http://",
        "<textarea>",
        "<xmp>",
        " ",
        "\x00",
        "\ud800",
        "\ufffe",
        "é",
        "東京",
    ]
)


@given(st.lists(TAGS, max_size=20).map("".join) | st.text(max_size=60))
def test_no_text_breaks_it(html: str) -> None:
    well_formed(parse_html(html, PAGE))
