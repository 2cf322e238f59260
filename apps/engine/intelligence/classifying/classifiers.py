"""Text classifiers: trained on full pages and applied to any text (LC §4, §7).

scikit-learn fits them and is imported only for that; the fitted models are plain arrays. A linear
model computes the margins of all link contexts of a page at once (`representation.weightings`).
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from apps.engine.codes import Need
from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.classifying.calibration import Sigmoid, fit_sigmoid
from apps.engine.intelligence.classifying.page_memory import PageMemory
from apps.engine.intelligence.classifying.text_memory import TextMemory
from apps.engine.model import Floats, Ints, TokenRows
from apps.engine.representation.background import BackgroundStatistics
from apps.engine.representation.beside import Beside
from apps.engine.representation.weightings import WEIGHTINGS, Weighted, Weighting

Kind = Literal["svm", "nb", "nn"]
KINDS: tuple[Kind, ...] = ("svm", "nb", "nn")

FOLDS = 5
LEAST_EXAMPLES = 2
HIDDEN_UNITS = 20
NB_SMOOTHING = 0.1
NN_PENALTY = 0.01
SOFT_COST = 0.3


@dataclass(frozen=True, slots=True)
class WeightedTerm:
    """A token id and its weight: positive for the topic, negative against it."""

    token: int
    weight: float


@dataclass(frozen=True, slots=True)
class TopTerms:
    """The terms of largest influence for the topic and against it, strongest first."""

    favouring: tuple[WeightedTerm, ...]
    opposing: tuple[WeightedTerm, ...]


@dataclass(frozen=True, slots=True)
class _Linear:
    weights: Floats
    intercept: float

    @property
    def influence(self) -> Floats:
        return self.weights

    def margins(self, texts: Weighted) -> Floats:
        return texts.project(self.weights) + self.intercept


@dataclass(frozen=True, slots=True)
class _Network:
    """One hidden layer of tanh units. `influence` is the mean gradient over the examples."""

    hidden: Floats
    hidden_bias: Floats
    output: Floats
    output_bias: float
    influence: Floats

    def margins(self, texts: Weighted) -> Floats:
        # Not `units @ output`: the last bit of BLAS's sums depends on the number of texts.
        units = np.tanh(texts.products(self.hidden) + self.hidden_bias)
        return np.asarray((units * self.output).sum(axis=1) + self.output_bias, dtype=np.float64)


# A fitted estimator: its margins (positive for the topic) and the influence of each column.
_Model = _Linear | _Network


class TextClassifier:
    """Estimates P(c|x) of any text x by a weighting, an estimator and a sigmoid.

    Kinds: `svm` is a linear support vector machine; `nb` multinomial naive Bayes over the weighted
    terms, with the examples' class prior; `nn` a network with 20 hidden units. All are calibrated
    by cross-validation: each example's margin comes from a model (and an idf) trained without its
    fold, one sigmoid is fitted to these margins, and the final model is trained on all examples.
    This includes naive Bayes, whose own probabilities are near 0 and 1, since terms are not
    independent. With a `background` its latent coordinates stand beside its terms; `soft` is for an
    SVM with them: a softer margin (C = .3), and both classes weigh the same. **Choice**: the SVM's
    loss is the squared hinge, LC's (Weka's SMO) the hinge; both classify .81 of the unseen pages of
    14 samples of WebKB topics correctly.

    `of_pages` remembers P(c|u) of whole pages, `of_texts` log-odds of the texts of their links.

    Learned: `weighting_`, `sigmoid_`, and for each example its fold `fold_` and its margin
    `held_out_` by the model trained without it. `state` has all of it except the models of the
    folds, which only `held_out_contributions` needs.
    """

    def __init__(
        self,
        kind: Kind = "svm",
        weighting: str = "smart",
        seed: int = 0,
        *,
        background: BackgroundStatistics | None = None,
        soft: bool = False,
    ) -> None:
        self.kind = kind
        self.weighting = weighting
        self.seed = seed
        self.background = background
        self.soft = soft
        self.of_pages: PageMemory[float] = PageMemory()
        self.of_texts: TextMemory | None = TextMemory()

    def fit(
        self,
        rows: TokenRows,
        labels: Ints | NDArray[np.bool_],
        weights: Floats | None = None,
        idf_texts: TokenRows | None = None,
    ) -> Self:
        """Trains on full pages; positive labels are those of the topic.

        `weights` has one per example (default 1; not supported by `nn` with an older scikit-learn).
        The idf is that of the `idf_texts`, by default of the
        pages, or of the background. Deterministic. Raises NeedsMissing with fewer
        than two examples of either class.
        """
        self.of_pages, self.of_texts = PageMemory(), TextMemory()
        relevant = np.asarray(labels, np.int32) > 0
        if min(relevant.sum(), (~relevant).sum()) < LEAST_EXAMPLES:
            raise NeedsMissing(Need.EXAMPLES, "needs two positive and two negative examples")
        weights = np.ones(len(relevant)) if weights is None else weights
        self._cross_validate(rows, relevant, weights, idf_texts)
        self.sigmoid_ = fit_sigmoid(self.held_out_, relevant, weights)
        self.weighting_, self._model = self._train(rows, relevant, weights, idf_texts)
        return self

    def state(self) -> dict[str, Any]:
        """The learned state, as arrays and plain values (see `checkpoint`)."""
        return {
            "weighting": self.weighting_.state(),
            "model": {"linear": isinstance(self._model, _Linear), **asdict(self._model)},
            "sigmoid": asdict(self.sigmoid_),
            "fold": self.fold_,
            "held_out": self.held_out_,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned. Raises KeyError or TypeError for other values."""
        self.of_pages, self.of_texts = PageMemory(), TextMemory()
        parts = dict(state["model"])
        self._model = _Linear(**parts) if parts.pop("linear") else _Network(**parts)
        self.weighting_ = self._new_weighting()
        self.weighting_.restore(state["weighting"])
        self.sigmoid_ = Sigmoid(**state["sigmoid"])
        self.fold_: Ints = state["fold"]
        self.held_out_: Floats = state["held_out"]
        self._fold_models: list[tuple[Weighting, _Model]] = []

    def margins(self, rows: TokenRows) -> Floats:
        """The signed margin of each text before calibration; positive for the topic."""
        return _margins(self.weighting_, self._model, rows)

    def margins_of(self, texts: Weighted) -> Floats:
        """The margins of texts weighed by this classifier's weighting."""
        return self._model.margins(texts)

    def probabilities(self, rows: TokenRows) -> Floats:
        """P(c|x) of each text, in [0, 1]; an empty text is a zero vector."""
        return self.sigmoid_(self.margins(rows))

    def log_odds(self, rows: TokenRows) -> Floats:
        """ln(P/(1 − P)) of each text's P(c|x), without the limits of a probability's precision."""
        return self.sigmoid_.log_odds(self.margins(rows))

    def influence(self, tokens: Ints) -> Floats:
        """The change of the margin per unit of each token's weight; 0 outside the vocabulary.

        Linear coefficients (svm), log-ratio of the class-conditional probabilities (nb), mean
        gradient of the output over the examples (nn).
        """
        return self.weighting_.pulls(self._model.influence, tokens)

    def top_terms(self, n: int) -> TopTerms:
        """The n terms of largest influence for the topic, and the n of largest against it."""
        terms = self.weighting_.terms_
        influence = self.influence(terms)
        order = np.lexsort((terms, -influence))
        favouring = [WeightedTerm(int(terms[i]), float(influence[i])) for i in order[:n]]
        opposing = [WeightedTerm(int(terms[i]), float(influence[i])) for i in order[::-1][:n]]
        return TopTerms(
            tuple(term for term in favouring if term.weight > 0),
            tuple(term for term in opposing if term.weight < 0),
        )

    def held_out_contributions(self, example: int, text: Ints, n: int) -> TopTerms:
        """The n terms of a text (token ids) that contribute most for and against the topic by the
        model trained without this example; not available after `restore`."""
        weighting, model = self._fold_models[self.fold_[example]]
        return _strongest(weighting, model, text, n)

    def _cross_validate(
        self,
        rows: TokenRows,
        relevant: NDArray[np.bool_],
        weights: Floats,
        idf_texts: TokenRows | None,
    ) -> None:
        self.fold_ = _folds(relevant, self.seed)
        self.held_out_ = np.zeros(len(relevant))
        self._fold_models = []
        for fold in range(int(self.fold_.max()) + 1):
            seen, unseen = self.fold_ != fold, np.flatnonzero(self.fold_ == fold)
            weighting, model = self._train(
                select(rows, np.flatnonzero(seen)), relevant[seen], weights[seen], idf_texts
            )
            self._fold_models.append((weighting, model))
            self.held_out_[unseen] = _margins(weighting, model, select(rows, unseen))

    def _train(
        self,
        rows: TokenRows,
        relevant: NDArray[np.bool_],
        weights: Floats,
        idf_texts: TokenRows | None,
    ) -> tuple[Weighting, _Model]:
        labels = relevant.astype(np.int32)
        weighting = self._new_weighting().fit(rows, labels, idf_texts, weights)
        weighed = weighting.weigh_examples(rows, labels)
        train = _train_soft_svm if self.soft else _TRAINERS[self.kind]
        return weighting, train(weighed, labels, weights, self.seed)

    def _new_weighting(self) -> Weighting:
        weighting = WEIGHTINGS[self.weighting]()
        return weighting if self.background is None else Beside(weighting, self.background)


