"""Scores the texts of a page by a classifier trained on whole pages."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate

from apps.engine.intelligence.classifying.classifiers import TextClassifier
from apps.engine.model import Floats, Spans, TokenRows, Visit


def page_probability(classifier: TextClassifier, visit: Visit) -> float:
    """P(c|u) of the page's whole text."""
    return classifier.of_pages.recall(
        visit.document.key, lambda: float(classifier.probabilities(visit.page())[0])
    )


def link_probabilities(classifier: TextClassifier, visit: Visit, contexts: Spans) -> Floats:
    """P(c|context) of each distinct target of the page's links.

    `contexts` has one row per occurrence; the best occurrence of a target counts (**Choice**). An
    empty context gets the classifier's score of an empty text.
    """
    return visit.links.best(classifier.probabilities(visit.rows(contexts)))


def score_blocks(score: Callable[[TokenRows], Floats], *texts: TokenRows) -> list[Floats]:
    """The scores of several blocks of texts, in one call, which costs less than one by one."""
    scores = score(TokenRows.joined(texts))
    ends = list(accumulate(map(len, texts)))
    return [scores[start:end] for start, end in zip([0, *ends], ends, strict=False)]
