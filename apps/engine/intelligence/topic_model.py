"""A topic for strategies: its texts as token rows, and its models, trained on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from apps.engine.codes import Need
from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.classifying.classifiers import (
    LEAST_EXAMPLES,
    Kind,
    TextClassifier,
)
from apps.engine.intelligence.classifying.committee import NAMES, Committee, JudgedBy
from apps.engine.intelligence.classifying.held_out import cannot_tell
from apps.engine.intelligence.classifying.text_scoring import page_probability
from apps.engine.intelligence.classifying.trained import TrainedModels
from apps.engine.intelligence.cold_start.exclusions import wanted_part
from apps.engine.intelligence.cold_start.subject import Subject, suffices
from apps.engine.intelligence.profile import CentroidProfile, KeywordProfile, Profile
from apps.engine.intelligence.status_model import StatusModel, term_idf
from apps.engine.model import Document, Floats, Ints, Judgement, TokenRows, Visit
from apps.engine.parsing.words import words
from apps.engine.representation.background import Background
from apps.engine.representation.terms import most_frequent
from apps.engine.representation.tokens import Vocabulary, detect_languages
from apps.engine.representation.weightings import WEIGHTINGS
from apps.engine.topics import Example, Topic

IdfSource = Literal["examples", "background"]
ThetaOver = Literal["examples", "crawl"]
Theta = ThetaOver | float
PageJudge = Callable[[Visit], Judgement]

LEAST_TO_STOP = 4
TRAINING_SEED = 1
_NO_TOKENS = np.empty(0, np.int32)


class TopicModel:
    """The models of one topic, each trained at its first use and cached.

    All texts are encoded at once in a fixed order, so that token ids depend only on the topic, and
    models only on the topic. `seed` is for the strategies' own chance: the classifiers are trained
    with one seed, so that all crawls of a topic have the same guide and the same judges. `trained`
    may hold cached models. To continue a crawl after examples were added, pass its restored
    vocabulary. `language` is the topic's, or detected from its examples; both may be several.

    **Choice**: in an unknown language, terms that occur in more than half of the positive and more
    than half of the negative examples become stop words (a term of all positives may be the topic).
    A vocabulary that is passed in keeps its stop words and gets no others.
    """

    def __init__(
        self,
        topic: Topic,
        vocabulary: Vocabulary | None = None,
        seed: int = 0,
        trained: TrainedModels | None = None,
    ) -> None:
        self.topic = topic
        self.trained = trained or TrainedModels()
        self.seed = seed
        is_new = vocabulary is None
        if vocabulary is None:
            vocabulary = Vocabulary(topic.language or _language_of(topic))
        self.vocabulary = vocabulary
        self.language = vocabulary.language
        self._keywords = vocabulary.encode_keywords(words(" ".join(topic.keywords)))
        self._training = [self.tokens(example.document) for example in topic.training]
        self._evaluation = [self.tokens(example.document) for example in topic.evaluation]
        self._background = [
            *(self.tokens(document) for document in topic.background),
            *map(vocabulary.encode, topic.background_texts),
        ]
        self._relevant_set = [self.tokens(example.document) for example in topic.relevant_set]
        vocabulary.show_usual_forms(_texts(topic))
        if self.language is None and is_new:
            self._stop_common_terms()
        self._description = _NO_TOKENS
        if not suffices(topic.training):
            self._description = vocabulary.encode(words(wanted_part(topic.description)))
        self._classifiers: dict[tuple[str, str, str, bool], TextClassifier] = {}
        self._world: Background | None = None
        self._committees: dict[str, Committee | None] = {}
        self._status_models: dict[Theta, StatusModel] = {}
        self._initial = vocabulary.copy()

    def for_another_crawl(self) -> TopicModel:
        """The same model with its vocabulary as it was before any crawl.

        Another crawl then gives its words the same ids. What one of them trains, both have.
        """
        other = copy(self)
        other.vocabulary = self._initial.copy()
        return other

    def tokens(self, document: Document) -> Ints:
        """The token ids of a document's visible words, aligned with them."""
        return self.vocabulary.encode(document.words[: document.visible])

    @property
    def begins_with_words(self) -> bool:
        """Whether a crawl can and must begin with the topic's words: its judged examples are too
        few for a classifier (`cold_start.subject.suffices`)."""
        has_words = bool((self._keywords >= 0).any() or (self._description >= 0).any())
        return has_words and not suffices(self.topic.training)

    def subject(self) -> Subject:
        """The topic's words, its judged pages and other texts, for a crawl that begins with
        them."""
        both = np.concatenate((self._description, self._keywords))
        texts = [both, self._keywords] if (self._description >= 0).any() else [self._keywords]
        pairs = [*zip(self.topic.training, self._training, strict=True)]
        judged = [(e, text) for e, text in pairs if not e.is_unjudged]
        return Subject(
            words=TokenRows.of([text for text in texts if (text >= 0).any()]),
            pages=TokenRows.of([text for _, text in judged]),
            urls=tuple(e.document.url for e, _ in judged),
            relevant=_labels([e for e, _ in judged]),
            labelled=np.array([e.from_crawl for e, _ in judged], np.bool_),
            others=TokenRows.of([*self._background, *(t for e, t in pairs if e.is_unjudged)]),
        )

    def rows(self, relevant: bool | None = None) -> TokenRows:
        """The training pages in order: the relevant ones, the irrelevant ones, or (None) all."""
        wanted = zip(self.topic.training, self._training, strict=True)
        return TokenRows.of([t for e, t in wanted if relevant is None or e.relevant == relevant])

    def background(self) -> TokenRows:
        """The unlabelled pages; may be empty."""
        return TokenRows.of(self._background)

    @property
    def has_background(self) -> bool:
        return bool(self._background)

    def labels(self) -> NDArray[np.bool_]:
        """Whether each training page is relevant, in the order of `rows()`."""
        return _labels(self.topic.training)

    def weights(self) -> Floats:
        """The weights of the training pages, in the order of `rows()`."""
        return _weights(self.topic.training)

    def query(self) -> TokenRows:
        """The keywords as one row. Raises NeedsMissing if all are stop words."""
        row = TokenRows.of([self._keywords])
        if not row.ids.size:
            raise NeedsMissing(Need.KEYWORDS)
        return row

    def classifier(
        self,
        kind: Kind = "svm",
        weighting: str = "smart",
        idf: IdfSource = "examples",
        latent: bool = False,
    ) -> TextClassifier:
        """A classifier trained on the training pages.

        With `idf="background"` document frequencies are counted over unlabelled and training pages;
        with `latent` they are too, the main directions of these pages stand beside their terms, and
        an SVM has a soft margin. Naive Bayes, which counts, has document frequencies only. Raises
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

    def world(self) -> Background:
        """What words are worth over the unlabelled and the training pages. Raises NeedsMissing
        without unlabelled pages.

        **Choice**: pages labelled during a crawl show which words go together, but not which
        are rare: many are on the topic, and would make its words seem usual.
        """
        if self._world is None:
            initial, labelled = self._initial_texts(), self._training_texts(from_crawl=True)
            self._world = self.trained.background(TokenRows.of([*initial, *labelled]), len(initial))
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
        """Who would judge, by the numbers of examples."""
        if _enough(self._judges_examples(judge)[0]):
            return NAMES[judge]
        return "guiding_classifier" if _enough(self.topic.training) else "none"

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
            if cannot_tell(guide, self.labels(), self.weights()):
                return None
            return Committee([guide], who)
        examples, texts = self._judges_examples(judge)
        return Committee.train(
            TokenRows.of(texts),
            _labels(examples),
            _weights(examples),
            judge,
            seed=TRAINING_SEED,
            trained=self.trained,
        )

    def _judges_examples(self, judge: str) -> tuple[list[Example], list[Ints]]:
        training = {e.url: (e, t) for e, t in zip(self.topic.training, self._training, strict=True)}
        pairs = [*zip(self.topic.evaluation, self._evaluation, strict=True)]
        if judge == "lc":
            pairs += zip(self.topic.relevant_set, self._relevant_set, strict=True)
        apart = {e.url: (e, t) for e, t in pairs if e.url not in training}
        chosen = [*(training if judge == "lc" else {}).values(), *apart.values()]
        return [e for e, _ in chosen], [text for _, text in chosen]

    def _idf_texts(self, idf: IdfSource) -> TokenRows | None:
        return None if idf == "examples" else TokenRows.of(self._initial_texts())

    def _initial_texts(self) -> list[Ints]:
        """The unlabelled pages, and those training pages that come from no crawl for the topic."""
        if not self._background:
            raise NeedsMissing(Need.BACKGROUND, "needs unlabelled pages to count idf over")
        return [*self._background, *self._training_texts(from_crawl=False)]

    def _training_texts(self, *, from_crawl: bool) -> list[Ints]:
        training = zip(self.topic.training, self._training, strict=True)
        return [text for example, text in training if example.from_crawl == from_crawl]

    def _stop_common_terms(self) -> None:
        labels = self.labels()
        if len(labels) < LEAST_TO_STOP or not _enough(self.topic.training):
            return
        both = _common(self.rows(True)) & _common(self.rows(False))
        self.vocabulary.stop(both)
        stopped = np.array(sorted(both), np.int32)
        for texts in (self._training, self._evaluation, self._background, self._relevant_set):
            texts[:] = [np.where(np.isin(text, stopped), -1, text) for text in texts]


def _common(rows: TokenRows) -> set[int]:
    """The token ids in more than half of the rows."""
    distinct = np.concatenate([np.unique(rows.row(i)) for i in range(len(rows))])
    tokens, counts = np.unique(distinct, return_counts=True)
    return set(tokens[2 * counts > len(rows)].tolist())


def _language_of(topic: Topic) -> str | None:
    """The language of the examples; without any, that of the topic's words, or else that of other
    texts."""
    texts: list[Sequence[str]] = [*_texts(topic)]
    if texts:
        return detect_languages(texts)
    own = [words(f"{wanted_part(topic.description)} {' '.join(topic.keywords)}")]
    others = [*(d.words for d in topic.background), *topic.background_texts]
    return detect_languages(own) or (detect_languages(others) if others else None)


def _texts(topic: Topic) -> Iterable[Sequence[str]]:
    for example in (*topic.training, *topic.evaluation):
        yield example.document.words[: example.document.visible]


def _labels(examples: Sequence[Example]) -> NDArray[np.bool_]:
    return np.array([example.relevant for example in examples], np.bool_)


def _weights(examples: Sequence[Example]) -> Floats:
    return np.array([example.weight for example in examples], np.float64)


def _enough(examples: Sequence[Example]) -> bool:
    positive = sum(example.relevant for example in examples)
    return min(positive, len(examples) - positive) >= LEAST_EXAMPLES
