"""A classifier that a crawl trains on its own pages, from the words that it began with."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.classifying.classifiers import select
from apps.engine.intelligence.cold_start.open_texts import Direction, matrix_of
from apps.engine.intelligence.cold_start.subject import Subject
from apps.engine.model import Floats, Longs, TokenRows
from apps.engine.representation.vectors.meanings import NO_MEANINGS, Meanings

COST = 0.3
TOP, LEAST_TOP = 0.15, 5
LIKELY, UNLIKELY = 0.3, 0.25
LABELLED = 2.0
SEED = 1


@dataclass(frozen=True, slots=True)
class TrainingTexts:
    """Texts to train on: a row, a label and a weight for each."""

    rows: TokenRows
    relevant: NDArray[np.bool_]
    weights: Floats

    def without(self, texts: Longs) -> TrainingTexts:
        """The lesson without some texts, by index."""
        rest = np.setdiff1d(np.arange(len(self.rows)), texts)
        return TrainingTexts(select(self.rows, rest), self.relevant[rest], self.weights[rest])


def given_texts(subject: Subject) -> TrainingTexts:
    """The words, of weight 1, the judged pages by their weights (those off the topic 1), and
    labelled pages of weight 2."""
    weights = np.where(subject.relevant, subject.page_weights(), 1.0)
    weights = np.where(subject.labelled, LABELLED, weights)
    return TrainingTexts(
        TokenRows.joined([subject.words, subject.pages]),
        np.append(np.ones(len(subject.words), np.bool_), subject.relevant),
        np.append(np.ones(len(subject.words)), weights),
    )


def guess_labels(scores: Floats) -> tuple[Longs, Longs]:
    """The pages, by index, that a guide takes for relevant and for irrelevant: the top 15 % (at
    least five), and the lower half. The others are left out."""
    order = np.lexsort((np.arange(len(scores)), -scores))
    top = min(max(LEAST_TOP, round(TOP * len(scores))), len(scores) // 2)
    return order[:top], order[len(scores) - len(scores) // 2 :]


def with_guesses(given: TrainingTexts, pages: TokenRows, scores: Floats) -> TrainingTexts:
    """The given texts and, of unlabelled pages, those that the guide takes for relevant, of weight
    .3, and for irrelevant, of weight .25."""
    likely, unlikely = guess_labels(scores)
    chosen = np.concatenate((likely, unlikely))
    return TrainingTexts(
        TokenRows.joined([given.rows, select(pages, chosen)]),
        np.concatenate((given.relevant, np.arange(len(chosen)) < len(likely))),
        np.concatenate(
            (given.weights, np.full(len(likely), LIKELY), np.full(len(unlikely), UNLIKELY))
        ),
    )


def train(lesson: TrainingTexts, meanings: Meanings = NO_MEANINGS) -> Direction:
    """The weights of a linear SVM, C = .3; the weights of each class are scaled to half the number
    of texts. Deterministic."""
    from sklearn.svm import LinearSVC

    weights = lesson.weights.copy()
    for side in (lesson.relevant, ~lesson.relevant):
        weights[side] *= len(weights) / 2 / weights[side].sum()
    model = LinearSVC(C=COST, random_state=SEED)
    texts = matrix_of(lesson.rows, meanings)
    model.fit(texts, lesson.relevant, sample_weight=weights)
    learned = np.asarray(model.coef_[0], np.float64)
    terms = texts.shape[1] - meanings.width
    return Direction(learned[:terms], learned[terms:], meanings)
