"""All signs of opt-outs of a page."""

from __future__ import annotations

from lxml import etree

from apps.engine.answers import Answer, Headers
from apps.engine.kinds import DocumentKind
from apps.engine.parsing.markup import tree
from apps.engine.parsing.opt_outs.catalogue import FORMS
from apps.engine.parsing.opt_outs.form import HeadLink, OptOutSign, PageHead
from apps.engine.parsing.text import decode

HEAD_CHARACTERS = 200_000
"""Of a page so much is looked through: signs stand in its head."""
MOST_SIGNS = 20


def read_signs(
    headers: Headers, page: str, root: etree._Element | None = None
) -> tuple[OptOutSign, ...]:
    """The signs of an answer's headers and of its page as text, each once, in the order of the
    forms; at most 20. `root` is the tag tree of the page as it is written, if the caller has it."""
    head = _head(headers, page[:HEAD_CHARACTERS], root if len(page) <= HEAD_CHARACTERS else None)
    signs = (sign for form in FORMS.values() for sign in form.signs(head))
    return tuple(dict.fromkeys(signs))[:MOST_SIGNS]


def answer_signs(answer: Answer) -> tuple[OptOutSign, ...]:
    """The signs of an answer with its body; of a document those of its headers alone."""
    if answer.converted is not None and answer.converted.kind is not DocumentKind.PAGE:
        return read_signs(answer.headers, "")
    page = answer.as_page()
    head = page.body[: 4 * HEAD_CHARACTERS]
    return read_signs(answer.headers, decode(head, page.header("content-type"))[0])


def _head(headers: Headers, text: str, root: etree._Element | None) -> PageHead:
    lower = text.lower()
    if "<meta" not in lower and "<link" not in lower:
        return PageHead(headers)
    if root is None:
        root, _ = tree(text)
    elements = () if root is None else tuple(root.iter("meta", "link"))
    metas = [
        ((each.get("name") or "").strip().lower(), each.get("content") or "")
        for each in elements
        if each.tag == "meta"
    ]
    links = [_link(each) for each in elements if each.tag == "link"]
    return PageHead(headers, metas, links)


def _link(element: etree._Element) -> HeadLink:
    rel = tuple((element.get("rel") or "").lower().split())
    return HeadLink(rel, (element.get("type") or "").strip().lower(), element.get("href") or "")
