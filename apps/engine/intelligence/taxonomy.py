"""A topic directory pruned to leaves with enough pages, and naive Bayes over them (AFC §3.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from types import MappingProxyType

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
    names = [name]
    while names[-1] != "/":
        names.append(parent(names[-1]))
    return tuple(reversed(names))


def at_or_below(name: str, above: str) -> bool:
    """Whether a class is `above` or one of its descendants."""
    return above in prefixes(name)


def merge(sizes: Mapping[str, int], least: int, keep: str = "/") -> dict[str, str]:
    """The class that takes the pages of each class of a directory (AFC §3.1, steps 1 to 3).

    From the bottom up, a leaf with fewer than `least` pages is merged into its parent; the class
    `keep` never is. `sizes` has the pages of each class without those of its descendants.
    """
    pages = {**{above: 0 for name in sizes for above in prefixes(name)}, **sizes}
    children = Counter(parent(name) for name in pages if name != "/")
    bottom_up = sorted(pages, key=lambda name: (-len(prefixes(name)), name))
    merged = set()
    for name in bottom_up:
        if name not in ("/", keep) and pages[name] < least and not children[name]:
            pages[parent(name)] += pages[name]
            children[parent(name)] -= 1
            merged.add(name)
    into: dict[str, str] = {}
    for name in reversed(bottom_up):
        into[name] = into[parent(name)] if name in merged else name
    return {name: into[name] for name in sizes}


def prune(
    classes: Sequence[str],
    least: int,
    most: int,
    seed: int,
    sizes: Mapping[str, int] = MappingProxyType({}),
) -> Pages:
    """The leaves of a directory, each with the numbers of its pages (AFC §3.1).

    `classes` has one name per page; `sizes` are the directory's own counts, by default those of
    `classes`. Leaves smaller than `least` are merged first. The pages that an inner class then has
    become its leaf `Other`. Leaves with more than `most` pages are sampled down.
    """
    into = merge(Counter(classes) | Counter(sizes), least)
    pages_of: Pages = {above: [] for name in into.values() for above in prefixes(name)}
    for page, name in enumerate(classes):
        pages_of[into[name]].append(page)
    return _sampled(_leaves(pages_of), most, seed)


def _leaves(pages_of: Pages) -> Pages:
    """The non-empty leaves, with the own pages of inner classes as leaves `Other`."""
    inner = {parent(name) for name in pages_of if name != "/"}
    leaves: Pages = {}
    for name, pages in pages_of.items():
        if pages:
            leaf = f"{name.rstrip('/')}/{OTHER}" if name in inner else name
            leaves[leaf] = sorted([*leaves.get(leaf, ()), *pages])
    return leaves


def _sampled(leaves: Pages, most: int, seed: int) -> Pages:
    chance = np.random.default_rng(seed)
    return {
        name: pages
        if len(pages) <= most
        else sorted(chance.choice(pages, most, replace=False).tolist())
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
        occurs = counts.sum(axis=0) > 0
        total = counts.sum(axis=1, keepdims=True) + occurs.sum()
        weights = np.where(occurs, np.log1p(counts) - np.log(total), 0.0)
        self._weights = np.vstack([weights.T, np.zeros((1, len(leaves)))]).astype(np.float32)
        sizes = np.array([len(pages) for pages in leaves.values()], np.float64)
        self._prior = np.log(sizes / sizes.sum())

    def probabilities(self, text: Ints) -> Floats:
        """P(leaf|text) of each leaf; terms of no example are ignored."""
        entries = occurrences(TokenRows.of([text]))
        rows = self._weights.take(entries.column, axis=0, mode="clip")
        logs = self._prior + entries.count @ rows
        chances = np.exp(logs - logs.max())
        share: Floats = chances / chances.sum()
        return share

    def within(self, name: str) -> Ints:
        """The indices of the leaves at or below a class."""
        return np.array([i for i, n in enumerate(self.names) if at_or_below(n, name)], np.int32)


def topic_taxonomy(topic: TopicModel, least: int, most: int) -> TaxonomyClassifier:
    """Naive Bayes over the topic's pruned directory. Raises NeedsMissing if that is not possible.

    Pruned by the directory's own counts, as AFC §3.1 does before it samples. **Choice**: if the
    topic's own class with its descendants has fewer than `least` pages, their number replaces
    `least`; otherwise an analyst's 20 pages would be pruned. No class keeps more pages than were
    drawn of each, so that classes that were merged do not outweigh the others.
    """
    taxonomy = topic.topic.taxonomy
    if taxonomy is None:
        raise NeedsMissing(Need.TAXONOMY, "needs a directory of topics with pages")
    classes = [name for name, _ in taxonomy.pages]
    sizes = Counter(classes) | Counter(taxonomy.sizes)
    of_focus = sum(size for name, size in sizes.items() if at_or_below(name, taxonomy.focus))
    least = max(1, min(least, of_focus))
    leaves = prune(classes, least, min(most, taxonomy.drawn or most), topic.seed, sizes)
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
