"""The words of a URL: what an author wrote into the address of a page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote

from apps.engine.parsing.words import words

_SUFFIX = re.compile(r"\.(?:s?html?|xhtml|php\d?|aspx?|jspx?|cgi|pl|txt)/?$", re.I | re.M)
_HUMP = re.compile(r"([a-z])([A-Z])")


def address_words(urls: Sequence[str]) -> list[list[str]]:
    """The lower-case words of each canonical URL's path and query, in order, without the page's
    type.

    `…/Salt_marsh-erosion.html` gives salt, marsh, erosion; `…/saltMarsh` salt, marsh. The host is
    left out: it is the same for all pages of a site.
    """
    # A line for each, so that a pattern is started once for all of them.
    text = _SUFFIX.sub("", "\n".join(map(_line, urls))).replace("_", " ")
    if not text.islower():
        text = _HUMP.sub(r"\1 \2", text)
    return [words(line) for line in text.split("\n")] if urls else []


def _line(url: str) -> str:
    """A URL's path and query; a space after the query keeps what looks like a page's type there."""
    path, asks, query = url.partition("://")[2].partition("/")[2].partition("?")
    if "%" in url:
        path, query = (unquote(part).replace("\n", " ") for part in (path, query))
    return f"{_SUFFIX.sub('', path)} {query} " if asks else path
