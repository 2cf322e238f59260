"""The markup of the demo web's pages: five house styles, most of them untidy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from random import Random

STYLES = 5
MODERN, TABLES, PLAIN, BASED, SCRIPTED = range(STYLES)

CHARSETS = (
    ("utf-8", "text/html; charset=utf-8", ""),
    ("utf-8", "text/html", '<meta charset="utf-8">'),
    ("latin-1", "text/html; charset=ISO-8859-1", ""),
    (
        "cp1252",
        "text/html",
        '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=windows-1252">',
    ),
    ("utf-8", "text/html; charset=UTF-8", '<meta charset="UTF-8">'),
)
"""Codec, Content-Type header and declaration in the page, for each style."""


@dataclass(frozen=True, slots=True)
class Copy:
    """The content of a page, with its links already marked up."""

    title: str
    site: str
    menu: Sequence[str]
    crumbs: Sequence[str]
    paragraphs: Sequence[str]
    listed: Sequence[str]
    related: Sequence[str]
    footer: Sequence[str]


def folder_of(url: str) -> str:
    """The base of a page's relative links: its URL without the last segment."""
    return _split(url)[1].rpartition("/")[0] + "/"


def _split(url: str) -> tuple[str, str, str]:
    """Host, path and query of a canonical http URL."""
    host, slash, rest = url[7:].partition("/")
    path, _, query = rest.partition("?")
    return host, slash + path, query


def _relative(path: str, folder: str) -> str:
    """The way from a folder to a path, without a final slash."""
    there, here = ([name for name in text.split("/") if name] for text in (path, folder))
    shared = 0
    for one, other in zip(there, here, strict=False):
        if one != other:
            break
        shared += 1
    return "/".join([".."] * (len(here) - shared) + there[shared:]) or "."


def reference(source: str, target: str, style: int, rng: Random) -> str:
    """An href from one page to another, in one of the ways people write them."""
    host, other_path, query = _split(target)
    draw = rng.random()
    fragment = "#top" if draw < 0.04 else ""
    if not source.startswith(f"http://{host}/"):
        return ("//" + target[7:] if draw > 0.95 else target) + fragment
    path = other_path + (f"?{query}" if query else "") + fragment
    if draw < 0.35:
        return path
    if draw < 0.45:
        return target + fragment
    here = "/" if style == BASED else folder_of(source)
    relative = _relative(other_path, here)
    slash = "/" if other_path.endswith("/") and relative not in {".", ".."} else ""
    if relative in {".", ".."}:
        slash = "/"
    return relative + slash + path[len(other_path) :]


def anchor(href: str, text: str, style: int) -> str:
    """A link around a text that is already escaped; upper-case and unquoted in the old style."""
    if style == TABLES:
        return f"<A HREF='{escape(href)}'>{text}</A>"
    return f'<a href="{escape(href)}">{text}</a>'


def picture(words: str, style: int) -> str:
    name = words.lower().replace(" ", "-")
    if style == TABLES:
        return f'<IMG SRC="/img/{escape(name)}.gif" ALT="{escape(words)}" BORDER=0>'
    return f'<img src="/img/{escape(name)}.jpg" alt="{escape(words)}">'


def marked_up(copy: Copy, style: int, url: str, rng: Random) -> bytes:
    """The page's bytes in the charset of its style."""
    codec, _, declared = CHARSETS[style]
    title = "" if style == PLAIN and rng.random() < 0.3 else copy.title
    text = _LAYOUTS[style](copy, escape(title), declared, url, rng)
    return text.encode(codec, "xmlcharrefreplace")


