"""The words of a title or a description, which may be HTML inside of XML or JSON."""

from __future__ import annotations

import re
from html import unescape

_TAG = re.compile(r"<[^<>]{0,2000}>")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_MOST_READ = 10_000


def plain_words(text: str, most: int) -> str:
    """The text without tags, of at most so many characters, cut after a word."""
    if not text:
        return ""
    text = unescape(text[:_MOST_READ])
    if "<" in text:
        text = unescape(_TAG.sub(" ", text))
    plain = " ".join(_CONTROL.sub(" ", text).split())
    return plain if len(plain) <= most else plain[:most].rpartition(" ")[0] or plain[:most]
