"""The out-links of a page: maps occurrences in the tag tree to distinct canonical targets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.engine.model import Ints, Links
from apps.engine.parsing.words import words_of_each
from apps.engine.urls import joiner

_NONE = np.empty(0, np.int32)
NO_LINKS = Links((), _NONE, _NONE, _NONE, (), np.empty(0, np.bool_), _NONE)


def resolve_links(
    hrefs: Sequence[str],
    nodes: Sequence[Any],
    starts: Ints,
    ends: Ints,
    visible: int,
    url: str,
    base_url: str,
    encoding: str = "utf-8",
) -> tuple[Links, list[str]]:
    """The links of the page `url`: occurrence j is `hrefs[j]` around its words from starts[j] to
    ends[j]; and the alt or title words of anchors without text, to follow its `visible` words.

    `encoding` is the page's encoding, in which queries are sent. Links to the page itself, to a
    fragment or to something other than a web page are left out.
    """
    spellings: dict[str, str] = {}
    join = joiner(base_url, spellings, encoding)
    target_of, numbers, occurrences = _targets(hrefs, url, join)
    if len(occurrences) < len(hrefs):
        nodes = [nodes[j] for j in occurrences]
        starts, ends = starts[occurrences], ends[occurrences]
    position = starts.copy()
    bare = (starts == ends).nonzero()[0]
    substitutes: list[str] = []
    if bare.size:
        substitutes, counts = words_of_each([substitute(nodes[j]) for j in bare.tolist()])
        ends[bare] = visible + np.cumsum(counts)
        starts[bare] = ends[bare] - counts
    target = np.array(numbers, np.int32)
    nofollow = _nofollow(nodes, target, len(target_of))
    links = Links(
        tuple(target_of), target, starts, ends, tuple(nodes), nofollow, position, spellings
    )
    return links, substitutes


def _targets(
    hrefs: Sequence[str], url: str, join: Callable[[str], str | None]
) -> tuple[dict[str, int], list[int], list[int]]:
    """Numbers the distinct targets; the occurrences with a target, and the target of each."""
    target_of: dict[str, int] = {}
    numbers, occurrences = [], []
    for j, href in enumerate(hrefs):
        target = None if href[:1] == "#" else join(href)
        if target is not None and target != url:
            numbers.append(target_of.setdefault(target, len(target_of)))
            occurrences.append(j)
    return target_of, numbers, occurrences


def substitute(node: Any) -> str:
    """A substitute for missing anchor text: the alt texts of its images, or else its title."""
    images = " ".join(image.get("alt") or "" for image in node.iter("img", "area"))
    return images if images.strip() else node.get("title") or ""


def _nofollow(nodes: Sequence[Any], target: Ints, targets: int) -> NDArray[np.bool_]:
    """Whether every occurrence is nofollow, for each target."""
    rels = [node.get("rel") for node in nodes]
    if not any(rels):  # as on most pages
        return np.zeros(targets, np.bool_)
    followed = [rel is None or "nofollow" not in rel.lower().split() for rel in rels]
    nofollow = np.ones(targets, np.bool_)
    nofollow[target[np.array(followed, np.bool_)]] = False
    return nofollow