def select(rows: TokenRows, chosen: NDArray[np.int64]) -> TokenRows:
    """The chosen rows, in the given order."""
    return TokenRows.of([rows.row(int(i)) for i in chosen])


def _folds(relevant: NDArray[np.bool_], seed: int) -> Ints:
    """Each example's fold of five stratified ones, fewer if a class has fewer examples."""
    from sklearn.model_selection import StratifiedKFold

    count = min(FOLDS, int(relevant.sum()), int((~relevant).sum()))
    fold = np.zeros(len(relevant), np.int32)
    splitter = StratifiedKFold(count, shuffle=True, random_state=seed)
    for i, (_, unseen) in enumerate(splitter.split(fold, relevant)):
        fold[unseen] = i
    return fold


def _margins(weighting: Weighting, model: _Model, rows: TokenRows) -> Floats:
    views = [model.margins(view) for view in weighting.views(rows)]
    return views[0] if len(views) == 1 else np.mean(views, axis=0)


def _strongest(weighting: Weighting, model: _Model, text: Ints, n: int) -> TopTerms:
    weighed = weighting.weigh(TokenRows.of([text]))
    pull = weighed.weight * weighting.pulls(model.influence, weighting.terms_[weighed.column])
    order = np.lexsort((weighed.column, -pull))
    terms = [WeightedTerm(int(weighting.terms_[weighed.column[i]]), float(pull[i])) for i in order]
    return TopTerms(
        tuple(term for term in terms[:n] if term.weight > 0),
        tuple(term for term in terms[::-1][:n] if term.weight < 0),
    )


