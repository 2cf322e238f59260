"""The address in a cell or a line, or why there is none, with a correction."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from apps.engine.urls import canonical

LONGEST = 2_000
# Usual headings over addresses.
ADDRESS_NAMES = frozenset(
    "url uri urls link links href loc website homepage site seed permalink address adresse".split()
)
INVISIBLE = re.compile(
    "[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]"
)
_SPACES = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_SCHEME = re.compile(r"https?://", re.IGNORECASE)
_TOKEN = re.compile(r"https?:[/\\]{1,2}[^\s<>\"'“”„«»‹›‘’|]+", re.IGNORECASE)
_HYPERLINK = re.compile(r'=HYPERLINK\(\s*"([^"]+)"(?:\s*[,;]\s*"([^"]*)")?\s*\)', re.IGNORECASE)
_MARKDOWN = re.compile(r"\[([^\]]*)\]\((https?://[^\s)]+(?:\([^\s)]*\)[^\s)]*)*)[^)]*\)", re.I)
_LABEL = r"[\w](?:[\w-]{0,61}[\w])?"
_BARE = re.compile(
    rf"(?://)?(?:{_LABEL}\.)+(?:[a-z]{{2,24}}|xn--[\w-]+)\.?(?::\d{{2,5}})?(?:[/?#]\S*)?",
    re.IGNORECASE,
)
_TRAILING = ".,;:!?"
_PAIRS = {")": "(", "]": "[", "}": "{"}
_TWICE = re.compile(r"(https?://)(?:https?:?//?)+", re.IGNORECASE)
_BROKEN_SCHEME = re.compile(r"(https?)(?:;|:?/(?!/)|//|:(?!/))/*", re.IGNORECASE)
_HOST_OF = re.compile(r"https?:[/\\]+([^/?#\\]*)", re.IGNORECASE)
_FILES = frozenset("pdf doc docx xls xlsx csv txt jpg jpeg png gif html htm php zip".split())


class Fault(StrEnum):
    """Why a line has no address."""

    NO_ADDRESS = "not_a_url"
    TOO_LONG = "too_long"
    COMMA = "comma"
    SCHEME = "scheme"
    SCHEME_TWICE = "scheme_twice"
    DISGUISED = "disguised"
    ONLY_A_FEED = "only_a_feed"
    SITEMAP_OF_SITEMAPS = "sitemap_of_sitemaps"
    NO_COUNT = "no_count"


@dataclass(frozen=True, slots=True)
class Address:
    """An address as it is requested, the text it was read from, and the words beside it.

    `completed` is true if `https://` was added.
    """

    url: str
    text: str
    title: str = ""
    completed: bool = False


@dataclass(frozen=True, slots=True)
class Unread:
    """A text without an address: the fault, and what to write instead (empty: nothing is near)."""

    text: str
    fault: Fault
    correction: str = ""


def clean(text: str) -> str:
    """The text without invisible characters, with ordinary spaces."""
    return _SPACES.sub(" ", INVISIBLE.sub("", text)).strip()


def read_cell(text: str) -> Address | Unread:
    """The one address that is the whole cell."""
    cell = _unquote(clean(text))
    if link := _HYPERLINK.fullmatch(cell):
        return _address(link[1], title=link[2] or "")
    if cell.startswith("<") and cell.endswith(">"):
        cell = cell[1:-1].strip()
    if " " in cell and len(_TOKEN.findall(cell)) != 1:
        return Unread(cell, Fault.NO_ADDRESS)
    return _address(cell)


def read_line(text: str) -> list[Address | Unread]:
    """The addresses of a line of text, or the fault of the line."""
    line = clean(text)
    if marked := _MARKDOWN.findall(line):
        return [_address(url, title=title) for title, url in marked]
    tokens = [_trim(token) for token in _tokens(line)]
    if tokens:
        title = _words_beside(line, tokens) if len(tokens) == 1 else ""
        return [_address(token, title=title) for token in tokens]
    pieces = [_unquote(piece) for piece in re.split(r"[,;\s]+", _unquote(line)) if piece]
    if pieces and all(_is_bare(piece) for piece in pieces):
        return [_address(piece) for piece in pieces]
    return [_address(_unquote(line))]


def is_address(text: str) -> bool:
    """Whether a cell is one address with its scheme."""
    cell = _unquote(clean(text))
    if _HYPERLINK.fullmatch(cell):
        return True
    return bool(_SCHEME.match(cell)) and " " not in cell and isinstance(read_cell(cell), Address)


def is_bare_address(text: str) -> bool:
    """Whether a cell is one address without its scheme, such as `reef.example/page`."""
    return _is_bare(_unquote(clean(text)))


def _address(text: str, title: str = "") -> Address | Unread:
    text = text.strip()
    if not text:
        return Unread(text, Fault.NO_ADDRESS)
    if len(text) > LONGEST:
        return Unread(text[:LONGEST], Fault.TOO_LONG)
    if unread := _mistyped(text):
        return unread
    if _is_bare(text):
        url = "https://" + text.removeprefix("//")
        return Address(url, text, title, completed=True) if _valid(url) else _none(text)
    return Address(text, text, title) if _valid(text) else _none(text)


def _mistyped(text: str) -> Unread | None:
    """The fault of a text that is nearly an address."""
    if re.match(r"hxxps?[:\[]", text, re.IGNORECASE):
        plain = re.sub("hxxp", "http", text, count=1, flags=re.IGNORECASE)
        plain = re.sub(r"[\[({]([.:]|dot)[\])}]", lambda m: m[1].replace("dot", "."), plain)
        return Unread(text, Fault.DISGUISED, _corrected(plain))
    if _TWICE.match(text):
        rest = _TWICE.sub("", text, count=1)
        scheme = re.findall(r"https?(?=:?//?)", text[: len(text) - len(rest)], re.IGNORECASE)[-1]
        return Unread(text, Fault.SCHEME_TWICE, _corrected(f"{scheme.lower()}://{rest}"))
    host = _HOST_OF.match(text)
    if host and "," in host[1]:
        dotted = text.replace(host[1], host[1].replace(",", "."), 1)
        return Unread(text, Fault.COMMA, _corrected(dotted))
    if not host and (broken := _BROKEN_SCHEME.match(text)):
        scheme = broken[1].lower()
        corrected = _corrected(f"{scheme}://{text[broken.end() :]}")
        return Unread(text, Fault.SCHEME, corrected) if corrected else None
    if not host and "," in text and " " not in text:
        dotted = re.sub(r"^[^/?#]*", lambda m: m[0].replace(",", "."), text)
        if _is_bare(dotted):
            return Unread(text, Fault.COMMA, f"https://{dotted}")
    return None


def _tokens(line: str) -> list[str]:
    """The texts that begin as addresses do; commas and semicolons before another one separate."""
    tokens: list[str] = []
    for match in _TOKEN.findall(line):
        tokens += re.split(r"[,;|]+(?=https?:[/\\])", match, flags=re.IGNORECASE)
    return tokens


def _trim(token: str) -> str:
    """The address without punctuation of the text around it; brackets it opened itself stay."""
    while token and (
        token[-1] in _TRAILING
        or (token[-1] in _PAIRS and token.count(token[-1]) > token.count(_PAIRS[token[-1]]))
    ):
        token = token[:-1]
    return token


def _words_beside(line: str, tokens: list[str]) -> str:
    for token in tokens:
        line = line.replace(token, " ", 1)
    return " ".join(line.split()).strip(" ,;|<>()[]\"'“”*-–—\t")


def _unquote(text: str) -> str:
    for start, end in ('""', "''", "“”", "„“", "«»", "‘’", "``"):
        if len(text) >= 2 and text.startswith(start) and text.endswith(end):
            return text[1:-1].strip()
    return text


def _is_bare(text: str) -> bool:
    if not _BARE.fullmatch(text) or "@" in text.partition("/")[0]:
        return False
    host = re.split(r"[/?#:]", text.removeprefix("//"), maxsplit=1)[0]
    return host.rpartition(".")[2].lower() not in _FILES


def _valid(url: str) -> bool:
    return " " not in url and canonical(url) is not None


def _corrected(url: str) -> str:
    return url if _valid(url) else ""


def _none(text: str) -> Unread:
    return Unread(text, Fault.NO_ADDRESS)
