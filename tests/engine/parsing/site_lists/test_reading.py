"""Site lists in every format, well made and hostile."""

from __future__ import annotations

import gzip

import pytest

from apps.engine.answers import Answer
from apps.engine.parsing.site_lists.document import document_of
from apps.engine.parsing.site_lists.reading import is_site_list, read_site_list
from apps.engine.parsing.site_lists.site_list import MOST_BYTES, MOST_ENTRIES, SiteList

NOW = 1_790_000_000.0  # 21 September 2026
SITEMAP = b"""<?xml version="1.0"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:news="http://n">
<url><loc> http://a.test/pumps?a=1&amp;b=2 </loc><lastmod>2026-01-02T00:00:00Z</lastmod>
<news:news><news:title>Heat pumps</news:title></news:news></url>
<url><loc>http://a.test/future</loc><lastmod>2099-01-01</lastmod></url>
<url><loc>http://a.test/epoch</loc><lastmod>1970-01-01</lastmod></url>
<url><loc></loc></url></urlset>"""
RSS = b"""<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>
<title>Site</title><link>http://a.test/</link><atom:link rel="self" href="http://a.test/feed"/>
<item><title>One &lt;b&gt;bold&lt;/b&gt;</title><link>http://a.test/1</link>
<description><![CDATA[<p>A text &amp; more</p>]]></description>
<pubDate>Wed, 02 Oct 2024 13:00:00 GMT</pubDate></item>
<item><guid>http://a.test/g</guid></item></channel></rss>"""
ATOM = b"""<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><title>E</title>
<link rel="self" href="http://a.test/self"/><link href="/e"/><updated>2023-12-13</updated>
<summary>Some words</summary></entry></feed>"""
JSON = b"""{"version": "https://jsonfeed.org/version/1.1", "items": [
{"url": "http://a.test/j", "title": "J", "content_html": "<p>x</p>"}, 7]}"""
TEXT = b"\xef\xbb\xbfhttp://a.test/1\r\nhttp://a.test/2\r\n"
INDEX = b"<sitemapindex><sitemap><loc>http://a.test/s.gz</loc></sitemap></sitemapindex>"


def read(body: bytes) -> SiteList | None:
    return read_site_list(
        Answer("http://a.test/x", "http://a.test/x", 200, (), body, fetched_at=NOW)
    )


def listed(body: bytes) -> list[tuple[str, ...]]:
    site_list = read(body)
    assert site_list is not None
    return [tuple(page) for page in (*site_list.pages, *site_list.lists)]


@pytest.mark.parametrize(
    ("body", "kind", "entries"),
    [
        (
            SITEMAP,
            "sitemap",
            [
                ("http://a.test/pumps?a=1&b=2", "Heat pumps", "", "2026-01-02"),
                ("http://a.test/future", "", "", ""),
                ("http://a.test/epoch", "", "", ""),
            ],
        ),
        (
            RSS,
            "feed",
            [
                ("http://a.test/1", "One bold", "A text & more", "2024-10-02"),
                ("http://a.test/g", "", "", ""),
            ],
        ),
        (ATOM, "feed", [("/e", "E", "Some words", "2023-12-13")]),
        (JSON, "feed", [("http://a.test/j", "J", "x", "")]),
        (TEXT, "sitemap", [("http://a.test/1", "", "", ""), ("http://a.test/2", "", "", "")]),
        (INDEX, "sitemap", [("http://a.test/s.gz", "", "", "")]),
    ],
)
def test_each_format(body: bytes, kind: str, entries: list[tuple[str, ...]]) -> None:
    assert listed(body) == entries
    assert listed(gzip.compress(body)) == entries
    site_list = read(body)
    assert site_list is not None
    assert site_list.kind == kind
    assert SiteList.of_plain(site_list.as_plain()) == site_list


@pytest.mark.parametrize("body", [SITEMAP, RSS, ATOM, JSON, INDEX])
def test_it_is_recognised_by_its_content(body: bytes) -> None:
    assert is_site_list(body)


@pytest.mark.parametrize(
    "body",
    [b"", b"<html><title>a feed</title>", b"<!DOCTYPE html><html>", b"words", b"{}", b"<svg/>"],
)
def test_other_content_is_none(body: bytes) -> None:
    assert not is_site_list(body)
    assert read(body) is None


def test_no_entity_is_expanded() -> None:
    bomb = b'<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b SYSTEM "file:///etc/passwd">]>'
    body = bomb + b"<rss><item><title>&a;&b;</title><link>http://a.test/1</link></item></rss>"
    ((_, title, _, _),) = listed(body)
    assert "aaaa" not in title
    assert "root" not in title


def test_limits_cut_and_are_reported() -> None:
    many = b"<urlset>%s</urlset>" % (b"<url><loc>http://a.test/</loc></url>" * (MOST_ENTRIES + 5))
    site_list = read(many)
    assert site_list is not None
    assert (len(site_list.pages), site_list.is_cut) == (MOST_ENTRIES, True)
    first = b"<urlset><url><loc>http://a.test/1</loc></url>"
    packed = read(gzip.compress(first + b" " * (MOST_BYTES + 1)))
    assert packed is not None
    assert ([page.url for page in packed.pages], packed.is_cut) == (["http://a.test/1"], True)
    torn = read(first + b"<url><loc>http://a.test/2")
    assert torn is not None
    assert torn.pages[0].url == "http://a.test/1"
    assert read(first + b"<a>" * 100_000) is not None
    assert read(b"\x1f\x8bnot gzip") is None
    assert read(b'{"version": "https://jsonfeed.org/version/1", "a": ' + b"[" * 100_000) is None


def test_entries_become_links_whose_windows_do_not_meet() -> None:
    site_list = read(RSS)
    assert site_list is not None
    document = document_of(site_list, "http://a.test/feed")
    links = document.links
    assert links.urls == ("http://a.test/1", "http://a.test/g")
    words = list(document.words)
    assert words[links.anchor_start[0] : links.anchor_end[0]] == ["one", "bold"]
    assert words[links.anchor_start[1] : links.anchor_end[1]] == ["g"]  # of its address
    assert links.anchor_start[1] - links.anchor_end[0] > 40
