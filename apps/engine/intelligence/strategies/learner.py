"""The learner: adds up all the evidence on a link, and learns on line what each part is worth."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from apps.engine.codes import Need
from apps.engine.intelligence.classifying.calibration import logistic
from apps.engine.intelligence.classifying.text_scoring import scores_of_each
from apps.engine.intelligence.evidence.learned_weights import LearnedWeights
from apps.engine.intelligence.evidence.link_evidence import LinkEvidence, means, texts_of, with_page
from apps.engine.intelligence.evidence.link_knowledge import (
    ADDRESS,
    PARENTS,
    PARTS,
    LinkKnowledge,
)
from apps.engine.intelligence.flat_state import joined, part_of
from apps.engine.intelligence.strategies.base import Frontier, Moved
from apps.engine.intelligence.strategies.classified import topicality
from apps.engine.intelligence.strategies.explains import Explains
from apps.engine.intelligence.strategies.parameters import Range
from apps.engine.intelligence.strategies.relearns import Reads, Relearns
from apps.engine.intelligence.strategies.terms import Term
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Document, Floats, Judgement, Longs, Spans, TokenRows, Visit
from apps.engine.parsing.address import address_words
from apps.engine.parsing.contexts.anchor import anchor
from apps.engine.parsing.contexts.window import window

SHIPPED = MappingProxyType({
    "page": 0.1, "window": 0.15, "anchor": 0.15, "address": 0.2, "parents": 0.25, "siblings": 1.5,
    "place": 0.1,
})  # fmt: skip
EVIDENCE = MappingProxyType({
    "start": Term("Start", "what any link of this crawl starts with"),
    "page": Term("Page", "the words of the pages that link to it"),
    "window": Term("Window", "the words around its links"),
    "anchor": Term("Anchor", "the words in its links"),
    "address": Term("Address", "the words of its address"),
    "parents": Term("Parents", "the number of known pages that link to it"),
    "siblings": Term("Siblings", "the other pages that its parents link to"),
    "place": Term("Place", "the pages fetched from its host and folder"),
})
START = -1.0
CERTAIN = 6.0
"""No text says more than e⁶ to 1, so that none outweighs everything else."""
TENTH = 10
TOLD = 0.95
"""What a person's label makes of the chance that a page is on the topic: people err, too."""


@dataclass(frozen=True, slots=True)
class TextOdds:
    """The log-odds of a page's text, of each link's window and anchor, and of new addresses."""

    page: float
    windows: Floats
    anchors: Floats
    addresses: Floats


