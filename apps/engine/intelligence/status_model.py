"""Predicts the status of a page from the page itself (SL §4.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Self

import numpy as np

from apps.engine import urls
from apps.engine.codes import Need
from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.classifying.calibration import logistic
from apps.engine.intelligence.classifying.page_memory import PageMemory
from apps.engine.intelligence.m5 import ModelTree
from apps.engine.model import Document, Floats, Ints, TokenRows
from apps.engine.representation.weightings.base import background_idf, occurrences
from apps.engine.topics import Example

FEATURES = (
    "information volume",
    "location",
    "specificity",
    "brokerage",
    "link ratio",
    "quantitative ratio",
    "domain traffic",
)
LEAST_EXAMPLES = 4
CHARACTERISTIC_TERMS = 10
MOST_VISITED = 1e6

_LOGGED = np.array([True, True, False, True, True, True, True])


def features(
    document: Document, tokens: Ints, url: str, idf: Floats, traffic: Mapping[str, int]
) -> Floats:
    """The seven characteristics of a page, in the order of `FEATURES`.

    ln(1 + x) of each, except specificity, which is a mean of logarithms already. Words are all
    words of the visible text, but for information volume only those with a token id. Location
    counts sub-directories, brokerage distinct links to other pages; the ratios are links and
    numbers per word. `tokens` are aligned with the document's words; `idf` has one entry per token
    id, the last for all later ids; `traffic` ranks hosts or registered domains, 1 for the most
    visited. **Choice**: traffic is 10⁶/rank instead of the discontinued reach service, and 0
    without a rank.
    """
    sizes = document.sizes
    terms = tokens[: sizes.words]
    terms = terms[terms >= 0]
    words = max(1, sizes.words)
    values = np.array(
        [
            len(terms),
            urls.path_depth(url),
            _specificity(terms, idf),
            sizes.targets,
            sizes.links / words,
            sizes.numbers / words,
            _reach(url, traffic),
        ],
        dtype=np.float64,
    )
    return np.log1p(values, out=values, where=_LOGGED)


def term_idf(rows: TokenRows, tokens: int) -> Floats:
    """ln((N + 1)/(df + 1)) of each of `tokens` token ids, and a last entry for later ids."""
    return background_idf(rows, None, tokens + 1)


class StatusModel:
    """σ = 1/(1 + e^−(x − θ)), x the prediction of ln(1 + in-links) by an M5' tree.

    `idf` as in `features`, over the background collection (**Choice**); `traffic` likewise.

    Learned: `tree_`, `theta_` (the median prediction over the examples; in SL 2.82 for all topics,
    over an exploratory crawl) and `examples_`, the number of training examples.
    """

    def __init__(self, idf: Floats, traffic: Mapping[str, int]) -> None:
        self.idf = idf
        self.traffic = traffic
        self._of_pages: PageMemory[float] = PageMemory()

    def fit(
        self, examples: Sequence[Example], tokens: Sequence[Ints], inlinks: Mapping[str, int]
    ) -> Self:
        """Trains on the positive examples that have in-link counts (SL §5.1).

        `tokens` has one array per example. Raises NeedsMissing with fewer than four such examples.
        """
        rows = [
            (self.features(example.document, encoded, example.url), np.log1p(count))
            for example, encoded in zip(examples, tokens, strict=True)
            if example.relevant and (count := inlink_count(example, inlinks)) is not None
        ]
        if len(rows) < LEAST_EXAMPLES:
            raise NeedsMissing(
                Need.INLINKS,
                f"needs in-link counts of at least {LEAST_EXAMPLES} positive examples",
            )
        x = np.array([row for row, _ in rows])
        self.tree_ = ModelTree().fit(x, np.array([log for _, log in rows]))
        self.theta_ = float(np.median(self.tree_.predict(x)))
        self.examples_ = len(rows)
        return self

    def features(self, document: Document, tokens: Ints, url: str) -> Floats:
        """The seven characteristics of a page, with this model's idf and traffic."""
        return features(document, tokens, url, self.idf, self.traffic)

    def predict_log(self, characteristics: Floats) -> float:
        """The predicted ln(1 + in-links) of a page with these characteristics."""
        return self.tree_.predict_one(characteristics)

    def predict_page(self, document: Document, tokens: Ints, url: str) -> float:
        """The predicted ln(1 + in-links) of a page; see `features`."""
        return self._of_pages.recall(
            document.key, lambda: self.predict_log(self.features(document, tokens, url))
        )

    def status(self, log: float) -> float:
        """σ in (0, 1) of a predicted (or counted) ln(1 + in-links)."""
        return float(logistic(np.array(log - self.theta_)))

    def describe(self) -> str:
        """The tree as text, one line per node, after a sentence with θ and the examples."""
        head = f"Learned from {self.examples_} examples; status is 0.5 at {self.theta_:.2f}."
        return f"{head}\n{self.tree_.describe(FEATURES, 'ln(1 + in-links)')}"


def inlink_count(example: Example, inlinks: Mapping[str, int]) -> int | None:
    """The in-link count of an example's URL or of its final URL, or None."""
    return inlinks.get(example.url, inlinks.get(example.document.url))


def _specificity(tokens: Ints, idf: Floats) -> float:
    """The mean idf of the page's 10 terms with the highest tf·idf; 0 for a page without terms.

    Ties go to the term with the higher idf, whatever the terms' ids.
    """
    if not tokens.size:
        return 0.0
    entries = occurrences(TokenRows.one(tokens))
    rarity = idf.take(entries.column, mode="clip")
    weight = rarity * entries.count
    if len(weight) > CHARACTERISTIC_TERMS:
        best = weight >= np.partition(weight, -CHARACTERISTIC_TERMS)[-CHARACTERISTIC_TERMS]
        rarity, weight = rarity[best], weight[best]
    return float(rarity[np.lexsort((-rarity, -weight))[:CHARACTERISTIC_TERMS]].mean())


def _reach(url: str, traffic: Mapping[str, int]) -> float:
    if not traffic:
        return 0.0
    host = urls.host(url)
    rank = traffic.get(host) or traffic.get(urls.registered_domain(host))
    return MOST_VISITED / rank if rank else 0.0
