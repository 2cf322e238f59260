"""The traversal of a repaired tag tree: its text, and the positions of its links.

The text is made by an XSLT stylesheet, in C: a loop over the elements would take twice the time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from apps.engine.parsing.markup import ROLES, ElementRole

_MARK, _OPEN, _CLOSE = "\x7f", " ", "\t"
_SOFT_HYPHEN = "\xad"


@dataclass(slots=True)
class TreeContents:
    """The `text` of a page, with a space wherever words end.

    Link occurrence j points to `hrefs[j]` as written and contains the words of text[starts[j] :
    ends[j]]; `notes` are the base, meta and link elements, `title` is the text of the first title.
    """

    text: str = ""
    hrefs: list[str] = field(default_factory=list)
    nodes: list[Any] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    notes: list[Any] = field(default_factory=list)
    title: str | None = None
    scripts: int = 0

    def note(self, role: ElementRole, element: Any) -> None:
        """Adds an element without text."""
        if role is ElementRole.SCRIPT:
            self.scripts += 1
        elif role is ElementRole.HEAD_NOTE:
            self.notes.append(element)
        elif role is ElementRole.TITLE:
            if self.title is None and next(element.iterancestors("svg", "math"), None) is None:
                self.title = element.text
        elif role is not ElementRole.HIDDEN:
            self.link(element.get("href" if role is ElementRole.AREA else "src"), element)

    def link(self, href: str | None, element: Any) -> None:
        """Adds an occurrence of a link, if the element is one."""
        if href is not None:
            self.hrefs.append(href)
            self.nodes.append(element)


def walk(root: Any, elements: Iterable[Any] | None = None) -> TreeContents:
    """Reads the text and links below `root`, without hidden elements. `elements` has those that are
    `NOTED` in their order, perhaps with others, if the caller has them."""
    contents, hidden, anchor = TreeContents(), set[Any](), ElementRole.ANCHOR
    for element in root.iter(*NOTED) if elements is None else elements:
        role = _ROLES_NOTED.get(element.tag)
        if role is None or (hidden and element in hidden):
            continue
        if role is anchor:
            contents.link(element.get("href"), element)
            continue
        contents.note(role, element)
        if len(element):
            hidden.update(element.iter(*NOTED))
    text = str(_text(root))
    if text.count(_MARK) != 2 * len(contents.hrefs):  # the page has such a character itself
        text = str(_text_without_marks(root))
    text = text.replace(_SOFT_HYPHEN, "")
    contents.starts, contents.ends = _borders(text)
    contents.text = text.replace(_MARK, " ")
    return contents


def _borders(text: str) -> tuple[list[int], list[int]]:
    """The offsets of the marks before and after each link, in the order of those before."""
    pieces = text.split(_MARK)
    starts: list[int] = []
    ends: list[int] = []
    opened: list[int] = []
    offset = len(pieces[0])
    for piece in pieces[1:]:
        if piece[0] == _OPEN:
            opened.append(len(starts))
            starts.append(offset)
            ends.append(offset)
        else:
            ends[opened.pop()] = offset
        offset += len(piece) + 1
    return starts, ends


def stylesheet(*others: str) -> etree.XSLT:
    """A transformation of a tag tree to its text, with a space wherever words end. `others` are
    further templates, which take precedence over those of the roles; without them links are like
    other text."""
    return etree.XSLT(
        etree.fromstring(
            '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">'
            '<xsl:output method="text" encoding="UTF-8"/>'
            + template("/", literal(" ") + INSIDE)
            + template(_names(ElementRole.BREAK), literal(" ") + INSIDE + literal(" "))
            + template(
                _names(
                    ElementRole.HIDDEN, ElementRole.SCRIPT, ElementRole.TITLE, ElementRole.HEAD_NOTE
                ),
                literal(" "),
            )
            + template(_names(ElementRole.AREA, ElementRole.FRAME), literal(" "))
            + template("a[@href]", literal(" ") + INSIDE + literal(" "))
            + "".join(others)
            + "</xsl:stylesheet>"
        )
    )


def template(match: str, pieces: str) -> str:
    """The template for the elements that match."""
    return f'<xsl:template match="{match}">{pieces}</xsl:template>'


def literal(words: str) -> str:
    """These words, in a template."""
    return f"<xsl:text>{words}</xsl:text>".replace("\t", "&#9;")


def without(character: str) -> str:
    """The template of text in which a character stands as a space."""
    return template("text()", f"<xsl:value-of select=\"translate(., '{character}', ' ')\"/>")


def _names(*roles: ElementRole) -> str:
    return "|".join(name for name, role in ROLES.items() if role in roles)


INSIDE = "<xsl:apply-templates/>"
"""All within the element, in a template."""
_BEGIN, _END = (f" {_MARK}{kind} " for kind in (_OPEN, _CLOSE))
_LINKS = (
    template("a[@href]", literal(_BEGIN) + INSIDE + literal(_END)),
    template("area[@href]|frame[@src]|iframe[@src]", literal(_BEGIN + _END)),
)
_ROLES_NOTED = {name: role for name, role in ROLES.items() if role is not ElementRole.BREAK}
NOTED = tuple(_ROLES_NOTED)
"""The names of the elements that `walk` reads one by one."""
_text = stylesheet(*_LINKS)
_text_without_marks = stylesheet(*_LINKS, without(_MARK))
