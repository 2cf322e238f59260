"""The tag tree of a page, and what it costs to find elements in it."""

from __future__ import annotations

import codecs

import pytest

from apps.engine.answers import Answer
from apps.engine.parsing import document as document_module
from apps.engine.parsing import markup as module
from apps.engine.parsing import words as words_module
from apps.engine.parsing.document import parse, parse_html
from apps.engine.parsing.markup import markup
from apps.engine.parsing.text import decode
from apps.engine.parsing.tree_walk import walk

NAMES = ("meta", "template")


def test_the_elements_asked_for_are_those_of_the_tree():
    root, is_cut, elements = markup("<meta name=a><p>text <svg></svg><template></template>", NAMES)
    assert root is not None
    assert [element.tag for element in elements] == ["meta", "template"]
    assert all(element.getroottree().getroot() is root for element in elements)
    assert not is_cut
    assert markup("", NAMES) == (None, False, [])


def test_the_elements_are_those_of_the_tree_that_is_parsed_again():
    page = "<svg><title>a<p>shown</title></svg><template><div>x</template><p>after<meta name=b>"
    root, _, elements = markup(page, NAMES)
    assert root is not None
    assert elements == list(root.iter(*NAMES))


@pytest.mark.parametrize("page", ["<p>plain <a href=/x>link</a>", "<svg></svg><meta name=x>"])
def test_a_page_is_parsed_and_looked_through_once(page: str, monkeypatch: pytest.MonkeyPatch):
    calls: list[str] = []
    for name in ("_parsed", "_elements"):
        original = getattr(module, name)

        def counted(*arguments, name=name, original=original):
            calls.append(name)
            return original(*arguments)

        monkeypatch.setattr(module, name, counted)
    parse_html(page, "http://a.test/")
    assert calls == ["_parsed", "_elements"]


PARTS = (
    "<iframe srcdoc='<a href=/in>in</a>'></iframe>",
    "<template shadowrootmode=open><a href=/in>in</a></template>",
    "<noscript><a href=/in>in</a></noscript>",
    "<object type=text/html data=/in></object>",
    "<meta http-equiv=refresh content='9; url=/in'>",
)


@pytest.mark.parametrize("part", ["", *PARTS])
def test_a_tree_is_looked_through_again_only_if_a_part_of_it_was_opened(
    part: str, monkeypatch: pytest.MonkeyPatch
):
    again: list[bool] = []

    def walked(root, elements=None):
        again.append(elements is None)
        return walk(root, elements)

    monkeypatch.setattr(document_module, "walk", walked)
    document = parse_html(f"<title>x</title><a href=/out>out</a><p>{part}", "http://a.test/")
    assert again == [part != ""]
    assert document.links.urls == ("http://a.test/out", *["http://a.test/in"] * (part != ""))


def test_a_title_and_pictures_are_read_together_with_the_text(monkeypatch: pytest.MonkeyPatch):
    texts: list[str] = []
    read_characters = words_module._read_characters

    def counted(text: str):
        texts.append(text)
        return read_characters(text)

    monkeypatch.setattr(words_module, "_read_characters", counted)
    pictures = "".join(f"<a href=/{n}><img alt='ภาพ {n}'></a>" for n in range(3))
    document = parse_html(f"<title>ภาษา</title>ไทย{pictures}", "http://a.test/")
    assert len(texts) == 2
    assert [*document.words] == [
        *("ภา", "าษ", "ษา", "ไท", "ทย"),
        *("ภา", "าพ", "0", "ภา", "าพ", "1", "ภา", "าพ", "2"),
    ]
    assert document.text_start == 3 and document.visible == 5
    assert document.links.anchor_start.tolist() == [5, 8, 11]
    assert document.links.anchor_end.tolist() == [8, 11, 14]


BODIES = (
    b"plain",
    "ж<p>т".encode(),
    codecs.BOM_UTF8 + b"marked",
    b"a\0b",
    b"broken \xff\xc3",
    "real \ufffd".encode(),
)


@pytest.mark.parametrize("body", BODIES)
def test_a_body_in_utf_8_is_parsed_as_it_came(body: bytes, monkeypatch: pytest.MonkeyPatch):
    headers = (("Content-Type", "text/html; charset=utf-8"),)
    answer = Answer("http://a.test/", "http://a.test/", 200, headers, body)
    encoded: list[bytes | None] = []

    def asked(html, names=(), as_bytes=None):
        encoded.append(as_bytes)
        return markup(html, names, as_bytes)

    monkeypatch.setattr(document_module, "markup", asked)
    document = parse(answer)
    text, _ = decode(body, headers[0][1])
    as_it_came = text.encode() == body and "\ufffd" not in text
    assert encoded == [body if as_it_came else None]
    assert document.words == parse_html(text, answer.url).words
