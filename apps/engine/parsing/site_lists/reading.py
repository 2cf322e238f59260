"""Reads a site list in any format, and tells one by its content."""

from __future__ import annotations

import re
import zlib
from dataclasses import replace

from apps.engine.answers import Answer
from apps.engine.parsing.site_lists.json_feed import VERSION, read_json
from apps.engine.parsing.site_lists.site_list import MOST_BYTES, ListBody, Read, SiteList
from apps.engine.parsing.site_lists.text_lists import read_text
from apps.engine.parsing.site_lists.xml_lists import read_xml

FORMATS: tuple[Read, ...] = (read_xml, read_json, read_text)
SNIFFED = 2_048

_GZIP = b"\x1f\x8b"
_ROOT = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*(?:<\?xml.*?\?>\s*)?(?:<(?:!--.*?--|\?.*?\?|!DOCTYPE[^\[<>]*)>\s*)*"
    rb"<(?:\w+:)?(urlset|sitemapindex|rss|feed|RDF)[\s>]",
    re.DOTALL,
)


def is_site_list(body: bytes) -> bool:
    """Whether a body that came in place of a page is a list, by how it begins."""
    head = body[:SNIFFED]
    if head.lstrip()[:1] == b"{":
        return VERSION.encode() in head.replace(b"\\/", b"/")
    return head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"<" and _ROOT.match(head) is not None


def read_site_list(answer: Answer) -> SiteList | None:
    """The list in an answer's body, unpacked if it is a gzip file; None if it is none."""
    body, is_cut = _unpacked(answer.body)
    source = ListBody(body, answer.final_url, answer.fetched_at)
    if not body.strip():
        return None
    is_markup = body.lstrip(b"\xef\xbb\xbf \t\r\n\0\xff\xfe")[:1] == b"<"
    for read in FORMATS[:1] if is_markup else FORMATS[1:]:
        site_list = read(source)
        if site_list is not None:
            return replace(site_list, is_cut=True) if is_cut or answer.truncated else site_list
    return None


def _unpacked(body: bytes) -> tuple[bytes, bool]:
    """The body and whether it was cut; of a damaged gzip file what stands before the damage."""
    if not body.startswith(_GZIP):
        return body[:MOST_BYTES], len(body) > MOST_BYTES
    inflater = zlib.decompressobj(zlib.MAX_WBITS | 16)
    unpacked = b""
    try:
        unpacked = inflater.decompress(body, MOST_BYTES)
    except zlib.error:
        return b"", True
    return unpacked, not inflater.eof
