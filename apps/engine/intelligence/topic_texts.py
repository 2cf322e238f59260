"""The texts of a topic as token rows: examples, background, keywords."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from apps.engine.codes import Need
from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.classifying.classifiers import LEAST_EXAMPLES
from apps.engine.intelligence.cold_start.exclusions import wanted_part
from apps.engine.intelligence.cold_start.subject import Subject, suffices
from apps.engine.model import Document, Floats, Ints, TokenRows
from apps.engine.parsing.words import words
from apps.engine.representation.language_detection import detect_languages
from apps.engine.representation.tokens import Vocabulary
from apps.engine.representation.vectors.meanings import NO_MEANINGS, Meanings, TokenVectors
from apps.engine.topics import Example, Topic

IdfSource = Literal["examples", "background"]

LEAST_TO_STOP = 4
_NO_TOKENS = np.empty(0, np.int32)


class TopicTexts:
    """The texts of one topic, encoded at once in a fixed order, so that token ids depend only on
    the topic.

    To continue a crawl after examples were added, pass its restored vocabulary; of a topic whose
    texts were encoded before, their `state`. `language` is the topic's, or detected from its
    examples; it may list several languages.

    **Choice**: in an unknown language, terms that occur in more than half of the positive and more
    than half of the negative examples become stop words (a term of all positives may be the topic).
    A vocabulary that is passed in keeps its stop words and gets no others.
    """

    def __init__(
        self,
        topic: Topic,
        vocabulary: Vocabulary | None = None,
        state: Mapping[str, Any] | None = None,
    ) -> None:
        self.topic = topic
        if state is None:
            self._encode(topic, vocabulary)
        else:
            self._restore(state)
        self.language = self.vocabulary.language
        self._initial = self.vocabulary.copy()

    def _encode(self, topic: Topic, vocabulary: Vocabulary | None) -> None:
        is_new = vocabulary is None
        if vocabulary is None:
            vocabulary = Vocabulary(topic.language or _language_of(topic))
        self.vocabulary = vocabulary
        self._keywords = vocabulary.encode_keywords(words(" ".join(topic.keywords)))
        self._training = [self.tokens(example.document) for example in topic.training]
        self._evaluation = [self.tokens(example.document) for example in topic.evaluation]
        self._background = [
            *(self.tokens(document) for document in topic.background),
            *map(vocabulary.encode, topic.background_texts),
        ]
        self._relevant_set = [self.tokens(example.document) for example in topic.relevant_set]
        vocabulary.show_usual_forms(_texts(topic))
        if vocabulary.language is None and is_new:
            self._stop_common_terms()
        self._description = _NO_TOKENS
        if not suffices(topic.training):
            self._description = vocabulary.encode(words(wanted_part(topic.description)))

    def state(self) -> dict[str, Any]:
        """The texts as they are before any crawl, as arrays and plain values; with addresses and
        sizes of the examples' documents, which need not be parsed for them."""
        return {
            "vocabulary": self._initial.state(),
            "keywords": self._keywords,
            "description": self._description,
            "training": _joined(self._training),
            "evaluation": _joined(self._evaluation),
            "background": _joined(self._background),
            "relevant_set": _joined(self._relevant_set),
            "examples": {
                e.url: [e.document.url, *e.document.sizes]
                for e in (*self.topic.evaluation, *self.topic.training)
            },
        }

    def _restore(self, state: Mapping[str, Any]) -> None:
        self.vocabulary = Vocabulary.of_state(state["vocabulary"])
        self._keywords, self._description = state["keywords"], state["description"]
        self._training = _parted(state["training"])
        self._evaluation = _parted(state["evaluation"])
        self._background = _parted(state["background"])
        self._relevant_set = _parted(state["relevant_set"])

    def tokens(self, document: Document) -> Ints:
        """The token ids of a document's visible words, or only of its main text if that is all that
        is read."""
        return document.text_of(self.vocabulary.encode(document.words[: document.visible]))

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
            relevant=labels_of([e for e, _ in judged]),
            labelled=np.array([e.from_crawl for e, _ in judged], np.bool_),
            others=TokenRows.of([*self._background, *(t for e, t in pairs if e.is_unjudged)]),
            meanings=self._meanings(),
        )

    def _meanings(self) -> Meanings:
        vectors = self.topic.vectors
        return Meanings(TokenVectors(vectors, self.vocabulary)) if vectors else NO_MEANINGS

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
        return labels_of(self.topic.training)

    def weights(self) -> Floats:
        """The weights of the training pages, in the order of `rows()`."""
        return weights_of(self.topic.training)

    def are_judged(self) -> NDArray[np.bool_]:
        """Whether somebody has judged each training page, in the order of `rows()`."""
        return np.array([not example.is_unjudged for example in self.topic.training], np.bool_)

    @property
    def is_measurable(self) -> bool:
        """Whether somebody has judged enough training pages of both kinds to measure a classifier
        by."""
        return are_enough([e.relevant for e in self.topic.training if not e.is_unjudged])

    def choose_measuring_pages(self) -> NDArray[np.bool_]:
        """Which training pages show whether the guide can tell: those that somebody has judged.

        **Choice**: all of them where these are too few. Gathered pages that are on the topic make
        the guide seem worse, so that it is not trusted too soon.
        """
        return self.are_judged() if self.is_measurable else np.ones(len(self._training), np.bool_)

    def query(self) -> TokenRows:
        """The keywords as one row. Raises NeedsMissing if all are stop words."""
        row = TokenRows.of([self._keywords])
        if not row.ids.size:
            raise NeedsMissing(Need.KEYWORDS)
        return row

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
        if len(labels) < LEAST_TO_STOP or not are_enough([e.relevant for e in self.topic.training]):
            return
        both = _common(self.rows(True)) & _common(self.rows(False))
        self.vocabulary.stop(both)
        stopped = np.array(sorted(both), np.int32)
        for texts in (self._training, self._evaluation, self._background, self._relevant_set):
            texts[:] = [np.where(np.isin(text, stopped), -1, text) for text in texts]


def _joined(texts: Sequence[Ints]) -> dict[str, Any]:
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    return {"tokens": np.concatenate([_NO_TOKENS, *texts]), "ends": ends}


def _parted(joined: Mapping[str, Any]) -> list[Ints]:
    ends = joined["ends"]
    return np.split(joined["tokens"], ends[:-1]) if len(ends) else []


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


def labels_of(examples: Sequence[Example]) -> NDArray[np.bool_]:
    """Whether each example is relevant."""
    return np.array([example.relevant for example in examples], np.bool_)


def weights_of(examples: Sequence[Example]) -> Floats:
    """The weight of each example."""
    return np.array([example.weight for example in examples], np.float64)


def are_enough(relevant: Sequence[bool]) -> bool:
    """Whether a classifier can be trained on examples, of which these say whether they are
    relevant."""
    return min(sum(relevant), len(relevant) - sum(relevant)) >= LEAST_EXAMPLES
