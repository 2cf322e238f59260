"""Scoring texts of a page by a classifier trained on whole pages."""

from __future__ import annotations

from apps.engine.intelligence.classifiers import TextClassifier
from apps.engine.model import Floats, Spans, Visit


def page_probability(classifier: TextClassifier, visit: Visit) -> float:
    """P(c|u) of the page's whole text."""
    return float(classifier.probabilities(visit.page())[0])


def link_probabilities(classifier: TextClassifier, visit: Visit, contexts: Spans) -> Floats:
    """P(c|context) of each distinct target of the page's links.

    `contexts` has one row an occurrence; of a target's occurrences the best counts (**Choice**).
    An empty context gets what the classifier gives an empty text.
    """
    return visit.links.best(classifier.probabilities(visit.rows(contexts)))
