"""How well a page fits the words of a draft and the answers given so far.

A text is (0.5 + 0.5·tf/max tf) of its stems, L2-normalised, as the learner reads a topic that
begins with words (`engine.intelligence.cold_start`). The words count for, those of `rather_not`
against; once there is a yes and a no, so does the difference between both means. The answers also
show how much a score is worth, as labels do for the list of a crawl.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from apps.begin.page_words import stem, stem_counts, stems_in
from apps.engine.intelligence.classifying.calibration import Sigmoid, logistic
from apps.engine.intelligence.cold_start.list_calibration import calibrate
from apps.engine.intelligence.cold_start.subject import USUAL_MEAN, USUAL_SPREAD

WEIGHT_OF_ANSWERS = 0.5
FOLDS = 5
ASSUMED = 10
"""As many answers the usual slope and offset count for, where the surest chance is concerned."""

Vector = Mapping[str, float]
Answered = tuple[Vector, bool]
"""A page's vector, and whether it is meant."""


@dataclass(frozen=True, slots=True)
class PageTerms:
    """The words of a page with their counts, and its language."""

    terms: Mapping[str, int]
    language: str


@dataclass(frozen=True, slots=True)
class Wish:
    """The query: `sentence` is the part of the sentence that asks for pages, `words` are the
    person's."""

    sentence: str
    words: Sequence[str]
    rather_not: Sequence[str]
    languages: Sequence[str]


@dataclass(frozen=True, slots=True)
class Fitting:
    """The weight of each stem: of the words, and as learned from `answers` pages; `odds` turns a
    score, in usual standard deviations, into a chance."""

    by_words: Vector
    learned: Vector
    odds: Sigmoid
    answers: int

    @classmethod
    def of(cls, wish: Wish, yes: Iterable[PageTerms], no: Iterable[PageTerms]) -> Fitting:
        """Weights from the wish and the answered pages."""
        by_words = _weigh_wish(wish)
        answered = [(_vector(text), True) for text in yes] + [(_vector(text), False) for text in no]
        return cls(by_words, _difference(answered), _odds(by_words, answered), len(answered))

    def chance(self, text: PageTerms) -> float:
        """How likely the page is meant; never surer than so many answers allow: from
        1/(n + 2) to 1 − 1/(n + 2) for n answers and the ten that are assumed."""
        least = 1 / (self.answers + ASSUMED + 2)
        return min(1 - least, max(least, float(logistic(np.array(self.log_odds(text))))))

    def log_odds(self, text: PageTerms) -> float:
        """The log-odds by which pages are ranked; they also order pages whose bounded chances are
        equal."""
        deviation = _deviation(_vector(text), self.by_words, self.learned)
        return float(self.odds.log_odds(np.array(deviation)))

    @property
    def has_evidence(self) -> bool:
        """Whether any word counts for or against a page: without one all pages fit alike."""
        return bool(self.by_words or self.learned)

    def weight(self, word: str, language: str) -> float:
        """The weight of a word in a page's fit: above 0 it counts for the page."""
        key = stem(word, language)
        return self.by_words.get(key, 0.0) + self.learned.get(key, 0.0)


def learned_terms(
    fitting: Fitting, texts: Sequence[PageTerms], most: int = 7
) -> list[tuple[str, float]]:
    """The words whose weight the answers moved furthest, as the pages write them; those for the
    subject first, each with its weight from −1 to 1."""
    own = fitting.by_words
    moved = sorted(fitting.learned.items(), key=lambda pair: -abs(pair[1]))
    chosen = dict([pair for pair in moved if pair[0] not in own and pair[1]][:most])
    spelling: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        for word, count in text.terms.items():
            if (key := stem(word, text.language)) in chosen:
                spelling[key][word] += count
    largest = max(map(abs, chosen.values()), default=1.0)
    return sorted(
        ((spelling[key].most_common(1)[0][0], w / largest) for key, w in chosen.items()),
        key=lambda pair: -pair[1],
    )


def _vector(text: PageTerms) -> dict[str, float]:
    counts = stem_counts(text.terms, text.language)
    most = max(counts.values(), default=1)
    return _normalised({key: 0.5 + 0.5 * count / most for key, count in counts.items()})


def _weigh_wish(wish: Wish) -> Vector:
    weights: defaultdict[str, float] = defaultdict(float)
    for texts in ([wish.sentence, *wish.words], wish.words):
        for each in dict.fromkeys(s for text in texts for s in stems_in(text, wish.languages)):
            weights[each] += 1.0
    against = {s for text in wish.rather_not for s in stems_in(text, wish.languages)}
    for each in against - set(weights):
        weights[each] -= 1.0
    return _normalised(weights)


def _odds(by_words: Vector, answered: Sequence[Answered]) -> Sigmoid:
    """The odds by the answers, of scores that had not learned from them, fold by fold."""
    rows = [
        (_deviation(vector, by_words, learned), meant)
        for fold in range(min(FOLDS, len(answered)))
        for learned in [_difference([a for i, a in enumerate(answered) if i % FOLDS != fold])]
        for vector, meant in answered[fold::FOLDS]
    ]
    return calibrate(np.array([z for z, _ in rows]), np.array([meant for _, meant in rows], bool))


def _deviation(vector: Vector, by_words: Vector, learned: Vector) -> float:
    score = _product(by_words, vector) + _product(learned, vector)
    return (score - USUAL_MEAN) / USUAL_SPREAD


def _difference(answered: Sequence[Answered]) -> dict[str, float]:
    """Half the mean of the pages that are meant less that of the others."""
    yes = sum(meant for _, meant in answered)
    if yes in (0, len(answered)):
        return {}
    difference: defaultdict[str, float] = defaultdict(float)
    for vector, meant in answered:
        share = WEIGHT_OF_ANSWERS / (yes if meant else yes - len(answered))
        for key, weight in vector.items():
            difference[key] += share * weight
    return dict(difference)


def _normalised(weights: Mapping[str, float]) -> dict[str, float]:
    length = math.sqrt(sum(weight * weight for weight in weights.values())) or 1.0
    return {key: weight / length for key, weight in weights.items()}


def _product(one: Vector, other: Vector) -> float:
    return sum(weight * one[key] for key, weight in other.items() if key in one)
