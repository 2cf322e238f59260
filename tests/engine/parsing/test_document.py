"""Pages as documents: words, title, links and what the head says; and that nothing breaks it."""

from __future__ import annotations

import gzip
import json
import re
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from lxml import etree

from apps.engine.answers import Answer
from apps.engine.model import Document
from apps.engine.parsing.contexts.aggregation import aggregation
from apps.engine.parsing.contexts.dom_offsets import dom_offsets
from apps.engine.parsing.contexts.layout import layout
from apps.engine.parsing.contexts.tag_tree import tag_tree
from apps.engine.parsing.document import parse, parse_html
from tests.engine.parsing.pages import HTML, PAGE, answer, well_formed
from tests.engine.parsing.slow_page import SlowPage


def page_words(html: str) -> str:
    document = parse_html(html, PAGE)
    return " ".join(document.words[: document.visible])


def anchors(document: Document) -> list[tuple[str, str]]:
    """(target, anchor words) of each occurrence."""
    links = document.links
    return [
        (links.urls[target], " ".join(document.words[start:end]))
        for target, start, end in zip(
            links.target, links.anchor_start, links.anchor_end, strict=True
        )
    ]


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("one<br>two", "one two"),
        ("<p>one</p>two", "one two"),
        ("<td>one</td><td>two</td>", "one two"),
        ("<ul><li>one<li>two</ul>", "one two"),
        ("<b>foo</b>bar", "foobar"),
        ("<span>fo</span><i>o</i>", "foo"),
        ("foo<a href=x>bar</a>", "foo bar"),
        ("foo<a>bar</a>", "foobar"),
        ("one<!-- no -->two", "onetwo"),
        ("one<script>no</script>two", "one two"),
        ("a<style>no</style> b<noscript>no</noscript> c<template>no</template>", "a b c"),
        ("a <iframe src=x>no</iframe> b", "a b"),
        ("<select><option>one<option>two</select>", "one two"),
        ("wo&shy;rd and wo\xadrd", "word and word"),
        ("a&nbsp;b &eacute;t&eacute; &#x41;&#66;", "a b été ab"),
        ("a\0b", "ab"),
        ("<title>Big  Title</title><body>text", "big title text"),
        ("<body>text <title>late</title> more", "late text more"),
        ("<title>one</title><title>two</title>x", "one x"),
        ("<svg><title>no</title><text>yes</text></svg><title>t</title>", "t yes"),
        ("plain text", "plain text"),
    ],
)
def test_it_reads_the_words_that_are_shown(html: str, expected: str) -> None:
    assert page_words(html) == expected


def test_it_keeps_the_title_once_and_at_the_front() -> None:
    document = parse_html("<title> The\n Title </title>The text", PAGE)
    assert document.title == "The Title"
    assert document.words == ["the", "title", "the", "text"]
    assert (document.text_start, document.visible) == (2, 4)


def test_it_finds_links_of_all_kinds() -> None:
    document = parse_html(
        "<a href=a>text</a><map><area href=b alt='in area'></map><iframe src=c></iframe>"
        "<link href=no><a name=no>no</a>",
        PAGE,
    )
    assert anchors(document) == [
        ("http://example.com/dir/a", "text"),
        ("http://example.com/dir/b", "in area"),
        ("http://example.com/dir/c", ""),
    ]


def test_it_follows_frames() -> None:
    document = parse_html("<frameset><frame src=a><frame src='/b'></frameset>", PAGE)
    assert document.links.urls == ("http://example.com/dir/a", "http://example.com/b")


def test_it_merges_links_to_one_target() -> None:
    document = parse_html("<a href=a>one</a> <a href=b>x</a> <a href='./a#part'>two</a>", PAGE)
    assert document.links.urls == ("http://example.com/dir/a", "http://example.com/dir/b")
    assert document.links.target.tolist() == [0, 1, 0]
    assert [node.text for node in document.links.nodes] == ["one", "x", "two"]


@pytest.mark.parametrize(
    "href", ["#top", "", "page.html", "page.html#x", "mailto:a@b.c", "javascript:x", "data:,x"]
)
def test_it_drops_links_that_lead_nowhere_else(href: str) -> None:
    document = parse_html(f"<a href='{href}'>here</a>", PAGE)
    assert len(document.links) == 0
    assert document.words == ["here"]


