"""Which categories become topics, and the parts their pages are split into (LC §5, SL §5.1, AFC
§3.5).

A draw depends on the seed and the URL alone, so it repeats in any order of the file and beside any
other entries.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from heapq import nsmallest
from typing import Literal

Protocol = Literal["lc", "sl", "slc", "afc"]
Scope = Literal["own", "subtree"]

LEFT_OUT = ("Regional", "International", "World", "Adult")
"""Words that exclude a category (LC §5: similar categories, spam, other languages)."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A paper's way to split a category.

    `size` is the size of each drawn part in URLs; `least` maps it to the fewest URLs a category
    must have. `minimum`, `scope` and `words` are the paper's filter: a category whose path has one
    of these words is left out.
    """

    id: Protocol
    title: str
    paper: str
    size: int
    minimum: int
    scope: Scope
    negatives_per_positive: int
    sentence: str
    words: tuple[str, ...] = LEFT_OUT

    def least(self, size: int) -> int:
        """The fewest URLs that leave no part empty."""
        return {"sl": 2 * size, "afc": 2}.get(self.id, size + 1)


RULES: tuple[Rule, ...] = (
    Rule(
        "lc",
        "Link contexts",
        "LC §5",
        20,
        40,
        "own",
        2,
        "{size} URLs are seeds and positive examples, the rest are targets.",
    ),
    Rule(
        "sl",
        "Status locality",
        "SL §5.1",
        250,
        500,
        "subtree",
        1,
        "{size} URLs are seeds and positive examples, {size} others are for the judge; no targets.",
        words=(),
    ),
    Rule(
        "slc",
        "Selective link-context",
        "SLC §5.2",
        100,
        101,
        "own",
        2,
        "{size} URLs only start the crawl, the rest train the classifier; no targets.",
    ),
    Rule(
        "afc",
        "Focused crawling",
        "AFC §3.5",
        300,
        300,
        "own",
        2,
        "All URLs, at most {size}, are seeds and positive examples; no targets.",
        words=(),
    ),
)


def rule(id: str) -> Rule:
    """The rule of that id. Raises KeyError."""
    rules: dict[str, Rule] = {rule.id: rule for rule in RULES}
    return rules[id]


@dataclass(frozen=True, slots=True)
class Split:
    """The URLs of one category by part, in the order drawn."""

    seeds: tuple[str, ...]
    positives: tuple[str, ...]
    evaluation: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()


def split(urls: Iterable[str], how: Rule, size: int, seed: int) -> Split:
    """A category's URLs, split by a paper's protocol (LC §6, SL §5.1, SLC §5.2, AFC
    §3.5).

    Raises ValueError for fewer than `how.least(size)` URLs.
    """
    drawn = drawn_order(set(urls), seed)
    if len(drawn) < how.least(size):
        raise ValueError(f"{len(drawn)} URLs, {how.least(size)} are needed")
    first, rest = tuple(drawn[:size]), tuple(drawn[size:])
    if how.id == "lc":
        return Split(first, first, targets=rest)
    if how.id == "afc":
        return Split(first, first)
    if how.id == "sl":
        return Split(first, first, evaluation=rest[:size])
    return Split(first, rest)


def drawn_order(names: Collection[str], seed: int, most: int | None = None) -> list[str]:
    """The names, or the first `most`, in an order drawn by the seed, the same in every process."""
    lots = zip(_lots(names, seed), names, strict=True)
    return [name for _, name in (sorted(lots) if most is None else nsmallest(most, lots))]


def left_out(path: str, words: Collection[str]) -> bool:
    """Whether a part of the category's path is one of the words, whatever its case.

    Plural and singular are the same: LC names `Adults`, the directory `Adult`.
    """
    stems = {word.lower().removesuffix("s") for word in re.split(r"[^\w]|_", path) if word}
    return not stems.isdisjoint(word.lower().removesuffix("s") for word in words)


def _lots(names: Collection[str], seed: int) -> Iterator[bytes]:
    begun = hashlib.blake2b(f"{seed} ".encode(), digest_size=16)
    for name in names:
        lot = begun.copy()
        lot.update(name.encode())
        yield lot.digest()
