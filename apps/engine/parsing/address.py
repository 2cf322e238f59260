"""The words of a URL: what an author wrote into the address of a page."""

from __future__ import annotations

import re
from urllib.parse import unquote

from apps.engine.parsing.words import words

_SUFFIX = re.compile(r"\.(?:s?html?|xhtml|php\d?|aspx?|jspx?|cgi|pl|txt)/?$", re.IGNORECASE)
_HUMP = re.compile(r"([a-z])([A-Z])")


def address_words(url: str) -> list[str]:
    """The lower-case words of a canonical URL's path and query, in order, without the page's type.

    `…/Salt_marsh-erosion.html` gives salt, marsh, erosion; `…/saltMarsh` salt, marsh. The host is
    left out: it is the same for all pages of a site.
    """
    path = url.partition("://")[2].partition("/")[2]
    path, _, query = path.partition("?")
    text = f"{_SUFFIX.sub('', unquote(path))} {unquote(query)}".replace("_", " ")
    return words(text if text.islower() else _HUMP.sub(r"\1 \2", text))