class Learner(Explains, Relearns):
    """Gives a link the chance σ(start + Σ weight·part) that its target is on the topic.

    Seven parts of evidence on a URL, most of them log-odds: the pages that link to it, the words
    around these links and in them (each the mean over all its known parents), the words of its
    address, ln(1 + parents), how the other pages that its parents link to turned out, and how those
    of its host and folder did. Texts are judged by a linear SVM on whole pages; with a background,
    document frequencies and 50 latent directions come from there.

    The weights that it starts with were chosen on webs of several kinds. From 30 judged pages on it
    fits them to what became of the links it chose, by its own classifier's P(c|v): never by the
    judge that measures it. **Choice**: weights, places and the crawl's mean are renewed whenever
    the crawl has grown by a tenth, and then all waiting links are ranked again; between, only links
    with new evidence are, so that a page costs the same however many links wait.

    A person's label of a page takes the place of its own judgement at once: for the links of that
    page, for the other links of its parents, for its host and folder, and for the weights.

    Parameters:
        window: the number of words around the anchor.
        hold: how firmly the weights are held at those it starts with; at 1,000 they hardly move.
        reorders_every: pages between two rankings.
        background: whether unlabelled pages count, if the topic has any.
    """

    formula = "σ(start + Σ weight·part)"
    id = "learner"
    title = "Learner"
    paper = "Crawlsite"
    section = "Crawlsite"
    advice = (
        "The first to try with examples: it adds up all evidence on a link and adapts to the web."
        " It found more targets than the best published strategy on four webs of five, and on three"
        " of them, Cora and two made ones, it is shown to be better than each."
    )
    needs = frozenset({Need.EXAMPLES})
    scores = "urls"
    reads: ClassVar[Reads] = "text"
    learns_from_pages = True
    heeds = True
    legend = EVIDENCE
    sums_to = "a chance"
    shipped: Mapping[str, float] = SHIPPED

    def __init__(
        self,
        *,
        window: Annotated[int, Range(0, 400)] = 40,
        hold: Annotated[float, Range(0.1, 1000)] = 15.0,
        reorders_every: Annotated[int, Range(1, 100_000)] = 10,
        background: bool = True,
    ) -> None:
        self.window = window
        self.hold = hold
        self.reorders_every = reorders_every
        self.background = background

    def used(self) -> frozenset[Need]:
        return frozenset({Need.BACKGROUND}) if self.background else frozenset()

    def fit(self, topic: TopicModel) -> Self:
        latent = self.background and topic.has_background
        self.classifier_ = topic.classifier(
            idf="background" if latent else "examples", latent=latent
        )
        self.vocabulary_ = topic.vocabulary
        self.known_ = LinkKnowledge()
        shipped = np.array([self.shipped[part] for part in PARTS])
        self.weights_ = LearnedWeights(shipped, START, self.hold)
        self.pages_, self.renewed_at_, self.relearns_ = 0, 0, False
        self.told_: dict[int, tuple[float, float]] = {}  # by page: the label's τ, its own
        self._chosen_by = np.zeros(len(PARTS))
        self._read_last: tuple[Document, Longs, TextOdds] | None = None
        return self

    def judge(self, visit: Visit) -> Judgement:
        return Judgement(topicality=self.classifier_.of_pages.recall(
            visit.document.key, lambda: self._chance_of_page(visit)))

    def learn(self, visit: Visit) -> None:
        self.pages_ += 1
        page = np.array([visit.url_number])
        self._chosen_by = self.known_.parts(page)[0]
        if not visit.document.needs_javascript:
            if self._chosen_by[PARENTS] > 0:
                self.weights_.add(visit.url_number, self._chosen_by, topicality(visit))
            self.known_.judge(visit.url_number, visit.url, topicality(visit))
        self._add_links(visit)

    def heed(self, page: int, url: str, relevant: bool | None) -> None:
        now = self.known_.siblings.judgement.one(page)
        if math.isnan(now):  # a page that needs scripts, or that it has not learned from
            return
        _, tau = self.told_.pop(page, (now, now))
        if relevant is not None:
            said = TOLD if relevant else 1 - TOLD
            self.told_[page], tau = (said, tau), said
        self.known_.correct(page, url, tau, _page_odds(tau) - _page_odds(now))
        self.weights_.correct(page, tau)
        self._renew_all()

    def _renew_all(self) -> None:
        """Has the next `rescore` rank all waiting URLs."""
        self.renewed_at_ = -self.reorders_every

    def _add_links(self, visit: Visit) -> None:
        links = distinct(visit)
        new = self._new(visit, links)
        texts, addresses = self._read(visit, new)
        self.known_.add(visit.url_number, visit.link_numbers[links], texts[links])
        self.known_.name(visit.link_numbers[new], [visit.links.urls[i] for i in new], addresses)

    def score_links(self, visit: Visit) -> Floats:
        return self._chances(visit.link_numbers, self._parts(visit))

    def read_again(self, visit: Visit) -> NDArray[np.float64]:
        return self._read(visit, _NONE)[0]

    def forget_pages(self) -> None:
        """Keeps the weights, and of what they were learned from the parts that are no texts."""
        self._judged_before = self.known_.siblings.judgement
        self._order = self.known_.siblings.order()
        self._early = LinkEvidence()
        self.known_.forget()
        self.relearns_ = True
        self._renew_all()

    def relearn_page(self, visit: Visit, read: Any) -> None:
        """Of the texts of a page's links only those count for the weights that were known when the
        page was chosen: pages fetched later that link to it would make texts seem to tell more
        than they do of waiting links."""
        page, tau = visit.url_number, topicality(visit)
        if page in self.told_:
            self.told_[page] = said, _ = self.told_[page][0], tau
            tau, read = said, with_page(read, _page_odds(said))
        if not math.isnan(self._judged_before.one(page)):
            self.known_.judge(page, visit.url, tau)
        links = distinct(visit)
        urls = visit.link_numbers[links]
        self.known_.add(page, urls, read[links])
        later = self._order[urls] > self._order.one(page)
        self._early.add(urls[later], read[links][later])
        self.weights_.reread(urls[later], means(self._early.rows(urls[later])))

    def rescore(self, frontier: Frontier) -> Floats | Moved:
        """All waiting URLs when the crawl has grown by a tenth, else those with new evidence."""
        grown = self.pages_ - self.renewed_at_
        if grown >= max(self.reorders_every, self.renewed_at_ // TENTH):
            self.renewed_at_ = self.pages_
            self.known_.refresh()
            if self.relearns_:
                self._relearn_weights(frontier)
            self.weights_.learn()
            return self._rank_all(frontier)
        changed = self.known_.update()
        waiting = frontier.waiting_among(changed)
        return Moved(waiting, self._chances(waiting, self.known_.parts(waiting)))

    def _rank_all(self, frontier: Frontier) -> Floats:
        return self._chances(frontier.numbers, self.known_.parts(frontier.numbers))

    def context(self, visit: Visit) -> Spans:
        return window(visit.document, self.window)

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        """What each part adds to the log-odds."""
        return self._terms(self._parts(visit)[link])

    def chosen_by(self, telemetry: Mapping[str, float]) -> Mapping[str, float] | None:
        return {term: telemetry[term] for term in self.legend}

    def telemetry(self) -> dict[str, float]:
        """What each part added to the log-odds of the page just fetched, and each weight."""
        weights = zip(PARTS, self.weights_.parts.tolist(), strict=True)
        terms = self._terms(self._chosen_by)
        return {**terms, **{f"weight_{part}": weight for part, weight in weights}}

    def leading_terms(self, urls: Longs) -> list[str]:
        return leading(PARTS, self.known_.parts(urls) * self.weights_.parts)

    def _terms(self, parts: Floats) -> dict[str, float]:
        added = zip(PARTS, (parts * self.weights_.parts).tolist(), strict=True)
        return {"start": self.weights_.start, **dict(added)}

    def _chances(self, urls: Longs, parts: NDArray[np.float64]) -> Floats:
        return logistic(self._odds(parts))

    def _odds(self, parts: NDArray[np.float64]) -> Floats:
        # Not `parts @ …`: the last bit of BLAS's sums depends on the number of rows.
        odds: Floats = (parts * self.weights_.parts).sum(axis=1) + self.weights_.start
        return odds

    def _parts(self, visit: Visit) -> NDArray[np.float64]:
        """One row for each of the page's links, whether the page has been learned from or not."""
        if self.known_.siblings.knows(visit.url_number):
            return self.known_.parts(visit.link_numbers)
        new = self._new(visit, np.arange(len(visit.links)))
        texts, odds = self._read(visit, new)
        addresses = np.zeros(len(visit.links))
        addresses[new] = odds
        return self.known_.parts(visit.link_numbers, np.column_stack((texts, addresses)))

    def _read(self, visit: Visit, new: Longs) -> tuple[NDArray[np.float64], Floats]:
        """What the page adds to the texts of each of its links, and the log-odds of the words of
        the `new` links' addresses."""
        odds = self._texts(visit, new)
        page = _page_odds(topicality(visit))
        best = visit.links.best
        texts = texts_of(page, bounded(best(odds.windows)), bounded(best(odds.anchors)))
        return texts, bounded(odds.addresses)

    def _new(self, visit: Visit, links: Longs) -> Longs:
        """Those of the page's links that lead to URLs to which it knows no other link."""
        urls = visit.link_numbers[links]
        new: Longs = links[(urls >= 0) & (self.known_.texts.links(urls) == 0)]
        return new

    def _texts(self, visit: Visit, new: Longs) -> TextOdds:
        """What the classifier says of all texts of a page at once, which costs less than lot by lot
        when it is judged and when it is learned from."""
        last = self._read_last
        if last is None or last[0] is not visit.document or not np.array_equal(last[1], new):
            found = scores_of_each(
                self.classifier_.log_odds,
                visit.page(),
                visit.rows(self.context(visit)),
                visit.rows(anchor(visit.document)),
                self._address_rows([visit.links.urls[link] for link in new.tolist()]),
            )
            last = self._read_last = visit.document, new, TextOdds(found[0][0], *found[1:])
        return last[2]

    def _chance_of_page(self, visit: Visit) -> float:
        texts = self._texts(visit, self._new(visit, distinct(visit)))
        return float(logistic(np.array(texts.page)))

    def _address_rows(self, urls: Sequence[str]) -> TokenRows:
        # Numbers have no token id; without them the vocabulary need not remember each.
        return self.vocabulary_.encode_addresses(
            [[word for word in words if not word.isdigit()] for words in address_words(urls)])

    def _relearn_weights(self, frontier: Frontier) -> None:
        """Brings addresses, and what the weights are learned from, up to date after labels."""
        self.relearns_ = False
        pages = self.weights_.pages
        urls = np.concatenate((frontier.numbers, pages))
        rows = self._address_rows([frontier.url(number) for number in urls.tolist()])
        self.known_.texts.read_addresses(urls, bounded(self.classifier_.log_odds(rows)))
        texts = self.known_.parts(pages)
        self.weights_.replace(ADDRESS, texts[:, ADDRESS], self.known_.siblings.judgement[pages])

    def state(self) -> dict[str, Any]:
        parts = joined({"known": self.known_.state(), "weights": self.weights_.state()})
        told = np.array([(page, *taus) for page, taus in self.told_.items()]).reshape(-1, 3)
        return {**parts, "pages": self.pages_, "renewed_at": self.renewed_at_,
                "relearns": self.relearns_, "told": told}

    def restore(self, state: Mapping[str, Any]) -> None:
        self.known_.restore(part_of(state, "known"))
        self.weights_.restore(part_of(state, "weights"))
        self.pages_, self.renewed_at_ = int(state["pages"]), int(state["renewed_at"])
        self.relearns_ = bool(state["relearns"])
        self.told_ = {int(page): (said, own) for page, said, own in state["told"].tolist()}


_NONE = np.empty(0, np.int64)


def leading(terms: Sequence[str], added: NDArray[np.float64]) -> list[str]:
    """The term of the largest value in each row of URLs × terms, empty if none is above 0."""
    best = added.argmax(axis=1)
    return [terms[at] if row[at] > 0 else "" for row, at in zip(added, best, strict=True)]


def bounded(odds: Floats) -> Floats:
    # np.clip takes twice the time on short arrays.
    return np.minimum(np.maximum(odds, -CERTAIN), CERTAIN)


def _page_odds(tau: float) -> float:
    if tau in (0.0, 1.0):
        return CERTAIN if tau else -CERTAIN
    return min(max(math.log(tau) - math.log1p(-tau), -CERTAIN), CERTAIN)


def distinct(visit: Visit) -> Longs:
    """The places of the page's links to different URLs other than itself, in order."""
    # For the links of a page a dictionary is faster than sorting them.
    first = {url: place for place, url in reversed([*enumerate(visit.link_numbers.tolist())])}
    first.pop(visit.url_number, None)
    return np.array(sorted(first.values()), np.int64)