def _train_svm(texts: Weighted, labels: Ints, weights: Floats, seed: int) -> _Model:
    from sklearn.svm import LinearSVC

    fitted = LinearSVC(random_state=seed).fit(texts.matrix(), labels, weights)
    return _Linear(fitted.coef_[0], float(fitted.intercept_[0]))


def _train_soft_svm(texts: Weighted, labels: Ints, weights: Floats, seed: int) -> _Model:
    from sklearn.svm import LinearSVC

    model = LinearSVC(C=SOFT_COST, class_weight="balanced", random_state=seed)
    fitted = model.fit(texts.matrix(), labels, weights)
    return _Linear(fitted.coef_[0], float(fitted.intercept_[0]))


def _train_nb(texts: Weighted, labels: Ints, weights: Floats, seed: int) -> _Model:
    from sklearn.naive_bayes import MultinomialNB

    fitted = MultinomialNB(alpha=NB_SMOOTHING).fit(texts.matrix(), labels, weights)
    against, favour = fitted.feature_log_prob_
    prior = fitted.class_log_prior_
    return _Linear(favour - against, float(prior[1] - prior[0]))


def _train_nn(texts: Weighted, labels: Ints, weights: Floats, seed: int) -> _Model:
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.neural_network import MLPClassifier
    from sklearn.utils.validation import has_fit_parameter
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    matrix = texts.matrix()
    network = MLPClassifier(
        (HIDDEN_UNITS,), activation="tanh", solver="lbfgs", alpha=NN_PENALTY, random_state=seed
    )
    extra: dict[str, Any] = {}
    if has_fit_parameter(network, "sample_weight"):
        extra["sample_weight"] = weights
    with threadpool_limits(1), warnings.catch_warnings():
        # One thread, since several would wait for each other in such small products. The limit of
        # 200 steps is part of the model: on separable examples the weights would grow for ever.
        warnings.simplefilter("ignore", ConvergenceWarning)
        network.fit(matrix, labels, **extra)
    (hidden, output), (bias, output_bias) = network.coefs_, network.intercepts_
    slopes = 1 - np.tanh(matrix @ hidden + bias) ** 2
    influence = hidden @ (slopes.mean(axis=0) * output[:, 0])
    # A fixed memory layout, so that a restored network rounds like this one.
    hidden, output = np.ascontiguousarray(hidden), np.ascontiguousarray(output[:, 0])
    return _Network(hidden, bias, output, float(output_bias[0]), influence)


_TRAINERS = {"svm": _train_svm, "nb": _train_nb, "nn": _train_nn}
