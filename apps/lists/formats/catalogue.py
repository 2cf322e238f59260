"""All formats of text, in the order in which they are tried; the last takes whatever is left."""

from __future__ import annotations

from collections.abc import Sequence

from apps.lists.formats.bibtex import BibTeX
from apps.lists.formats.bookmarks import Bookmarks
from apps.lists.formats.delimited import Delimited
from apps.lists.formats.feed import Feed
from apps.lists.formats.format import TextFormat
from apps.lists.formats.json import Json
from apps.lists.formats.opml import Opml
from apps.lists.formats.plain_lines import PlainLines
from apps.lists.formats.ris import Ris
from apps.lists.formats.sitemap import Sitemap

FORMATS: Sequence[TextFormat] = (
    Json(),
    Opml(),
    Sitemap(),
    Feed(),
    Bookmarks(),
    Ris(),
    BibTeX(),
    Delimited(),
    PlainLines(),
)


def format_of(text: str) -> TextFormat:
    """The first format that recognises the text."""
    return next(each for each in FORMATS if each.recognises(text))
