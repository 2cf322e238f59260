"""The beginning of a crawl whose topic has words but too few examples for a classifier."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, get_args

import numpy as np

from apps.engine.intelligence.classifying.calibration import Sigmoid
from apps.engine.intelligence.classifying.classifiers import select
from apps.engine.intelligence.cold_start.end_scores import end_scores
from apps.engine.intelligence.cold_start.guide_training import GuideTraining
from apps.engine.intelligence.cold_start.list_calibration import calibrate
from apps.engine.intelligence.cold_start.page_readings import PageReading, PageReadings
from apps.engine.intelligence.cold_start.subject import Subject
from apps.engine.intelligence.cold_start.word_guide import OFFSET, SLOPE, WordGuide
from apps.engine.intelligence.flat_state import joined, part_of
from apps.engine.model import Floats, TokenRows

FIRST_LESSON = 50
STEPS = (10, 20, 30, 40, FIRST_LESSON, 100, 150, 200, 300, 400)
GROWTH = 1.25
LEAST_PAGES = 10
"""From fewer unlabelled pages nothing is learned."""

VECTOR_WEIGHTS = (1.0, 0.5, 0.0)
"""How much word vectors may count beside terms; the first counts until the labels choose."""
CHOOSING_LABELS, OF_EACH = 10, 2
"""The labels that choose, and how many of them at least must be on the topic, and off it."""

Basis = Literal["words", "self_taught", "examples", "words_and_vectors", "self_taught_and_vectors"]
"""What guides a crawl: the topic's words, these with what it taught itself, or examples; the first
two also with word vectors."""
BASES: tuple[Basis, ...] = get_args(Basis)


def next_step(pages: int) -> int:
    """The number of pages at which the guide is renewed after it was at `pages`."""
    later = [step for step in STEPS if step > pages]
    return later[0] if later else int(np.ceil(GROWTH * pages))


class ColdStart:
    """The guide of such a crawl, renewed at pages 10, 20, 30 and 40, at 50, 100, 150, 200, 300 and
    400, and then whenever the crawl has grown by a quarter.

    Until page 50 the guide is the sum of the topic's words and named pages, b. From then on it is a
    linear SVM, plus b scaled to the same spread. The SVM learns from the pages that the guide
    before it took for relevant or irrelevant; b keeps a guide that errs from drifting away from the
    words. Labels are examples as well, but they scale only the chances shown in a list
    (`list_chance`), never the guide, by whose odds links are followed.

    With word vectors a text is read as [terms ; v·mean vector], v = 1. Labels choose v once, as
    soon as there are ten, at least two of them on the topic and two off it: 1, .5 or 0, by which
    guides that have not seen them foretell them best. A query for a kind of page, such as course
    pages, is better without. Labels of one kind say nothing of it: of pages that are all off the
    topic those guides foretell most that see the least of the topic in them.
    """

    of_texts = None
    """It learns while it crawls, so that what it says of a page is not remembered."""

    def __init__(self, subject: Subject) -> None:
        self.pages = PageReadings()
        self._read_with(subject, VECTOR_WEIGHTS[0])
        self.is_chosen_ = subject.meanings.vectors is None
        self.guide_ = WordGuide.at_start(self._query, TokenRows.of([]))
        self.list_ = Sigmoid(SLOPE, OFFSET)
        self.renewed_at_, self.is_taught_ = 0, False
        self._labels = _label_key(subject)
        self._learned = self._labels

    @property
    def basis(self) -> Basis:
        """The evidence on which the guide is based."""
        if self.subject.meanings.width:
            return "self_taught_and_vectors" if self.is_taught_ else "words_and_vectors"
        return "self_taught" if self.is_taught_ else "words"

    def log_odds(self, rows: TokenRows) -> Floats:
        """The guide's log-odds of each text, in [−6, 6]."""
        return self.guide_.log_odds(rows)

    def list_chance(self, page: TokenRows) -> float:
        """The chance that a page is on the topic, as a list should show it."""
        return float(self.list_(self.guide_.deviations(page))[0])

    def chances_at_end(self) -> dict[int, float]:
        """The chance of each page that judges, by its URL number, by all that is known now; none
        before it has taught itself."""
        if not self.is_taught_:
            return {}
        pages, texts = [page for page in self.pages if page.judges], self.pages.texts()
        scores = end_scores(self.subject, self.guide_.deviations(texts), pages, texts)
        numbers = (page.number for page in pages)
        return dict(zip(numbers, self.list_(scores).tolist(), strict=True))

    def remember(self, page: PageReading) -> None:
        """Adds a page to learn from."""
        self.pages.add(page)

    def is_due(self, pages: int) -> bool:
        """Whether the guide must be renewed after so many pages: it is time, or there are other
        labels."""
        return pages >= next_step(self.renewed_at_) or self._learned != self._labels

    def renew(self, pages: int) -> None:
        """Renews the guide after so many pages of the crawl."""
        texts = self.pages.texts()
        unlabelled = self._unlabelled(texts)
        self.is_taught_ = pages >= FIRST_LESSON and len(unlabelled) >= LEAST_PAGES
        if self.is_taught_:
            scores = self.guide_.direction.scores(unlabelled)
            if self._choose_weight(texts, unlabelled):
                scores = self._query.scores(unlabelled)
            self._teach(GuideTraining(self.subject, self._query, texts, unlabelled, scores))
        else:
            self.guide_ = WordGuide.at_start(self._query, texts)
        self.renewed_at_, self._learned = pages, self._labels

    def _read_with(self, subject: Subject, weight: float) -> None:
        """Reads texts with the subject's word vectors of that weight."""
        self.subject = replace(subject, meanings=subject.meanings.at(weight))
        self._query = self.subject.query()

    def _choose_weight(self, texts: TokenRows, unlabelled: TokenRows) -> bool:
        """Chooses the weight of word vectors by the labels, once there are enough of both kinds;
        returns whether the weight changed."""
        labelled = np.flatnonzero(self.subject.labelled)
        on = int(self.subject.relevant[labelled].sum())
        fewest = min(on, len(labelled) - on)
        if self.is_chosen_ or len(labelled) < CHOOSING_LABELS or fewest < OF_EACH:
            return False
        before, misfits = self.subject.meanings.weight, {}
        for weight in VECTOR_WEIGHTS:
            self._read_with(self.subject, weight)
            scores = self._query.scores(unlabelled)
            training = GuideTraining(self.subject, self._query, texts, unlabelled, scores)
            misfits[weight] = training.misfit(labelled)
        self._read_with(self.subject, min(VECTOR_WEIGHTS, key=lambda weight: misfits[weight]))
        self.is_chosen_ = True
        return self.subject.meanings.weight != before

    def _unlabelled(self, texts: TokenRows) -> TokenRows:
        labelled = set(self.subject.urls)
        free = [i for i, url in enumerate(self.pages.urls()) if url not in labelled]
        return select(texts, np.array(free, np.int64))

    def _teach(self, training: GuideTraining) -> None:
        """Learns the guide, and the list's chances from guides that have not seen the labels."""
        self.guide_ = training.guide()
        labelled = np.flatnonzero(self.subject.labelled)
        deviations = training.unseen_deviations(labelled)
        self.list_ = calibrate(deviations, self.subject.relevant[labelled])

    def state(self) -> dict[str, Any]:
        return {
            **joined({"guide": self.guide_.state(), "pages": self.pages.state()}),
            "list": [self.list_.slope, self.list_.intercept],
            "renewed_at": self.renewed_at_,
            "is_taught": self.is_taught_,
            "learned": self._learned,
            **self._vector_state(),
        }

    def _vector_state(self) -> dict[str, Any]:
        meanings = self.subject.meanings
        if meanings.vectors is None:
            return {}
        return {"vector_weight": meanings.weight, "is_chosen": self.is_chosen_}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned. If that was of other labels, renewal is due."""
        if "vector_weight" in state:
            self._read_with(self.subject, float(state["vector_weight"]))
            self.is_chosen_ = bool(state["is_chosen"])
        self.guide_ = WordGuide.of_state(part_of(state, "guide"), self.subject.meanings)
        self.pages.restore(part_of(state, "pages"))
        self.list_ = Sigmoid(*state["list"])
        self.renewed_at_, self._learned = int(state["renewed_at"]), list(state["learned"])
        self.is_taught_ = bool(state["is_taught"])


def _label_key(subject: Subject) -> list[str]:
    """The judged pages, each with its label."""
    pairs = zip(subject.urls, subject.relevant.tolist(), strict=True)
    return [f"{int(relevant)} {url}" for url, relevant in pairs]