def test_it_honours_base() -> None:
    html = "<base target=x><base href='/sub/'><base href='/no/'><a href=a>a</a><a href='#x'>x</a>"
    document = parse_html(html, PAGE)
    assert document.base_url == "http://example.com/sub/"
    assert document.links.urls == ("http://example.com/sub/a",)


def test_a_base_that_is_no_address_changes_nothing() -> None:
    document = parse_html("<base href='javascript:x'><a href=a>a</a>", PAGE)
    assert document.base_url == PAGE
    assert document.links.urls == ("http://example.com/dir/a",)


def test_an_anchor_without_text_speaks_by_its_image_or_title() -> None:
    html = (
        "before <a href=a><img alt='Alt Text'></a> between "
        "<a href=b title='The Title'> </a> <a href=c title=no>text<img alt=no></a> "
        "<a href=d title=yes><img></a> after"
    )
    document = parse_html(html, PAGE)
    assert [text for _, text in anchors(document)] == ["alt text", "the title", "text", "yes"]
    assert " ".join(document.words[: document.visible]) == "before between text after"
    assert document.links.position is not None
    assert document.links.position.tolist() == [1, 2, 2, 3]


def test_nofollow_needs_every_occurrence_to_have_it() -> None:
    html = (
        "<a href=a rel=nofollow>x</a><a href=b rel='ugc NoFollow'>x</a><a href=b>x</a>"
        "<a href=c rel=next>x</a>"
    )
    assert parse_html(html, PAGE).links.nofollow.tolist() == [True, False, False]


@pytest.mark.parametrize(
    ("content", "noindex", "nofollow"),
    [
        ("noindex", True, False),
        ("index, NoFollow", False, True),
        ("none", True, True),
        ("all", False, False),
        ("noarchive,noindex,nofollow", True, True),
    ],
)
def test_it_reads_meta_robots(content: str, noindex: bool, nofollow: bool) -> None:
    document = parse_html(f"<META NAME=Robots CONTENT='{content}'>", PAGE)
    assert (document.noindex, document.nofollow) == (noindex, nofollow)


@pytest.mark.parametrize(
    ("content", "target"),
    [
        ("0; url=next.html", "http://example.com/dir/next.html"),
        ("3;URL='http://other.org/'", "http://other.org/"),
        ("5;URL='http://other.org/'", None),
        ("0, /next", "http://example.com/next"),
        ("1.5 ; url = next", "http://example.com/dir/next"),
        ("30", None),
        ("5; url=", None),
        ("0; url=page.html", None),
        ("0; url=javascript:x", None),
        ("300; url=next.html", None),
    ],
)
def test_it_reads_meta_refresh(content: str, target: str | None) -> None:
    document = parse_html(f'<meta http-equiv="Refresh" content="{content}">', PAGE)
    assert document.refresh == target


def test_it_reads_the_canonical_link() -> None:
    document = parse_html("<link rel=stylesheet href=s><link rel=Canonical href='/c#x'>", PAGE)
    assert document.canonical == "http://example.com/c"


def test_it_counts_scripts_and_numbers() -> None:
    document = parse_html("<script></script>12 of 30 x1 <script>1</script>", PAGE)
    assert (document.scripts, document.numbers) == (2, 2)
    assert document.needs_javascript


def test_plain_text_has_words_and_no_links() -> None:
    document = parse(answer(b"see <a href=x>http://example.com/</a> 7", "text/plain"))
    assert document.words == "see a href x http example com a 7".split()
    assert len(document.links) == 0
    assert (document.visible, document.numbers) == (9, 1)


@pytest.mark.parametrize("content_type", [None, "text/html", "application/xhtml+xml", "text/xml"])
def test_everything_else_is_read_as_html(content_type: str | None) -> None:
    body = b"<?xml version='1.0' encoding='utf-8'?><html><body><a href='a'>x</a></body></html>"
    assert parse(answer(body, content_type)).links.urls == ("http://example.com/dir/a",)


