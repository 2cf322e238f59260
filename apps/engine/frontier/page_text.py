"""What a page says beside its own address, by which the pages of one place are compared.

A program that makes addresses up repeats them on its pages: the year of a calendar, the mark of a
page that is not there. Such words say nothing, while the numbers of a table do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from apps.engine.frontier.places import below, place_of, shape_of

MOST_LINKS = 200
DEEP = 5

_RUN = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class PageText:
    """A page's `place`, the `shape` of its address below it, its distinct `words`, and the `mark`
    of these.

    Words that its address, or an address of the same place on it, makes up are left out.
    """

    url: str
    place: str
    shape: str
    words: frozenset[str]
    mark: int


def page_text(url: str, words: Sequence[str], links: Sequence[str]) -> PageText:
    """The text of a page with these visible `words` (lower case) and links (canonical URLs)."""
    place = place_of(url)
    made_up = _made_up(url, place, links)
    kept = [word for word in words if word not in made_up and word.lstrip("0") not in made_up]
    shape = shape_of(below(url, place) or "")
    distinct = frozenset(kept)
    return PageText(url, place, shape, distinct, mark_of(" ".join(sorted(distinct))))


def mark_of(text: str) -> int:
    """64 bits that tell texts apart."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")


def _made_up(url: str, place: str, links: Sequence[str]) -> frozenset[str]:
    """The words of addresses that a program makes up, without leading zeros.

    All that hold a digit; where most neighbours' last parts mix letters and digits, the last parts
    that hold none by chance; and deep in a tree that only leads deeper, all of its names.
    """
    own = below(url, place) or ""
    others = [part for link in links[:MOST_LINKS] if (part := below(link, place)) is not None]
    found = _words(" ".join((own, *others)))
    kept = {_bare(word) for word in found if not word.isalpha()}
    leaves = [part.rstrip("/").rpartition("/")[2] for part in others if part != own]
    if 2 * sum(shape_of(leaf) == "x" for leaf in leaves) > len(leaves):
        kept.update(leaf.lower() for leaf in leaves)
    if url.count("/") - 3 >= DEEP and _only_leads_deeper(url, links):
        kept.update(found)
    return frozenset(kept)


def _only_leads_deeper(url: str, links: Sequence[str]) -> bool:
    """Whether a folder's links lead to folders in it, or back to those it lies in."""
    folder = url.partition("?")[0].rpartition("/")[0] + "/"
    inside = [link for link in links if link.startswith(folder) and len(link) > len(folder)]
    return bool(inside) and all(
        link.startswith(folder) or folder.startswith(link)
        for link in links[:MOST_LINKS]
        if place_of(link) == place_of(url)
    )


def _bare(word: str) -> str:
    """A number without leading zeros, as a month stands in an address with and without."""
    return word.lstrip("0") or word


def _words(text: str) -> list[str]:
    return [run.lower() for run in _RUN.findall(text)]
