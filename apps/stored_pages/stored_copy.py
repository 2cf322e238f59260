"""A safe copy of a stored page: its text and structure without anything active.

Only the elements and attributes listed here are kept; no script, style, form, frame or address of
the page survives, so that viewing it sends no request to any host. Links keep their text and show
their target on hover.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.html import escape
from lxml import etree

from apps.engine.answers import Answer
from apps.engine.parsing.markup import tree
from apps.engine.parsing.text import decode
from apps.engine.urls import join

CONTENT_SECURITY_POLICY = (
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'self'"
)
STYLE = (
    ":root{color-scheme:light}"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:72ch;margin:16px auto;padding:0 16px;"
    "color:#1b1b1a;background:#fff;overflow-wrap:anywhere}"
    "a{text-decoration:underline;text-decoration-color:#8c8c85}img{max-width:100%}"
    "table{border-collapse:collapse}td,th{padding:2px 6px;vertical-align:top;text-align:left}"
    ".image{border:1px solid #8c8c85;padding:0 4px;color:#4d4d48}pre{white-space:pre-wrap}"
)
_KEPT = frozenset(
    "a abbr address article aside b bdi bdo big blockquote br caption center cite code col colgroup"
    " dd del details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr i"
    " img ins kbd li main mark menu nav ol p pre q rp rt ruby s samp section small span strike"
    " strong sub summary sup table tbody td tfoot th thead time tr tt u ul var wbr".split()
)
_EMPTY = frozenset("br col hr img wbr".split())
# Removed with their content. Of empty elements (embed, meta) only the tag is removed: libxml2 puts
# what follows some of them inside.
_DROPPED = frozenset(
    "applet audio canvas head iframe math noembed noframes noscript object script select style svg"
    " template textarea title video".split()
)
_ATTRIBUTES = frozenset("abbr colspan dir lang reversed rowspan scope span start".split())
_PICTURE = re.compile(r"data:image/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*\Z")
_PLAIN_TEXT = re.compile(r"\s*text/(?!html|xml|[\w.-]+\+xml)", re.IGNORECASE)


def safe_copy(answer: Answer) -> str:
    """A complete HTML document to be shown in a sandboxed frame. Never raises."""
    answer = answer.as_page()
    content_type = answer.header("content-type")
    decoded, _ = decode(answer.body, content_type)
    if _PLAIN_TEXT.match(content_type or ""):
        body = f"<pre>{escape(decoded)}</pre>"
    else:
        root, _ = tree(decoded)
        body = "" if root is None else "".join(_write(root, answer.final_url))
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Stored copy</title>'
        f"<style>{STYLE}</style></head><body>{body or '<p>The page has no text.</p>'}</body></html>"
    )


def _write(root: Any, url: str) -> Iterator[str]:
    walker = etree.iterwalk(root, events=("start", "end"))
    for event, element in walker:
        name = element.tag if isinstance(element.tag, str) else ""
        if event == "start":
            if not name or (name in _DROPPED and "shadowrootmode" not in element.attrib):
                walker.skip_subtree()
                continue
            yield _opened(name, element.attrib, url)
            yield escape(element.text or "")
        else:
            if name in _KEPT and name not in _EMPTY:
                yield f"</{name}>"
            if element is not root:
                yield escape(element.tail or "")


def _opened(name: str, attributes: Mapping[str, str], url: str) -> str:
    """The opening tag in the copy; empty if only the element's content is kept."""
    if name not in _KEPT:
        return ""
    if name == "img":
        return _picture(attributes)
    kept = {key: value for key, value in attributes.items() if key in _ATTRIBUTES}
    if name == "a" and "href" in attributes:
        kept["title"] = join(url, attributes["href"]) or attributes["href"]
    return f"<{name}{_attributes(kept)}>"


def _picture(attributes: Mapping[str, str]) -> str:
    """An image whose data the page itself carries, or a text instead of one that would be
    fetched."""
    words = attributes.get("alt", "").strip()
    source = attributes.get("src", "").strip()
    if _PICTURE.match(source):
        return f"<img{_attributes({'src': source, 'alt': words})}>"
    return f'<span class="image">picture{": " if words else ""}{escape(words)}</span>'


def _attributes(values: Mapping[str, str]) -> str:
    return "".join(f' {key}="{escape(value)}"' for key, value in values.items())