def test_it_decodes_by_header_and_states_how() -> None:
    document = parse(answer("Привет".encode("koi8-r"), "text/html; charset=koi8-r"))
    assert (document.words, document.encoding) == (["привет"], "koi8-r")


def test_an_answer_that_was_cut_off_is_a_truncated_document() -> None:
    cut = Answer(url=PAGE, final_url=PAGE, body=b"<p>text", truncated=True)
    assert parse(cut).truncated


@pytest.mark.parametrize(
    "html",
    ["", " ", "<", "<!", "<!-- ", "<!doctype html>", "<?xml?>", "\0", "</p>", "&", b"\xff\xfe"],
)
def test_next_to_nothing_is_an_empty_document(html: str | bytes) -> None:
    document = parse_html(html, PAGE)
    assert document.visible <= 1
    assert len(document.links) == 0


@pytest.mark.parametrize("odd", ["\x7f", "&#127;", "&#x7F; \x7f\t\x7f "])
def test_a_character_that_marks_links_inside_is_like_any_other_between_words(odd: str) -> None:
    html = f"<p>one{odd}two <a href=/x>three{odd}four</a> {odd}five <a href=/y>{odd}</a></p>"
    document = parse_html(html, PAGE)
    assert document.words == ["one", "two", "three", "four", "five"]
    assert document.links.anchor_start.tolist() == [2, 5]
    assert document.links.anchor_end.tolist() == [4, 5]


@pytest.mark.parametrize("hidden", ["noscript", "template", "noframes", "iframe"])
def test_links_that_are_not_shown_do_not_shift_those_that_are(hidden: str) -> None:
    html = f"<p>a <{hidden}>b <a href=/h>c</a> d</{hidden}> e <a href=/x>f g</a> h <a href=/y>i</a>"
    document = parse_html(html, PAGE)
    shown = {
        url: document.links.target.tolist().index(i) for i, url in enumerate(document.links.urls)
    }
    anchors = [
        document.words[document.links.anchor_start[j] : document.links.anchor_end[j]]
        for j in (shown["http://example.com/x"], shown["http://example.com/y"])
    ]
    assert anchors == [["f", "g"], ["i"]]


def test_pages_parsed_at_once_by_several_threads_are_those_of_one() -> None:
    pages = [f"<p>w{i} <a href=/{i}>x{i} y</a> <b>z</b></p>" * 50 for i in range(40)]

    def read(html: str) -> tuple[object, ...]:
        document = parse_html(html, PAGE)
        return document.words, document.links.urls, document.links.anchor_end.tolist()

    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(read, pages)) == list(map(read, pages))


@pytest.mark.parametrize("tag", ["b", "div", "a href=/deeper"])
def test_a_page_may_be_nested_as_deeply_as_the_parser_allows(tag: str) -> None:
    html = f"{f'<{tag}>' * 240}deep <a href=/x>link</a>"
    document = parse_html(html, PAGE)
    assert document.words == ["deep", "link"]
    assert document.links.urls[-1] == "http://example.com/x"


def test_the_tags_are_mended_by_a_libxml2_that_reads_as_html_5_does() -> None:
    assert etree.LIBXML_VERSION >= (2, 14)


AFTER = [
    "after <a href=y>the end</a> more",
    "<p>after <a href=y>the end</a></p></body></html>and <a href=z>once</a> again",
    "<html><body class=x>another <a href=y>page</a></body></html>",
    "<!-- no --> <title>late</title><div><a href=y><img alt=picture></a></div>",
]


@pytest.mark.parametrize("after", AFTER)
@pytest.mark.parametrize("end", ["</html>", "</body></html>", "</html></html>"])
def test_what_follows_the_end_of_html_belongs_to_the_page(end: str, after: str) -> None:
    begin = "<html><head><title>t</title></head><body>text <a href=x>first</a> words "
    torn = parse_html(begin + end + after, PAGE)
    whole = parse_html(begin + re.sub("</?(html|body)[^>]*>", "", after), PAGE)
    assert torn.words == whole.words
    assert anchors(torn) == anchors(whole)
    assert len(torn.links) >= 2
    for context in (dom_offsets, tag_tree):
        assert_alike(context(torn), context(whole))
    assert_alike(aggregation(torn, other_anchors=False), aggregation(whole, other_anchors=False))


