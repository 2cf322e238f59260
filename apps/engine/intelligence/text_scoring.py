"""Scores the texts of a page by a classifier trained on whole pages."""

from __future__ import annotations

from apps.engine.intelligence.classifiers import TextClassifier
from apps.engine.model import Floats, Spans, Visit


def page_probability(classifier: TextClassifier, visit: Visit) -> float:
    """P(c|u) of the page's whole text."""
    return float(classifier.probabilities(visit.page())[0])


def link_probabilities(classifier: TextClassifier, visit: Visit, contexts: Spans) -> Floats:
    """P(c|context) of each distinct target of the page's links.

    `contexts` has one row per occurrence; the best occurrence of a target counts (**Choice**). An
    empty context gets the classifier's score of an empty text.
    """
    return visit.links.best(classifier.probabilities(visit.rows(contexts)))
