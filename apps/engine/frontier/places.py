"""What kind of place of its host an address names: told by the shape of the address alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

MOST_SEGMENTS = 20
LONGEST_URL = 2000
TOLD_APART = 3
_DEEP = "/…"
MOST_SLOTS = 8

# Begins only where a part begins: tried at every character, a long name would cost its square.
_NUMBERED = re.compile(r"(?<![^/.])[^/.\d]*+\d[^/.]*+")
_FOLLOWS_ITSELF = re.compile(r"((?:/[^/]+)+?)\1\1(?=/|$)")


def place_of(url: str) -> str:
    """The place of a canonical URL: its host, its path, and the name that begins its query.

    What holds a digit counts as `#`; of a path with more than three segments only the first tells:
    `h.test/calendar/#/#`, `h.test/shop?color`, `h.test/loop/…`.
    """
    page, _, query = url.partition("?")
    host, _, path = page.partition("://")[2].partition("/")
    path = _NUMBERED.sub("#", path)
    segments = path.strip("/").split("/")
    if len(segments) > TOLD_APART:
        return f"{host}/{segments[0]}{_DEEP}"
    name = _NUMBERED.sub("#", query.partition("=")[0].partition("&")[0])
    return f"{host}/{path}?{name}" if query else f"{host}/{path}"


def leads_on(page: str, place: str, link: str) -> bool:
    """Whether a link stays at its page's place, and where that is all of a tree, goes deeper.

    Without the second a series of short pages would count, such as the slides of a lecture or the
    leaves of a manual.
    """
    if place_of(link) != place:
        return False
    if not place.endswith(_DEEP):
        return True
    folder = page.partition("?")[0].rpartition("/")[0] + "/"
    return link.startswith(folder) and "/" in link[len(folder) :].partition("?")[0]


def is_endless(url: str) -> bool:
    """Whether a path is as only a program makes it that links ever deeper into itself.

    Part of it follows itself twice (`/a/b/a/b/a/b`), it has more than 20 segments, or the whole
    address more than 2,000 characters; the bounds are those of the Heritrix and Nutch crawlers.
    """
    if len(url) > LONGEST_URL:
        return True
    if url.count("/") < 5:
        return False
    path = url.partition("?")[0].partition("://")[2].partition("/")[2]
    if path.strip("/").count("/") >= MOST_SEGMENTS:
        return True
    found = _FOLLOWS_ITSELF.search("/" + path)
    return found is not None and not found[1].replace("/", "").isdigit()


def slots(url: str) -> Iterator[tuple[str, str, str]]:
    """Where a session's mark may stand: (name of the slot, its value, the URL without the value).

    The parameters of the query, and the segments of the path that hold a digit.
    """
    page, _, query = url.partition("?")
    if query:
        parameters = query.split("&")
        for i, parameter in enumerate(parameters[:MOST_SLOTS]):
            name, _, value = parameter.partition("=")
            rest = "&".join(parameters[:i] + parameters[i + 1 :])
            yield f"?{name}", value, f"{page}?{rest}"
    segments = page.split("/")
    for i, segment in enumerate(segments[3 : 3 + MOST_SLOTS], 3):
        if any(character.isdigit() for character in segment):
            rest = "/".join([*segments[:i], "#", *segments[i + 1 :]])
            yield f"/{i - 2}", segment, f"{rest}?{query}"
