"""The classes of a page in the topic's directory, as features of its links (AFC §2.2.3, §3.8)."""

from __future__ import annotations

import numpy as np

from apps.engine.intelligence.taxonomy import prefixes, topic_taxonomy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Ints, Visit

TOP = 3


class PageClasses:
    """The most likely classes of a page by number, with `above` also all classes above them.

    **Choice**: at most three ("some of the top-scoring classes"), each more likely than under a
    uniform distribution.
    """

    def __init__(
        self, topic: TopicModel, least: int = 1, most: int = 300, above: bool = True
    ) -> None:
        self._classifier = topic_taxonomy(topic, least, most)
        leaves = self._classifier.names
        named = [prefixes(leaf) if above else (leaf,) for leaf in leaves]
        names = sorted({name for classes in named for name in classes})
        number = {name: i for i, name in enumerate(names)}
        self._numbers = [np.array([number[name] for name in classes]) for classes in named]
        self._count = len(names)

    def __len__(self) -> int:
        return self._count

    def of(self, visit: Visit) -> Ints:
        """The numbers of the page's classes, ascending."""
        shares = self._classifier.probabilities(visit.page().ids)
        best = np.argsort(-shares, kind="stable")[:TOP]
        best = best[shares[best] >= 1 / len(shares)]
        numbers = np.unique(np.concatenate([self._numbers[leaf] for leaf in best]))
        return numbers.astype(np.int32)
