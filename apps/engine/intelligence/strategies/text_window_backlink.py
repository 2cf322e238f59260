"""Text Window BackLink: scores windows by a classifier trained on windows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal, Self

import numpy as np

from apps.engine.codes import Need
from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.classifying.classifiers import TextClassifier
from apps.engine.intelligence.classifying.text_scoring import link_probabilities
from apps.engine.intelligence.strategies.classified import Classified, Classifier, Idf, Weighting
from apps.engine.intelligence.strategies.parameters import NumberRange, Symbol
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Document, Floats, Ints, Spans, TokenRows, Visit
from apps.engine.parsing.contexts.window import window
from apps.engine.topics import Example

PER_EXAMPLE = 10
MIRRORS = ("directory.google.com", "dmoz")
Addresses = tuple[str, ...]


class TextWindowBacklink(Classified):
    """Gives a link P(c|window) by a classifier trained on windows around links to the examples.

    LC §10.4. The windows come from back-link pages: positive ones around links to positive
    examples, negative ones around links to negative examples and to other topics' positive
    examples, at most ten per example. There are as many positive windows, drawn at random, as
    positive pages, so that the training set is as large as that of the other crawlers, and twice as
    many negative ones. Back-links from directory.google.com or dmoz, mirrors of the directory, are
    left out.

    Parameters:
        window: the number of words around the anchor, in training and in the crawl.
        edge: at a page's edge, fill extends the window on the other side; cut makes it shorter.
    """

    formula = "P(c|window), by the classifier of windows"
    id = "text_window_backlink"
    title = "Text window, back-links"
    paper = "LC"
    section = "LC §10.4"
    advice = "If you have pages that link to the examples; in LC, Text window did better."
    needs = frozenset({Need.EXAMPLES, Need.BACKLINKS})

    def __init__(
        self,
        *,
        window: Annotated[int, NumberRange(0, 400), Symbol("T")] = 40,
        edge: Literal["fill", "cut"] = "fill",
        classifier: Classifier = "svm",
        weighting: Weighting = "smart",
        idf: Idf = "examples",
    ) -> None:
        super().__init__(classifier=classifier, weighting=weighting, idf=idf)
        self.window = window
        self.edge: Literal["fill", "cut"] = edge

    def fit(self, topic: TopicModel) -> Self:
        super().fit(topic)
        examples = topic.topic.training
        positives = [_addresses(example) for example in examples if example.relevant]
        negatives = [_addresses(example) for example in examples if not example.relevant]
        chance = np.random.default_rng(topic.seed)
        favouring = _sample(self._windows(topic, positives), len(positives), chance)
        against = self._windows(topic, [*negatives, *topic.topic.other_positives])
        opposing = _sample(against, 2 * len(favouring), chance)
        rows = TokenRows.of([*favouring, *opposing])
        labels = np.repeat([1, 0], [len(favouring), len(opposing)]).astype(np.int32)
        self.window_classifier_ = TextClassifier(
            self.classifier,
            self.weighting,
            topic.seed,
            background=topic.world() if self.latent and self.classifier != "nb" else None,
            soft=self.latent and self.classifier == "svm",
        ).fit(rows, labels, idf_texts=topic.background() if self.idf == "background" else None)
        return self

    def _windows(self, topic: TopicModel, examples: Sequence[Addresses]) -> list[Ints]:
        """The windows around links to these examples, at most ten per example, as token ids.

        Links to the requested or final URL of an example count. Mirrors of the directory are left
        out, since they only repeat its editors' descriptions.
        """
        windows_of: list[list[Ints]] = [[] for _ in examples]
        example_of = {url: i for i, addresses in enumerate(examples) for url in addresses}
        for document in topic.topic.backlinks:
            if any(mirror in document.url.lower() for mirror in MIRRORS):
                continue
            for url, tokens in self._contexts(topic, document):
                if url in example_of and len(windows_of[example_of[url]]) < PER_EXAMPLE:
                    windows_of[example_of[url]].append(tokens)
        return [tokens for windows in windows_of for tokens in windows]

    def _contexts(self, topic: TopicModel, document: Document) -> Iterator[tuple[str, Ints]]:
        tokens = topic.vocabulary.encode(document.words)
        rows = TokenRows.gather(tokens, window(document, self.window, self.edge))
        for occurrence, target in enumerate(document.links.target.tolist()):
            yield document.links.urls[target], rows.row(occurrence)

    def score_links(self, visit: Visit) -> Floats:
        return link_probabilities(self.window_classifier_, visit, self.context(visit))

    def context(self, visit: Visit) -> Spans:
        return window(visit.document, self.window, self.edge)

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        return {"P(c|window)": float(self.score_links(visit)[link])}


def _addresses(example: Example) -> Addresses:
    """The requested and the final URL of the example."""
    return example.url, example.document.url


def _sample(windows: list[Ints], count: int, chance: np.random.Generator) -> list[Ints]:
    """A random sample of the windows, in order. Raises NeedsMissing with fewer than two."""
    if len(windows) < 2:
        raise NeedsMissing(
            Need.BACKLINKS, "needs pages with links to the positive and the negative examples"
        )
    if len(windows) <= count:
        return windows
    return [windows[i] for i in sorted(chance.choice(len(windows), count, replace=False))]
