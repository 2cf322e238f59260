"""A topic for strategies: its models, trained on demand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, Literal, TypeVar

import numpy as np

from apps.engine.codes import Need
from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.classifying.classifiers import Kind, TextClassifier
from apps.engine.intelligence.classifying.committee import NAMES, Committee, JudgedBy
from apps.engine.intelligence.classifying.held_out import cannot_tell
from apps.engine.intelligence.classifying.text_scoring import page_probability
from apps.engine.intelligence.classifying.trained import TrainedModels
from apps.engine.intelligence.profile import CentroidProfile, KeywordProfile, Profile
from apps.engine.intelligence.status_model import StatusModel, term_idf
from apps.engine.intelligence.topic_texts import (
    IdfSource,
    TopicTexts,
    are_enough,
    labels_of,
    weights_of,
)
from apps.engine.model import Ints, Judgement, TokenRows, Visit
from apps.engine.representation.background import BackgroundStatistics
from apps.engine.representation.terms import most_frequent
from apps.engine.representation.tokens import Vocabulary
from apps.engine.representation.weightings import WEIGHTINGS
from apps.engine.topics import Example, Topic

ThetaOver = Literal["examples", "crawl"]
Theta = ThetaOver | float
PageJudge = Callable[[Visit], Judgement]
Each = TypeVar("Each")
ByUrl = Sequence[tuple[str, Each]]
Labels = ByUrl[bool]
"""Whether the page at each address is relevant."""

TRAINING_SEED = 1


class TopicModel(TopicTexts):
    """The models of one topic, each trained at its first use and cached.

    Models depend only on the topic. `seed` is for the strategies' own chance: the classifiers are
    trained with one seed, so that all crawls of a topic have the same guide and the same judges.
    `trained` may hold cached models, `state` the topic's texts as they were encoded before.
    """

    def __init__(
        self,
        topic: Topic,
        vocabulary: Vocabulary | None = None,
        seed: int = 0,
        trained: TrainedModels | None = None,
        state: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(topic, vocabulary, state)
        self.trained = trained or TrainedModels()
        self.seed = seed
        self._classifiers: dict[tuple[str, str, str, bool], TextClassifier] = {}
        self._world: BackgroundStatistics | None = None
        self._committees: dict[str, Committee | None] = {}
        self._status_models: dict[Theta, StatusModel] = {}

    def for_another_crawl(self) -> TopicModel:
        """The same model with its vocabulary as it was before any crawl.

        Another crawl then gives its words the same ids. What one of them trains, both have.
        """
        other = copy(self)
        other.vocabulary = self._initial.copy()
        return other

    def classifier(
        self,
        kind: Kind = "svm",
        weighting: str = "smart",
        idf: IdfSource = "examples",
        latent: bool = False,
    ) -> TextClassifier:
        """A classifier trained on the training pages.

        With `idf="background"` document frequencies are counted over unlabelled and training pages;
        with `latent` over the unlabelled ones, the main directions of all these pages stand beside
        the terms, and an SVM has a soft margin. Naive Bayes, which counts, has document frequencies
        only. Raises
        NeedsMissing without two positive and two negative examples, or without required background
        pages.
        """
        key = (kind, weighting, idf, latent)
        if key not in self._classifiers:
            beside = latent and kind != "nb"
            self._classifiers[key] = self.trained.classifier(
                kind,
                weighting,
                TRAINING_SEED,
                self.rows(),
                self.labels(),
                self.weights(),
                None if beside else self._idf_texts("background" if latent else idf),
                background=self.world() if beside else None,
                soft=latent and kind == "svm",
            )
        return self._classifiers[key]

    def world(self) -> BackgroundStatistics:
        """Term weights over the unlabelled pages. Raises NeedsMissing without any.

        **Choice**: training pages, and pages labelled during a crawl, show which words go together,
        but not which are rare: many are on the topic, and would make its words seem usual.
        """
        if self._world is None:
            labelled = self._training_texts(from_crawl=True)
            texts = [*self._initial_texts(), *labelled]
            self._world = self.trained.background(TokenRows.of(texts), len(self._background))
        return self._world

    def committee(self, judge: str = "separate") -> Committee | None:
        """The judges of fetched pages (LC §6, SL §5.1), or None without anything to train them on.

        `separate` and `sl` learn from the evaluation examples that are not training examples; if
        these are too few, the guiding classifier judges alone (see `judged_by`). `lc` learns from
        all of them and from `Topic.relevant_set` (LC §6).
        """
        if judge not in self._committees:
            self._committees[judge] = self._make_committee(judge)
        return self._committees[judge]

    def judged_by(self, judge: str = "separate") -> JudgedBy:
        """The `judged_by` of `committee(judge)`; `none` if only the guiding classifier is left to
        judge and is not better than chance."""
        who = self._judge_at_hand(judge)
        if who == "guiding_classifier" and self.committee(judge) is None:
            return "none"
        return who

    def _judge_at_hand(self, judge: str) -> JudgedBy:
        topic = self.topic
        training, evaluation, relevant_set = (
            [(example.url, example.relevant) for example in examples]
            for examples in (topic.training, topic.evaluation, topic.relevant_set)
        )
        return judge_at_hand(judge, training, evaluation, relevant_set)

    def status_model(self, theta: Theta = "examples") -> StatusModel:
        """The model of page status; θ is the median over the examples or an earlier crawl, or a
        number.

        Raises NeedsMissing with too few in-link counts, or without the earlier crawl.
        """
        if theta not in self._status_models:
            self._status_models[theta] = (
                self._status_model() if theta == "examples" else self._recentred_model(theta)
            )
        return self._status_models[theta]

    def profile(self) -> Profile:
        """The profile for best-first: the tfc centroid of the positive examples, or without
        examples the keywords (SLC §5.3). Raises NeedsMissing without either."""
        return self.centroid() if self.rows(True).ids.size else self.keyword_profile()

    def centroid(self, weighting: str = "tfc") -> CentroidProfile:
        """The centroid of the positive examples. Raises NeedsMissing if there are none.

        **Choice**: with positive examples only, all idf are 1, since document frequencies would
        give the topic's own terms low weights.
        """
        positive = self.rows(True)
        if not positive.ids.size:
            raise NeedsMissing(Need.EXAMPLES, "needs a positive example")
        fitted = WEIGHTINGS[weighting]().fit(self.rows())
        if not len(self.rows(False)):
            fitted.idf_ = np.ones_like(fitted.idf_)
        return CentroidProfile(fitted, positive)

    def keyword_profile(self, terms: int = 0) -> KeywordProfile:
        """The keywords as a tf·idf vector. Raises NeedsMissing if there are none.

        The idf is that of the background, or else of the examples, and only the `terms` most
        frequent terms there count (0: all); if no text is off the topic, all idf are 1.
        """
        texts = self._background or (self._training if len(self.rows(False)) else [])
        if not texts:
            return KeywordProfile(self.query().ids, np.ones(1))
        rows = TokenRows.of(texts)
        idf = term_idf(rows, len(self.vocabulary))
        if terms:
            counted = most_frequent(rows, terms)
            idf[np.setdiff1d(np.arange(len(idf)), counted)] = 0.0
        return KeywordProfile(self.query().ids, idf)

    def topicality_judge(self) -> PageJudge:
        """The function for a page's τ = P(c|u), by the default classifier. Raises NeedsMissing."""
        classifier = self.classifier()
        return lambda visit: Judgement(topicality=page_probability(classifier, visit))

    def status_judge(self, theta: Theta = "examples") -> PageJudge:
        """The function for a page's σ and ln(1 + in-links). Raises like `status_model`."""
        model = self.status_model(theta)

        def judge(visit: Visit) -> Judgement:
            log = model.predict_page(visit.document, visit.tokens, visit.url)
            return Judgement(status=model.status(log), status_log=log)

        return judge

    def _status_model(self) -> StatusModel:
        texts = TokenRows.of(self._background or self._training)
        model = StatusModel(term_idf(texts, len(self.vocabulary)), self.topic.traffic)
        return model.fit(self.topic.training, self._training, self.topic.inlinks)

    def _recentred_model(self, theta: Theta) -> StatusModel:
        """The same tree with θ given, or the median over an exploratory crawl (SL note 7)."""
        model = copy(self.status_model())
        model.theta_ = theta if isinstance(theta, float) else self._explored_median(model)
        return model

    def _explored_median(self, model: StatusModel) -> float:
        """The median prediction over the pages of the earlier crawl."""
        logs = [
            model.predict_log(model.features(page.document, self.tokens(page.document), page.url))
            for page in self.topic.earlier
        ]
        if not logs:
            raise NeedsMissing(Need.CRAWL, "needs the pages of an earlier crawl")
        return float(np.median(logs))

    def _make_committee(self, judge: str) -> Committee | None:
        who = self._judge_at_hand(judge)
        if who == "none":
            return None
        if who == "guiding_classifier":
            guide = self.classifier()
            if cannot_tell(guide, self.labels(), self.weights(), self.choose_measuring_pages()):
                return None
            return Committee([guide], who)
        examples, texts = self._judges_examples(judge)
        return Committee.train(
            TokenRows.of(texts),
            labels_of(examples),
            weights_of(examples),
            judge,
            seed=TRAINING_SEED,
            trained=self.trained,
        )

    def _judges_examples(self, judge: str) -> tuple[list[Example], list[Ints]]:
        topic = self.topic
        parts = (
            (topic.training, self._training),
            (topic.evaluation, self._evaluation),
            (topic.relevant_set, self._relevant_set),
        )
        by_url = [
            [(example.url, (example, text)) for example, text in zip(*part, strict=True)]
            for part in parts
        ]
        chosen = judges_part(judge, *by_url)
        return [e for e, _ in chosen], [text for _, text in chosen]


def judge_at_hand(
    judge: str, training: Labels, evaluation: Labels, relevant_set: Labels
) -> JudgedBy:
    """The judge that the numbers of a topic's examples allow, from their addresses and whether
    they are relevant."""
    if are_enough(judges_part(judge, training, evaluation, relevant_set)):
        return NAMES[judge]
    return "guiding_classifier" if are_enough([each for _, each in training]) else "none"


def judges_part(
    judge: str, training: ByUrl[Each], evaluation: ByUrl[Each], relevant_set: ByUrl[Each]
) -> list[Each]:
    """What a judge learns from (see `TopicModel.committee`), each address once."""
    own = dict(training)
    pairs = [*evaluation, *(relevant_set if judge == "lc" else ())]
    apart = {url: each for url, each in pairs if url not in own}
    return [*(own.values() if judge == "lc" else ()), *apart.values()]
