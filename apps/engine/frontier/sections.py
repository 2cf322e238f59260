"""Divides a host into sections by the shape of its URLs alone.

Escapes count as the characters that they stand for: `%D0%B1` is a letter and no digit.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

MOST_SEGMENTS = 20
LONGEST_URL = 2000
DEEP_FOLDERS = 3
MOST_SLOTS = 8

_FOLLOWS_ITSELF = re.compile(r"((?:/[^/]+)+?)\1\1(?=/|$)")
_DIGIT = re.compile(r"\d")
_RUN = re.compile(r"[^\W_]+")
_ASCII_KINDS = bytes(
    ord("9" if chr(code).isdigit() else "a") if code < 128 and chr(code).isalnum() else code
    for code in range(256)
)
_LETTERS, _NINES, _BOTH = re.compile(b"aa+"), re.compile(b"99+"), re.compile(b"[a9]{2,}")
_MARK = re.compile(r"[^\W\d_]\d|\d[^\W\d_]|\d{6}")
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")


def with_kinds(part: str) -> str:
    """Part of a URL, of the same length, with an `a` for each character of an escaped letter, a `9`
    for one of an escaped digit and a `-` for one of anything else that is escaped."""
    return _with_kinds(part) if "%" in part else part


@lru_cache(maxsize=1024)
def _with_kinds(part: str) -> str:
    return _ESCAPES.sub(_kinds_of, part)


def _kinds_of(escapes: re.Match[str]) -> str:
    text = bytes.fromhex(escapes[0].replace("%", "")).decode("utf-8", "surrogateescape")
    return "".join(_kind_of_character(c) * (3 * len(_bytes_of(c))) for c in text)


def _kind_of_character(character: str) -> str:
    if character.isdecimal():
        return "9"
    is_letter = character.isalnum() or unicodedata.category(character) in ("Mn", "Mc", "Cs")
    return "a" if is_letter else "-"


def _bytes_of(character: str) -> bytes:
    return character.encode("utf-8", "surrogateescape")


def section_of(url: str) -> str:
    """The section of a canonical URL: its host and the folder of pages of its kind.

    The folder ends before the first path segment with a digit. Without one it ends before the last
    segment, or after the first if there are more than three. A page without a digit in its path
    that takes a query is its own section: `h.test/calendar/`, `h.test/shop?`, `h.test/loop/`.
    """
    page, asks, _ = url.partition("?")
    host, _, path = page.partition("://")[2].partition("/")
    if asks and _DIGIT.search(with_kinds(path)) is None:
        return f"{host}/{path}?"
    return f"{host}/{_folder(path)}"


def folder_of(url: str) -> str:
    """The path of the folder of pages of its kind, whatever the query."""
    return "/" + _folder(url.partition("?")[0].partition("://")[2].partition("/")[2])


def _folder(path: str) -> str:
    if (digit := _DIGIT.search(with_kinds(path))) is not None:
        return path[: path.rfind("/", 0, digit.start()) + 1]
    path = path.rstrip("/")
    end = path.find("/") if path.count("/") >= DEEP_FOLDERS else path.rfind("/")
    return path[: end + 1]


def below(url: str, section: str) -> str | None:
    """The rest of a URL after its section, or None if the URL is in another section."""
    return next(all_below((url,), section), None)


def all_below(urls: Iterable[str], section: str) -> Iterator[str]:
    """The rest of each URL that is in the section."""
    folder = "://" + section.removesuffix("?")
    end = len(folder)
    for url in urls:
        start = url.find("://")
        if url.startswith(folder, start):
            yield url[start + end :]


def shape_of(part: str) -> str:
    """Replaces each run of digits by `9`, of letters by `a`, and of both by `x`."""
    part = with_kinds(part)
    if not part.isascii():
        return _RUN.sub(_kind, part)
    kinds = part.encode("ascii").translate(_ASCII_KINDS)
    return _BOTH.sub(b"x", _NINES.sub(b"9", _LETTERS.sub(b"a", kinds))).decode("ascii")


def mixes(part: str) -> bool:
    """Whether the shape is `x`: one run of letters and digits."""
    part = with_kinds(part)
    return part.isalnum() and not part.isdigit() and _DIGIT.search(part) is not None


def _kind(run: re.Match[str]) -> str:
    text = run[0]
    if text.isdigit():
        return "9"
    return "x" if _DIGIT.search(text) else "a"


def is_endless(url: str) -> bool:
    """Whether a program that links ever deeper into itself must have generated the path.

    True if a part of it occurs three times in a row (`/a/b/a/b/a/b`), if it has more than 20
    segments, or the URL more than 2,000 characters: the bounds of the Heritrix and Nutch crawlers.
    """
    if len(url) > LONGEST_URL:
        return True
    if url.count("/") < 5:
        return False
    path = url.partition("?")[0].split("/", 3)[-1]
    if path.count("/") < MOST_SEGMENTS and _all_differ(path.rpartition("/")[0]):
        return False  # nothing occurs three times
    if path.strip("/").count("/") >= MOST_SEGMENTS:
        return True
    repeated = _FOLLOWS_ITSELF.search("/" + path)
    return repeated is not None and not repeated[1].replace("/", "").isdigit()


@lru_cache(maxsize=4096)
def _all_differ(folder: str) -> bool:
    """Whether no segment of a path occurs twice; most pages share their folder with others."""
    segments = folder.split("/")
    return len(set(segments)) == len(segments)


def slots(url: str) -> Iterator[tuple[str, str, str]]:
    """The slots of a URL that may hold a session id: (name, value, the URL without the value).

    Each parameter of the query counts for the whole host (`?visit`), for its folder (`/p/?visit`),
    and for its page if the path has no digit (`/p/sign-in?next`). Path segments that are neither
    plain words nor small numbers are named by the segments before them (`/s/#`).
    """
    page, _, query = url.partition("?")
    segments = page.split("/")
    if query:
        folder = folder_of(url)
        path = "/" + "/".join(segments[3:])
        is_single = path != folder and _DIGIT.search(with_kinds(path)) is None
        parameters = query.split("&")
        for i, parameter in enumerate(parameters[:MOST_SLOTS]):
            name, _, value = parameter.partition("=")
            rest = f"{page}?{'&'.join(parameters[:i] + parameters[i + 1 :])}"
            yield f"?{name}", value, rest
            yield f"{folder}?{name}", value, rest
            if is_single:
                yield f"{path}?{name}", value, rest
    before = ""
    for i, segment in enumerate(segments[3 : 3 + MOST_SLOTS], 3):
        kinds = with_kinds(segment)
        if _MARK.search(kinds):
            rest = "/".join([*segments[:i], "#", *segments[i + 1 :]])
            yield f"{before}/#", segment, f"{rest}?{query}"
        before += "/#" if _DIGIT.search(kinds) else f"/{segment}"