def _modern(copy: Copy, title: str, declared: str, url: str, rng: Random) -> str:
    return f"""<!DOCTYPE html>
<html lang="en"><head>{declared}<title>{title} – {copy.site}</title>
<link rel="stylesheet" href="/style.css"></head>
<body><header><nav><ul>{_items(copy.menu)}</ul></nav></header>
<p class="crumbs">{" › ".join(copy.crumbs)}</p>
<main><h1>{title}</h1>
{"".join(f"<p>{text}</p>{chr(10)}" for text in copy.paragraphs)}
{_block("In this section", copy.listed)}</main><aside>{_block("See also", copy.related)}</aside>
<footer><p>© {copy.site}. {" · ".join(copy.footer)} <a href="#top">Back to top</a></p></footer>
</body></html>"""


def _tables(copy: Copy, title: str, declared: str, url: str, rng: Random) -> str:
    rows = "\n<P>".join(copy.paragraphs)
    return f"""<HTML><HEAD>{declared}<TITLE>{title}</TITLE>
<BODY BGCOLOR=#FFFFFF TEXT=black><CENTER><H1><FONT COLOR=navy>{title}</FONT></H1></CENTER>
<TABLE WIDTH=100% BORDER=0><TR><TD VALIGN=top WIDTH=160>{"<BR>".join(copy.menu)}
<HR>{"<BR>".join(copy.related)}
<TD><!-- main column --><P>{rows}
<UL>{"".join(f"<LI>{item}" for item in copy.listed)}</UL>
<TR><TD COLSPAN=2><FONT SIZE=-1>{" | ".join(copy.footer)} Best viewed at 800 x 600</FONT></TABLE>"""


def _plain(copy: Copy, title: str, declared: str, url: str, rng: Random) -> str:
    head = f"<head><title>{title}</title></head>" if title else "<head></head>"
    return f"""<html>{head}<body>
<h2>{escape(copy.title)}</h2>{"".join(f"[{item}] " for item in copy.menu)}
<p>{"<p>".join(copy.paragraphs)}
<dl>{"".join(f"<dt>{item}<dd>" for item in copy.listed)}</dl>
<hr>See also: {", ".join(copy.related)}
<hr><i>{" ".join(copy.footer)}</i> &copy; {copy.site}
</b></body>"""


def _based(copy: Copy, title: str, declared: str, url: str, rng: Random) -> str:
    root = "/".join(url.split("/")[:3]) + "/"
    return f"""<html><head><base href="{root}">{declared}<title>{copy.site}: {title}</title>
<style>body {{ font-family: serif }} .menu {{ float: left }}</style></head><body>
<div class=menu>{" ".join(f"<div>{item}</div>" for item in copy.menu)}</div>
<div class=crumbs>{" &gt; ".join(copy.crumbs)}</div><h1>{title}</h1>
{"".join(f"<div><p>{text}</div>{chr(10)}" for text in copy.paragraphs)}
{_block("Pages", copy.listed)}{_block("Elsewhere", copy.related)}
<div id=foot>{" | ".join(copy.footer)}</div></body></html>"""


def _scripted(copy: Copy, title: str, declared: str, url: str, rng: Random) -> str:
    return f"""<!doctype html><html><head>{declared}<title>{title} | {copy.site}</title>
<script>var page = {{"id": {int(rng.random() * 9999)}}};
document.write("<a href='/not/a/link'>x</a>");</script>
</head><body><div class="wrap"><ul class="nav">{_items(copy.menu)}</ul>
<!-- <a href="/old/menu.html">old menu</a> -->
<article><h1>{title}</h1><br>{"<br><br>".join(copy.paragraphs)}</article>
<section>{_block("More here", copy.listed)}</section>
<section>{_block("Related", copy.related)}</section>
<noscript>Please turn scripts on.</noscript><script src="/count.js"></script>
<p class=small>{" ".join(copy.footer)}</div></body></html>"""


_LAYOUTS = (_modern, _tables, _plain, _based, _scripted)


def _items(links: Sequence[str]) -> str:
    return "".join(f"<li>{link}</li>" for link in links)


def _block(heading: str, links: Sequence[str]) -> str:
    return f"<h3>{heading}</h3><ul>{_items(links)}</ul>" if links else ""
