"""The extraction that is kept, here and on pages that people have marked."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from pathlib import Path
from statistics import mean

import pytest
from trafilatura import load_html

from apps.engine.answers import Answer
from apps.engine.model import Document
from apps.engine.parsing.main_text import parse_judged
from apps.main_text.article import Block
from apps.main_text.extraction import main_blocks
from apps.main_text.fast import FastPage
from apps.main_text.reading import read_article

MARKED = next(
    (up / "shared" / "wcxb" for up in Path(__file__).parents if (up / "shared" / "wcxb").is_dir()),
    Path("wcxb"),
)
EVERY = 20
SENTENCE = "The council heats the school with two heat pumps, which replace the old boiler. "


def blocks(body: str) -> list[Block]:
    page = f"<html><body>{body}</body></html>"
    return main_blocks(page, load_html(page), "https://a.example/")


def test_an_article_keeps_headings_lists_and_tables() -> None:
    read = blocks(
        f"<nav><a href='/'>Home</a></nav><article><h1>Two winters</h1><p>{SENTENCE * 5}</p>"
        f"<h2>What was measured</h2><p>First<br>second {SENTENCE}</p>"
        "<ul><li>one thing of the list</li><li>another thing of it</li></ul>"
        "<table><tr><th>Winter</th><th>MWh</th></tr><tr><td>2024/25</td><td>212</td></tr></table>"
        "</article>"
    )
    assert read == [
        Block("heading", "Two winters", 1),
        Block("paragraph", (SENTENCE * 5).strip()),
        Block("heading", "What was measured", 2),
        Block("paragraph", f"First\nsecond {SENTENCE.strip()}"),
        Block("item", "one thing of the list"),
        Block("item", "another thing of it"),
        Block("row", "Winter\tMWh", 1),
        Block("row", "2024/25\t212"),
    ]


def test_the_lines_of_a_cell_are_words_apart() -> None:
    row = blocks(
        "<table><tr><td><a href='/'>The Commons</a><br><a href='/rail'>Rail transport</a><br>now"
        f"</td><td><p>{SENTENCE * 3}</p><p>{SENTENCE * 3}</p></td></tr></table>"
    )
    assert row == [Block("row", f"The Commons Rail transport now\t{(SENTENCE * 6).strip()}")]


def test_comments_are_read_where_they_are_longer_than_the_text() -> None:
    post = "<div class='comment-content'><p>I did this too. {}</p></div>"
    comments = "<div id='comments' class='comment-list'>" + post.format(SENTENCE * 3) + "{}</div>"
    article = f"<article><h1>Winters</h1><p>{SENTENCE * 12}</p></article>" + comments.format("")
    assert not any("I did this too" in block.text for block in blocks(article))
    forum = f"<article><p>{SENTENCE * 2}</p></article>" + comments.format(post.format(SENTENCE * 9))
    assert any("I did this too" in block.text for block in blocks(forum))


def f1(text: str, truth: str) -> float:
    ours, theirs = (Counter(re.findall(r"\w+", each.lower())) for each in (text, truth))
    common = (ours & theirs).total()
    return (
        2 * common / (ours.total() + theirs.total()) if common else float(not ours and not theirs)
    )


@pytest.mark.skipif(not MARKED.is_dir(), reason="the marked pages are not here")
def test_it_agrees_with_people() -> None:
    """Word-F1 on every twentieth marked page; .85, .82 and .82 over all of them."""
    careful, fast, judged = [], [], []
    for truth in sorted((MARKED / "ground-truth").glob("*.json"))[::EVERY]:
        marked = json.loads(truth.read_text())
        body = gzip.decompress((MARKED / "html" / f"{truth.stem}.html.gz").read_bytes())
        answer = Answer(marked["url"], marked["url"], 200, (), body)
        main = marked["ground_truth"]["main_content"]
        careful.append(f1(read_article(answer).text, main))
        fast.append(f1(FastPage(body.decode("utf-8", "replace")).text, main))
        document = parse_judged(answer, main_text=True)
        judged.append(f1(" ".join(document.words[i] for i in in_text(document)), main))
    assert mean(careful) >= 0.81
    assert mean(fast) >= 0.78
    assert mean(judged) >= 0.80


def in_text(document: Document) -> list[int]:
    """The positions of the main text, without those of the title."""
    assert document.main is not None
    return [at for at in document.main.tolist() if at >= document.text_start]
