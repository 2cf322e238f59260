"""Guides that a crawl learns from its own pages, its words and its labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from apps.engine.intelligence.classifying.classifiers import select
from apps.engine.intelligence.cold_start.list_calibration import calibrate
from apps.engine.intelligence.cold_start.open_texts import Direction
from apps.engine.intelligence.cold_start.self_training import (
    TrainingTexts,
    given_texts,
    train,
    with_guesses,
)
from apps.engine.intelligence.cold_start.subject import Subject
from apps.engine.intelligence.cold_start.word_guide import WordGuide
from apps.engine.model import Floats, Longs, TokenRows

FOLDS = 5


@dataclass(frozen=True, slots=True)
class GuideTraining:
    """The training data of a subject's guide after some pages: their `texts`, and the `scores` by
    which the labels of the `unlabelled` ones are guessed."""

    subject: Subject
    query: Direction
    texts: TokenRows
    unlabelled: TokenRows
    scores: Floats

    def guide(self) -> WordGuide:
        """The guide of all that is given."""
        return self._guide_of(given_texts(self.subject))

    def unseen_deviations(self, labelled: Longs) -> Floats:
        """The deviations of judged pages, by index, each by a guide that has not seen it."""
        given, deviations = given_texts(self.subject), np.zeros(len(labelled))
        for fold in range(min(FOLDS, len(labelled))):
            unseen = labelled[fold::FOLDS]
            guide = self._guide_of(given.without(len(self.subject.words) + unseen))
            deviations[fold::FOLDS] = guide.deviations(select(self.subject.pages, unseen))
        return deviations

    def misfit(self, labelled: Longs) -> float:
        """−ln of the likelihood of some labels, by guides that have not seen them; the less, the
        better."""
        deviations, relevant = self.unseen_deviations(labelled), self.subject.relevant[labelled]
        odds = calibrate(deviations, relevant).log_odds(deviations)
        return float(np.logaddexp(0.0, odds).sum() - odds @ relevant)

    def _guide_of(self, given: TrainingTexts) -> WordGuide:
        lesson = with_guesses(given, self.unlabelled, self.scores)
        return WordGuide.over(self._guarded(train(lesson, self.query.meanings)), self.texts)

    def _guarded(self, learned: Direction) -> Direction:
        """The sum of the learned scores and of the words' scores, scaled to the same spread over
        the pages."""
        spread = float(self.query.scores(self.texts).std())
        share = float(learned.scores(self.texts).std()) / spread if spread else 1.0
        return learned.plus(self.query, share)
