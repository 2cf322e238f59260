"""How well the classifiers separate a topic's examples, before any crawl (LC §7)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from apps.engine.codes import Need
from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.classifying.classifiers import (
    KINDS,
    Kind,
    TextClassifier,
    WeightedTerm,
)
from apps.engine.intelligence.classifying.held_out import (
    FoldEstimate,
    cannot_tell,
    estimate_of,
    fold_shares,
    folds_with,
    held_out_probabilities,
)
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats
from apps.engine.representation.weightings.base import document_frequency

Advice = Literal[
    "no_positives",
    "few_positives",
    "no_negatives",
    "few_negatives",
    "at_chance",
    "gathered_only",
    "weak",
    "recall_weak",
    "precision_weak",
]

FEW = 10
ENOUGH = 20
WEAK_F1 = 0.7
GOOD_ENOUGH = 0.85
APART = 0.05
SHOWN_TERMS = 7
DECIDING_TERMS = 3


@dataclass(frozen=True, slots=True)
class ModelQuality:
    """A classifier's cross-validated quality, shares in [0, 1].

    The measures are computed per fold over the examples that somebody has judged, then averaged; a
    fold without a page classified as relevant has precision 0.
    """

    kind: Kind
    accuracy: FoldEstimate
    precision: FoldEstimate
    recall: FoldEstimate
    f1: FoldEstimate


@dataclass(frozen=True, slots=True)
class ShownTerm:
    """A term in readable form, and its weight: positive for the topic."""

    word: str
    weight: float


@dataclass(frozen=True, slots=True)
class Misjudged:
    """An example that the guiding classifier, trained without it, misclassifies.

    `relevant` is the analyst's label, `probability` is P(c|page), `terms` are the decisive terms.
    """

    url: str
    title: str
    relevant: bool
    probability: float
    terms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Quality:
    """The quality of a topic's examples. With too few of them, only the counts are set.

    `unjudged` of them nobody has judged. `models` are svm (the default guide), nb and nn, empty if
    too few examples are judged to measure them; `favouring` and `opposing` are the strongest terms
    of the guiding classifier; `misjudged` has the worst first. `at_chance`: the guiding classifier
    is not shown to tell the topic from other pages, by the judged examples, or by all where these
    are too few. `dataclasses.asdict` gives plain values.
    """

    positives: int
    negatives: int
    folds: int = 0
    models: tuple[ModelQuality, ...] = ()
    favouring: tuple[ShownTerm, ...] = ()
    opposing: tuple[ShownTerm, ...] = ()
    misjudged: tuple[Misjudged, ...] = ()
    at_chance: bool = False
    unjudged: int = 0


def assess(topic: TopicModel) -> Quality:
    """Five-fold cross-validation of the three classifiers on the training examples.

    There are fewer folds if a class has fewer than five examples. Held-out pages are judged by a
    model, an idf and a sigmoid fitted without their labels. Examples that nobody has judged teach,
    but measure nothing: some gathered negatives may be on the topic.
    """
    labels = topic.labels()
    positives, negatives = int(labels.sum()), int((~labels).sum())
    unjudged = int((~topic.are_judged()).sum())
    try:
        classifiers = [topic.classifier(kind) for kind in KINDS]
    except NeedsMissing:
        return Quality(positives, negatives, unjudged=unjudged)
    guiding = classifiers[0]
    top = guiding.top_terms(SHOWN_TERMS)
    measured = classifiers if topic.is_measurable else ()
    return Quality(
        positives,
        negatives,
        folds=int(guiding.fold_.max()) + 1,
        models=tuple(_quality(classifier, topic) for classifier in measured),
        favouring=_show_terms(topic, top.favouring),
        opposing=_show_terms(topic, top.opposing),
        misjudged=_misjudged(topic, guiding),
        at_chance=cannot_tell(guiding, labels, topic.weights(), topic.choose_measuring_pages()),
        unjudged=unjudged,
    )


def _refuse_unmeasurable(topic: TopicModel) -> None:
    if not topic.is_measurable:
        raise NeedsMissing(Need.EXAMPLES, "needs negative examples that somebody has judged")


@dataclass(frozen=True, slots=True)
class Gain:
    """A mean difference over folds, with its 95 % interval by t (None with a single fold)."""

    mean: float
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class MovedExample:
    """An example that is misjudged with or without the background: its P(c|page) in both cases, by
    models trained without it."""

    url: str
    title: str
    relevant: bool
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class MovedTerm:
    """A term with its weight without and with the background, and how many of its texts have it."""

    word: str
    before: float
    after: float
    texts: int


@dataclass(frozen=True, slots=True)
class WithBackground:
    """The guiding classifier's quality without and with a background, on the same folds.

    `gains` are in the order of `MEASURES`; `moved` has the examples misjudged in either case, the
    most changed first, `righted` and `wronged` count those of them that are judged right, or wrong,
    only with it; `terms` are those whose weight changed most, among the strongest of either.
    """

    texts: int
    words: int
    directions: int
    without: ModelQuality
    with_it: ModelQuality
    gains: tuple[Gain, ...]
    moved: tuple[MovedExample, ...]
    righted: int
    wronged: int
    terms: tuple[MovedTerm, ...]


MEASURES = ("accuracy", "precision", "recall", "f1")


def with_background(topic: TopicModel) -> WithBackground:
    """Compares a topic's guiding classifiers with and without its background. Raises NeedsMissing
    without judged examples or background."""
    _refuse_unmeasurable(topic)
    plain = topic.classifier()
    wider = topic.classifier(idf="background", latent=True)
    labels, weights, judged = topic.labels(), topic.weights(), topic.are_judged()
    before = held_out_probabilities(plain, labels, weights)
    after = held_out_probabilities(wider, labels, weights)
    world = topic.world()
    folds = folds_with(judged, plain)
    differences = fold_shares(after, labels, folds) - fold_shares(before, labels, folds)
    right_before, right_after = (before >= 0.5) == labels, (after >= 0.5) == labels
    changed = np.flatnonzero(judged & ~(right_before & right_after))
    return WithBackground(
        len(topic.background()),
        len(world.terms_),
        len(world),
        _quality(plain, topic),
        _quality(wider, topic),
        tuple(_gain(column) for column in differences.T),
        tuple(
            MovedExample(
                topic.topic.training[i].url,
                topic.topic.training[i].document.title,
                bool(labels[i]),
                float(before[i]),
                float(after[i]),
            )
            for i in sorted(changed.tolist(), key=lambda i: (-abs(after[i] - before[i]), i))
        ),
        int((judged & right_after & ~right_before).sum()),
        int((judged & right_before & ~right_after).sum()),
        _moved_terms(topic, plain, wider),
    )


def _moved_terms(
    topic: TopicModel, plain: TextClassifier, wider: TextClassifier
) -> tuple[MovedTerm, ...]:
    strongest = [
        term.token
        for classifier in (plain, wider)
        for side in (classifier.top_terms(2 * SHOWN_TERMS),)
        for term in (*side.favouring, *side.opposing)
    ]
    tokens = np.array(sorted(set(strongest)), np.int32)
    before, after = plain.influence(tokens), wider.influence(tokens)
    counts = document_frequency(topic.background(), None, int(tokens.max(initial=0)) + 1)
    order = np.lexsort((tokens, -np.abs(after - before)))[:SHOWN_TERMS]
    return tuple(
        MovedTerm(
            topic.vocabulary.readable_word(int(tokens[i])),
            float(before[i]),
            float(after[i]),
            int(counts[tokens[i]]),
        )
        for i in order
    )


def _gain(differences: Floats) -> Gain:
    from scipy.stats import t

    mean, n = float(differences.mean()), len(differences)
    if n < 2:
        return Gain(mean, None, None)
    half = float(t.ppf(0.975, n - 1) * differences.std(ddof=1) / np.sqrt(n))
    return Gain(mean, mean - half, mean + half)


def guiding_quality(topic: TopicModel) -> ModelQuality:
    """The cross-validated quality of the guiding classifier only. Raises NeedsMissing, also if too
    few examples are judged to measure it."""
    _refuse_unmeasurable(topic)
    return _quality(topic.classifier(), topic)


def advice(quality: Quality) -> tuple[Advice, ...]:
    """Advice on improving the examples, most urgent first; may be empty.

    A classifier at chance gets no other advice than that, and than on numbers of examples.
    The classifier is weak if F1 is below 0.7. Positives are too few below ten, or below twenty if
    the classifier is weak; negatives are if there are fewer than ten or than positives. Recall is
    too low if it is below 0.85 and more than 0.05 below precision; the same holds for precision.
    """
    codes: list[Advice] = []
    if quality.at_chance:
        codes.append("at_chance")
    if quality.folds and not quality.models:
        codes.append("gathered_only")
    weak = bool(quality.models) and quality.models[0].f1.mean < WEAK_F1
    if quality.positives < (ENOUGH if weak else FEW):
        codes.append("few_positives" if quality.positives else "no_positives")
    if quality.negatives < max(FEW, quality.positives):
        codes.append("few_negatives" if quality.negatives else "no_negatives")
    if quality.models and not quality.at_chance:
        guiding = quality.models[0]
        precision, recall = guiding.precision.mean, guiding.recall.mean
        if weak:
            codes.append("weak")
        if recall < min(GOOD_ENOUGH, precision - APART):
            codes.append("recall_weak")
        if precision < min(GOOD_ENOUGH, recall - APART):
            codes.append("precision_weak")
    return tuple(codes)


def _quality(classifier: TextClassifier, topic: TopicModel) -> ModelQuality:
    relevant = topic.labels()
    chances = held_out_probabilities(classifier, relevant, topic.weights())
    shares = fold_shares(chances, relevant, folds_with(topic.are_judged(), classifier))
    return ModelQuality(classifier.kind, *(estimate_of(column) for column in shares.T))


def _show_terms(topic: TopicModel, terms: tuple[WeightedTerm, ...]) -> tuple[ShownTerm, ...]:
    return tuple(
        ShownTerm(topic.vocabulary.readable_word(term.token), term.weight) for term in terms
    )


def _misjudged(topic: TopicModel, guiding: TextClassifier) -> tuple[Misjudged, ...]:
    labels, rows = topic.labels(), topic.rows()
    chances = held_out_probabilities(guiding, labels, topic.weights())
    wrong = np.flatnonzero(topic.are_judged() & ((chances >= 0.5) != labels))
    misjudged = []
    for i in sorted(wrong.tolist(), key=lambda i: -abs(chances[i] - labels[i])):
        example = topic.topic.training[i]
        terms = guiding.held_out_contributions(i, rows.row(i), DECIDING_TERMS)
        deciding = _show_terms(topic, terms.opposing if example.relevant else terms.favouring)
        words = tuple(term.word for term in deciding)
        title, chance = example.document.title, float(chances[i])
        misjudged.append(Misjudged(example.url, title, example.relevant, chance, words))
    return tuple(misjudged)
