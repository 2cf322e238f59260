"""A topic directory pruned to leaves with enough pages, and naive Bayes over them (AFC §3.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from apps.engine.codes import Need
from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Ints, TokenRows
from apps.engine.representation.weightings.base import occurrences

OTHER = "Other"
Pages = dict[str, list[int]]


def parent(name: str) -> str:
    """The parent class; that of a top-level class and of `/` is `/`."""
    return name.rsplit("/", 1)[0] or "/"


def prefixes(name: str) -> tuple[str, ...]:
    """The class and all its ancestors, from `/` down."""
    found = [name]
    while found[-1] != "/":
        found.append(parent(found[-1]))
    return tuple(reversed(found))


def at_or_below(name: str, above: str) -> bool:
    """Whether a class is `above` or one of its descendants."""
    return above in prefixes(name)


def prune(classes: Sequence[str], least: int, most: int, seed: int) -> Pages:
    """The leaves of a directory, each with the numbers of its pages (AFC §3.1).

    `classes` has one name per page. From the bottom up, a leaf with fewer than `least` pages is
    merged into its parent. The pages that an inner class then has become its leaf `Other`. Leaves
    with more than `most` pages are sampled down.
    """
    own: Pages = {}
    for page, name in enumerate(classes):
        for above in prefixes(name):
            own.setdefault(above, [])
        own[name].append(page)
    children = Counter(parent(name) for name in own if name != "/")
    for name in sorted(own, key=lambda name: (-len(prefixes(name)), name)):
        if name != "/" and len(own[name]) < least and not children[name]:
            own[parent(name)] += own.pop(name)
            children[parent(name)] -= 1
    return _sampled(_leaves(own), most, seed)


def _leaves(own: Pages) -> Pages:
    """The non-empty leaves, with the own pages of inner classes as leaves `Other`."""
    inner = {parent(name) for name in own if name != "/"}
    leaves: Pages = {}
    for name, pages in own.items():
        if pages:
            leaf = f"{name.rstrip('/')}/{OTHER}" if name in inner else name
            leaves[leaf] = sorted([*leaves.get(leaf, ()), *pages])
    return leaves


def _sampled(leaves: Pages, most: int, seed: int) -> Pages:
    chance = np.random.default_rng(seed)
    return {
        name: pages if len(pages) <= most else sorted(
            chance.choice(pages, most, replace=False).tolist())
        for name, pages in sorted(leaves.items())
    }


class TaxonomyClassifier:
    """Multinomial naive Bayes with add-one smoothing over the leaves of a pruned directory.

    `names` are the leaves. Memory: 4 bytes per leaf and term.
    """

    def __init__(self, rows: TokenRows, leaves: Mapping[str, Sequence[int]]) -> None:
        self.names = tuple(leaves)
        terms = int(rows.ids.max(initial=-1)) + 1
        counts = np.zeros((len(leaves), terms))
        for leaf, pages in enumerate(leaves.values()):
            for page in pages:
                np.add.at(counts[leaf], rows.row(page), 1)
        known = counts.sum(axis=0) > 0
        total = counts.sum(axis=1, keepdims=True) + known.sum()
        weights = np.where(known, np.log1p(counts) - np.log(total), 0.0)
        self._weights = np.vstack([weights.T, np.zeros((1, len(leaves)))]).astype(np.float32)
        sizes = np.array([len(pages) for pages in leaves.values()], np.float64)
        self._prior = np.log(sizes / sizes.sum())

    def probabilities(self, text: Ints) -> Floats:
        """P(leaf|text) of each leaf; terms of no example are ignored."""
        found = occurrences(TokenRows.of([text]))
        rows = self._weights.take(found.column, axis=0, mode="clip")
        logs = self._prior + found.count @ rows
        chances = np.exp(logs - logs.max())
        share: Floats = chances / chances.sum()
        return share

    def within(self, name: str) -> Ints:
        """The indices of the leaves at or below a class."""
        return np.array([i for i, n in enumerate(self.names) if at_or_below(n, name)], np.int32)


def topic_taxonomy(topic: TopicModel, least: int, most: int) -> TaxonomyClassifier:
    """Naive Bayes over the topic's pruned directory. Raises NeedsMissing if that is not possible.

    **Choice**: if the topic's own class with its descendants has fewer than `least` pages, their
    number replaces `least`; otherwise an analyst's 20 pages would be pruned.
    """
    taxonomy = topic.topic.taxonomy
    if taxonomy is None:
        raise NeedsMissing(Need.TAXONOMY, "needs a directory of topics with pages")
    own = sum(at_or_below(name, taxonomy.focus) for name, _ in taxonomy.pages)
    least = max(1, min(least, own))
    leaves = prune([name for name, _ in taxonomy.pages], least, most, topic.seed)
    if len(leaves) < 2:
        raise NeedsMissing(Need.TAXONOMY, f"fewer than two classes keep {_pages(least)}")
    rows = TokenRows.of([topic.tokens(document) for _, document in taxonomy.pages])
    classifier = TaxonomyClassifier(rows, leaves)
    if not classifier.within(taxonomy.focus).size:
        raise NeedsMissing(
            Need.TAXONOMY, f"the class {taxonomy.focus} has fewer than {_pages(least)}"
        )
    return classifier


def _pages(number: int) -> str:
    return "1 page" if number == 1 else f"{number} pages"
