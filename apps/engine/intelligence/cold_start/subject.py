"""The subject of a topic whose examples are too few for a classifier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.classifying.classifiers import LEAST_EXAMPLES, select
from apps.engine.intelligence.cold_start.open_texts import Direction
from apps.engine.model import Floats, Longs, TokenRows
from apps.engine.representation.vectors.meanings import NO_MEANINGS, Meanings
from apps.engine.topics import Example

ENOUGH_YES, ENOUGH_NO = 20, 40
USUAL_MEAN, USUAL_SPREAD = 0.02, 0.04
"""The cosines of words with unrelated pages, until there are pages to measure them on."""
MEANING_MEAN, MEANING_SPREAD = 0.1, 0.1
"""The same of mean word vectors, in which unrelated texts are more alike."""
LEAST_OTHERS = 10
ALIKE = 0.3
"""The share of unjudged pages that are most like a topic, and so may be on it."""


def suffices(training: Sequence[Example]) -> bool:
    """Whether a classifier of these examples can guide a crawl from its start: two named pages on
    the topic and two off it; or, with labels of crawled pages, 20 and 40.

    Pages that nobody has judged do not count.
    """
    judged = [example for example in training if not example.is_unjudged]
    named = [example for example in judged if not example.from_crawl]
    return _has(named, LEAST_EXAMPLES, LEAST_EXAMPLES) or _has(judged, ENOUGH_YES, ENOUGH_NO)


def usual_cosines(meanings: Meanings) -> tuple[float, float]:
    """The mean and the spread of the cosines of words with unrelated texts, whose parts count by
    the squares of their lengths."""
    share = meanings.weight**2 / (1 + meanings.weight**2) if meanings.width else 0.0
    mean = (1 - share) * USUAL_MEAN + share * MEANING_MEAN
    return mean, (1 - share) * USUAL_SPREAD + share * MEANING_SPREAD


def most_like(query: Direction, texts: TokenRows) -> Longs:
    """The indices of the 30 % of some texts that are most like a topic, most of all first; texts
    that have nothing of it are not among them."""
    scores = query.scores(texts)
    order = np.lexsort((np.arange(len(scores)), -scores))[: round(ALIKE * len(scores))]
    return order[scores[order] > 0]


def _has(examples: Sequence[Example], positives: int, negatives: int) -> bool:
    relevant = sum(example.relevant for example in examples)
    return relevant >= positives and len(examples) - relevant >= negatives


@dataclass(frozen=True, slots=True)
class Subject:
    """The words of a topic, its judged pages and other texts.

    `words` are one or two texts: the description with the keywords, and the keywords alone.
    `pages` are the pages that a person has judged, by `urls`; `relevant` and `labelled` (in a crawl
    of the topic) have one entry for each. `others` are texts that nobody has judged. `meanings`
    are the word vectors that texts are read with.
    """

    words: TokenRows
    pages: TokenRows
    urls: tuple[str, ...]
    relevant: NDArray[np.bool_]
    labelled: NDArray[np.bool_]
    others: TokenRows
    meanings: Meanings = NO_MEANINGS

    def query(self) -> Direction:
        """Σ weight·row over the words, of weight 1 each, and the named pages on the topic."""
        named = np.flatnonzero(self.relevant & ~self.labelled)
        texts = TokenRows.joined([self.words, select(self.pages, named)])
        weights = np.append(np.ones(len(self.words)), self.page_weights()[named])
        return Direction.of_texts(texts, weights, self.meanings)

    def page_weights(self) -> Floats:
        """clip((z − 1)/2, 0, 1) of each page, for its cosine with the words in standard deviations
        z of other texts: an example that has nothing of the words is a front page or a mistake.
        Without words every page weighs 1."""
        if not len(self.words):
            return np.ones(len(self.pages))
        direction = Direction.of_texts(self.words, np.ones(len(self.words)), self.meanings)
        length = direction.length or 1.0
        mean, spread = usual_cosines(self.meanings)
        if len(self.others) >= LEAST_OTHERS:
            cosines = direction.scores(self.others) / length
            mean, spread = float(cosines.mean()), float(cosines.std()) or spread
        z = (direction.scores(self.pages) / length - mean) / spread
        return np.clip((z - 1) / 2, 0.0, 1.0)
