"""How likely the pages of a crawl are on its topic, by all that is known at its end.

While a crawl runs, its guide judges a page by the page's own text, as it is then. At the end there
are the answers of persons, and the pages that link to it or that it links to.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from apps.engine.intelligence.cold_start.page_readings import PageReading
from apps.engine.intelligence.cold_start.self_training import given_texts, train
from apps.engine.intelligence.cold_start.subject import Subject
from apps.engine.model import Floats, TokenRows

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

LEAST, MOST = -2.0, 3.0
"""A neighbour counts within these bounds, in standard deviations."""
YES, NO = 3.0, -1.5
"""A neighbour with a label counts as this."""
LABELS = 10
"""With fewer labels the guide alone orders the pages."""


def end_scores(
    subject: Subject, deviations: Floats, pages: Sequence[PageReading], texts: TokenRows
) -> Floats:
    """A score for each page, in standard deviations: the guide's `deviations` or, from ten labels
    on, the sum of its own score and the mean score of the pages that link to it or that it links
    to. A page's own score adds, each with the spread 1, the guide's and that of a linear SVM of the
    topic's words and the judged pages alone.

    **Choice**: of some thirty sums on wikispeedia, each with forty labels, this was among the best
    and is the simplest (docs/effectiveness.md).
    """
    if subject.labelled.sum() < LABELS or subject.relevant.all():
        return deviations
    taught = train(given_texts(subject), subject.meanings).scores(texts)
    own = standardise(standardise(deviations) + standardise(taught))
    return standardise(own + _mean_of_neighbours(pages, _as_neighbours(subject, own, pages)))


def standardise(scores: Floats) -> Floats:
    """The scores with mean 0 and spread 1; all 0 where they are equal."""
    scaled: Floats = (scores - scores.mean()) / (float(scores.std()) or 1.0)
    return scaled


def _as_neighbours(subject: Subject, own: Floats, pages: Sequence[PageReading]) -> Floats:
    """What each page says of those beside it: its label if it has one, else its own score."""
    labels = {
        url: YES if relevant else NO
        for url, relevant, labelled in zip(
            subject.urls, subject.relevant.tolist(), subject.labelled.tolist(), strict=True
        )
        if labelled
    }
    bounded = np.clip(own, LEAST, MOST).tolist()
    return np.array([labels.get(page.url, b) for page, b in zip(pages, bounded, strict=True)])


def _mean_of_neighbours(pages: Sequence[PageReading], scores: Floats) -> Floats:
    """The mean score of the pages that each page is linked with, in either direction; 0 without
    any."""
    links = _links_between(pages)
    number = np.asarray(links.sum(axis=1)).ravel()
    means: Floats = (links @ scores) / np.maximum(number, 1)
    return means


def _links_between(pages: Sequence[PageReading]) -> csr_matrix:
    """Pages × pages: 1 where one of the two links to the other."""
    from scipy.sparse import csr_matrix

    index = {page.number: i for i, page in enumerate(pages)}
    pairs = {
        pair
        for i, page in enumerate(pages)
        for j in [index[n] for n in page.targets.tolist() if n in index]
        if i != j
        for pair in ((i, j), (j, i))
    }
    row, column = np.array(sorted(pairs), np.int64).reshape(-1, 2).T
    return csr_matrix((np.ones(len(row)), (row, column)), (len(pages), len(pages)))
