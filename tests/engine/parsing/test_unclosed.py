"""What follows an unclosed element is read where Chromium shows it; the answers are Chromium's."""

from __future__ import annotations

import pytest

from apps.engine.parsing.document import parse_html
from apps.engine.parsing.markup import tree
from apps.engine.parsing.unclosed import MAY_HIDE_MORE, close_unclosed

AFTER = "after <a href=/next>next page</a> end"
READ = "before after next page end"


def read(html):
    document = parse_html(html, "http://a.example/")
    return " ".join(document.words[document.text_start : document.visible]), list(
        document.links.urls
    )


@pytest.mark.parametrize(
    "unclosed",
    [
        "<svg><title>icon</svg>",
        "<SVG><Title>icon</SVG>",
        "<svg><style>.a{}</svg>",
        "<svg><script>x</svg>",
        "<svg><iframe>x</svg>",
        "<math><title>x</math>",
        "<svg><style>.a{}<p>",
        "<svg><svg><path></svg><title>icon</svg>",
        "<svg><title>one</svg><svg><title>two</title></svg>",
        "<svg id='a>b'><title>icon</svg>",
        "<template><table><tr><td>x</template>",
        "<template><div><p>x</template>",
        "<TEMPLATE><div></TEMPLATE>",
        "<template><div><template><table></template></template>",
        "<template><svg><title>x</template>",
        "<template><div></template><script>'</template>'</script>",
        "<script>'<svg><title>'</script><svg><title>x</svg>",
        "<!-- <svg> --><svg><title>x</svg>",
    ],
)
def test_it_reads_what_follows_a_drawing_or_template(unclosed):
    assert read(f"<p>before {unclosed} {AFTER}") == (READ, ["http://a.example/next"])


def test_each_unclosed_drawing_of_a_page_hides_nothing():
    row = "<td><svg><title>open</svg> page {0} <a href=/{0}>number {0}</a></td>"
    table = "".join(row.format(number) for number in range(3))
    words, urls = read(f"<table><tr>{table}</table> end")
    assert words == "page 0 number 0 page 1 number 1 page 2 number 2 end"
    assert urls == [f"http://a.example/{number}" for number in range(3)]


@pytest.mark.parametrize(
    "unclosed",
    ["<style>.a{}", "<script>x", "<iframe>", "<noframes>", "<template><table><tr><td>x", "<!-- "],
)
def test_it_reads_nothing_that_chromium_hides(unclosed):
    assert read(f"<p>before {unclosed} {AFTER}") == ("before", [])


def test_an_unclosed_field_shows_the_rest_as_its_text():
    assert read(f"<p>before <textarea> {AFTER}") == ("before after a href next next page a end", [])


def test_the_title_of_a_formula_is_not_the_title_of_the_page():
    html = "<math><title>x</math><title>page</title>"
    assert parse_html(html, "http://a.example/").title == "page"


@pytest.mark.parametrize(
    "whole",
    [
        "<svg><title>a &lt; b</title></svg>",
        "<svg><title/><style/><script href=x /></svg>",
        "<svg><style>a > b {}</style><path/></svg>",
        "<template><div><table><tr><td>x</td></tr></table></div></template>",
        "<template shadowrootmode=open><div>shown</template>",
    ],
)
def test_a_page_whose_ends_libxml2_sees_stays_as_it_is(whole):
    page = f"<p>before {whole} {AFTER}"
    root, _ = tree(page)
    assert root is not None
    assert close_unclosed(page, list(root.iter(*MAY_HIDE_MORE))) is page