def assert_alike(one: object, other: object) -> None:
    assert repr(one) == repr(other)


def test_many_ends_of_html_lose_nothing() -> None:
    html = "".join(f"<a href={i}>x</a></html>" for i in range(20_000))
    assert len(parse_html(html, PAGE).links) == 20_000


@given(HTML)
def test_words_and_anchors_are_those_of_a_slow_reading(html: str) -> None:
    document = parse_html(html, PAGE)
    well_formed(document)
    if document.tree is None:
        return
    slow = SlowPage(document)
    links = document.links
    assert document.words[document.text_start : document.visible] == slow.words
    assert links.position is not None
    for j, node in enumerate(links.nodes):
        assert links.position[j] == document.text_start + slow.position(j)
        inside = sorted(slow.shown(slow.inside(node)))
        if inside:
            assert inside == list(range(links.anchor_start[j], links.anchor_end[j]))
        else:
            assert links.anchor_start[j] >= document.visible


WEBS = Path(__file__).parents[4] / "shared" / "webs"


@pytest.mark.parametrize("name", ["webkb", "debdocs", "wikispeedia"])
def test_both_walks_agree_on_real_pages(name: str) -> None:
    file = WEBS / f"{name}.jsonl.gz"
    if not file.exists():
        pytest.skip("no recorded web here")
    with gzip.open(file, "rt") as lines:
        for line in islice(lines, 0, 600, 40):
            page = json.loads(line)
            document = parse_html(page["html"], page["url"])
            well_formed(document)
            assert document.visible > 0
            laid_out, links = layout(document), document.links
            shown = links.anchor_start < document.visible
            assert np.array_equal(laid_out.start[laid_out.links][shown], links.anchor_start[shown])
            assert np.array_equal(laid_out.end[laid_out.links][shown], links.anchor_end[shown])


@pytest.mark.parametrize(
    ("part", "linked", "words"),
    [
        (
            "<template shadowrootmode=open><a href=/x>in shadow</a></template>",
            True,
            ["in", "shadow"],
        ),
        ("<template shadowrootmode=CLOSED><a href=/x>in</a></template>", True, ["in"]),
        ("<template><a href=/x>in</a></template>", False, []),
        ("<object data=/x type=text/html>fallback</object>", True, ["fallback"]),
        ("<object data=/x type=application/pdf></object>", False, []),
        ("<embed src=/x type='text/html; charset=utf-8'>", True, []),
        ("<embed src=/x>", False, []),
        ("<meta http-equiv=refresh content='20; url=/x'>", True, []),
        ("<meta http-equiv=refresh content='20'>", False, []),
    ],
)
def test_what_a_browser_shows_or_follows_is_part_of_the_page(
    part: str, linked: bool, words: list[str]
) -> None:
    document = parse_html(f"<p>page</p>{part}", PAGE)
    assert document.links.urls == (("http://example.com/x",) if linked else ())
    assert document.words == ["page", *words]
    assert document.refresh is None


def test_it_reads_the_robots_rules_for_single_crawlers() -> None:
    page = (
        "<meta name=FooBot content='NOINDEX, nofollow'><meta name=other content=none>"
        "<meta name=description content='none of it'><meta name=robots content=index>"
    )
    document = parse_html(page, "http://a.test/")
    assert document.agent_robots == "foobot: noindex, nofollow\nother: none"
    assert not document.noindex


def test_the_page_in_a_frames_own_source_is_shown() -> None:
    """yasserg/crawler4j#441"""
    inner = "&lt;title&gt;No&lt;/title&gt;&lt;base href=/x/&gt;one &lt;a href=/in&gt;two&lt;/a&gt;"
    page = f"<title>Out</title><p>zero<iframe src=/not srcdoc='{inner}'></iframe><p>three"
    document = parse_html(page, "http://a.test/")
    assert list(document.words[: document.visible]) == ["out", "zero", "one", "two", "three"]
    assert document.links.urls == ("http://a.test/in",)
