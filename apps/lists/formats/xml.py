"""Parsing XML of strangers: without entities, external files or network."""

from __future__ import annotations

import re

from lxml import etree

from apps.lists.limits import BadList

START = re.compile(r"\s*(?:<\?xml[^>]*\?>\s*|<!--.*?-->\s*|<!DOCTYPE[^\[>]*>\s*)*<([\w:.-]+)", re.S)
_ENTITY = re.compile(r"<!ENTITY", re.IGNORECASE)
_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")


def root_name(text: str) -> str:
    """The local name of the root element in lower case; empty if the text is not XML."""
    match = START.match(text[:20_000])
    return match[1].rpartition(":")[2].lower() if match else ""


def parse(text: str) -> etree._Element:
    """The root element. Raises BadList, with the line, for damaged XML and for entities."""
    if _ENTITY.search(text[:100_000]):
        raise BadList("Its XML defines entities, which are not read. Save it without them.")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
    content = _DECLARATION.sub(lambda match: "\n" * match[0].count("\n"), text, count=1)
    try:
        return etree.fromstring(content.encode(), parser)
    except etree.XMLSyntaxError as error:
        line = error.lineno or 1
        raise BadList(f"Its XML is damaged at line {line:,}. Correct or export it again.") from None


def local_name(element: etree._Element) -> str:
    """The name of an element without its namespace, in lower case; empty for comments."""
    if not isinstance(element.tag, str):
        return ""
    return str(etree.QName(element).localname).lower()


def child_text(element: etree._Element, *names: str) -> str:
    """The text of the first child with one of the names."""
    for child in element:
        if local_name(child) in names and child.text:
            return str(child.text).strip()
    return ""
