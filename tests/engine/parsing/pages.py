"""Small pages for property tests, messy, nested and full of links; and what holds of all."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from apps.engine.answers import Answer
from apps.engine.model import Document
from apps.engine.urls import canonical

PAGE = "http://example.com/dir/page.html"

TEXTS = st.sampled_from(
    [
        "",
        " ",
        "one",
        "two three",
        " four five six ",
        "Seven\n",
        "x1",
        "12",
        "_a_b",
        "Été",
        "a-b",
        "&amp;",
        "wo&shy;rd",
        "ΑΣ",
        "&lt;p",
        "\t",
        "é",
        "9 lives",
    ]
)
HREFS = st.sampled_from(
    [
        "a.html",
        "b.html",
        "/c",
        "a.html#x",
        "../d?x=1",
        "#top",
        "",
        "mailto:x@example.com",
        "http://other.org/",
        "page.html",
        "javascript:x",
        "http://[",
    ]
)
LEAVES = st.sampled_from(
    [
        "<br>",
        "<hr>",
        "<img alt='alt words'>",
        "<img>",
        "<!-- no -->",
        "<script>var no = 1;</script>",
        "<noscript>no <a href=no>no</a></noscript>",
        "<style>no{}</style>",
        "</p>",
        "</b>",
        "</td>",
        "<iframe src=frame.html>no</iframe>",
        "<area href=area.html>",
        "<area href=x alt='in area'>",
        "<a>no link</a>",
        "</body></html>",
        "<p>",
        "<b>",
        "</a>",
        "<template>no</template>",
    ]
)


def _element(content: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    tags = st.sampled_from("p div td b i span ul li table tr h1 em".split())
    return st.builds("<{0}>{1}</{0}>".format, tags, content)


def _anchor(content: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    more = st.sampled_from(["", " title='title words'", " rel=nofollow"])
    return st.builds("<a href='{0}'{1}>{2}</a>".format, HREFS, more, content)


BODIES = st.recursive(
    TEXTS | LEAVES,
    lambda inner: st.lists(TEXTS | LEAVES | _element(inner) | _anchor(inner), max_size=6).map(
        "".join
    ),
    max_leaves=25,
)
HEADS = st.sampled_from(["", "<title>The Title</title>", "<head><title>T</title><meta name=x>"])
HTML = st.builds("{0}{1}".format, HEADS, BODIES)


def answer(body: bytes, content_type: str | None = "text/html") -> Answer:
    headers = (("Content-Type", content_type),) if content_type else ()
    return Answer(url=PAGE, final_url=PAGE, status=200, headers=headers, body=body)


def well_formed(document: Document) -> None:
    """Fails where the columns of a document contradict each other."""
    links = document.links
    assert 0 <= document.text_start <= document.visible <= len(document.words)
    assert all(canonical(url) == url for url in links.urls)
    assert len(set(links.urls)) == len(links.urls) == len(links.nofollow)
    assert set(links.target.tolist()) == set(range(len(links.urls)))
    assert len(links.nodes) == len(links.target) == len(links.anchor_start)
    assert np.all(links.anchor_start <= links.anchor_end)
    assert np.all(links.anchor_end <= len(document.words))
    assert all(document.words)
