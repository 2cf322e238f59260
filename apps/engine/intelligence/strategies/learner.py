"""The learner: adds up all the evidence on a link, and learns on line what each part is worth."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from apps.engine.codes import Need
from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.cold_start.cold_start import BASES, ColdStart
from apps.engine.intelligence.cold_start.page_readings import PageReadings
from apps.engine.intelligence.evidence.early_texts import EarlyTexts
from apps.engine.intelligence.evidence.learned_weights import LearnedWeights
from apps.engine.intelligence.evidence.link_knowledge import (
    ADDRESS,
    PARENTS,
    PARTS,
    LinkKnowledge,
)
from apps.engine.intelligence.evidence.page_labels import PageLabels
from apps.engine.intelligence.evidence.text_reader import (
    NO_LINKS,
    TextReader,
    bounded_odds_of,
    distinct_links,
)
from apps.engine.intelligence.flat_state import joined, part_of
from apps.engine.intelligence.strategies.base import Moved, WaitingUrls
from apps.engine.intelligence.strategies.classified import topicality
from apps.engine.intelligence.strategies.parameters import NumberRange
from apps.engine.intelligence.strategies.relearns import Reads, Relearns
from apps.engine.intelligence.strategies.text_evidence import TextEvidence
from apps.engine.intelligence.strategies.weighted_evidence import START
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Visit

TENTH = 10


class Learner(TextEvidence, Relearns):
    """Gives a link the chance σ(start + Σ weight·part) that its target is on the topic.

    Seven parts of evidence on a URL, most of them log-odds: the pages that link to it, the words
    around these links and in them (each the mean over all its parents), the words of its
    address, ln(1 + parents), how the other pages that its parents link to turned out, and how those
    of its host and folder did. Texts are judged by a linear SVM on whole pages; with a background,
    document frequencies and 50 latent directions come from there.

    The weights that it starts with were chosen on webs of several kinds. From 30 judged pages on it
    fits them to what became of the links it chose, by its own classifier's P(c|v): never by the
    judge that measures it. **Choice**: weights, sections and the crawl's mean are renewed whenever
    the crawl has grown by a tenth, and then all waiting links are ranked again; between, only links
    with new evidence are, so that a page costs the same however many links wait.

    A topic with words but without examples begins with its words (`cold_start`): they judge texts
    in the classifier's place, and from page 50 on so does what the crawl teaches itself, with the
    weights held. With 20 labels on the topic and 40 off it, the classifier takes over.

    A person's label of a page replaces its own judgement at once: for the links of that
    page, for the other links of its parents, for its host and folder, and for the weights. While
    words guide, a page labelled off the topic teaches the guide alone.

    Parameters:
        window: the number of words around the anchor.
        hold: how firmly the weights are held at those it starts with; at 1,000 they hardly move.
        reorders_every: pages between two rankings.
        background: whether unlabelled pages count, if the topic has any.
    """

    id = "learner"
    title = "Learner"
    paper = "Crawlsite"
    section = "Crawlsite"
    advice = (
        "To try first. Without examples it begins with the topic's words, and teaches itself. With"
        " examples Experts, which mixes it with others, does as well: on five webs neither"
        " is shown to be better. It adds up all evidence on a link and adapts to the web."
        " It reached more targets than the best published strategy on four webs of five, and on"
        " three of them, Cora and two made ones, it is shown to be better than each."
    )
    needs = frozenset({Need.SUBJECT})
    scores = "urls"
    reads: ClassVar[Reads] = "text"
    counts_labels = True

    def __init__(
        self,
        *,
        window: Annotated[int, NumberRange(0, 400)] = 40,
        hold: Annotated[float, NumberRange(0.1, 1000)] = 15.0,
        reorders_every: Annotated[int, NumberRange(1, 100_000)] = 10,
        background: bool = True,
    ) -> None:
        self.window = window
        self.hold = hold
        self.reorders_every = reorders_every
        self.background = background

    def used(self) -> frozenset[Need]:
        return frozenset({Need.BACKGROUND}) if self.background else frozenset()

    def fit(self, topic: TopicModel) -> Self:
        by_words = Need.SUBJECT in self.needs and topic.begins_with_words
        self.words_ = ColdStart(topic.subject()) if by_words else None
        # A guide of words reads the pages again itself, when it is renewed.
        self.learns_from_pages = self.words_ is None
        if self.words_ is None:
            self._train(topic)
        guide = self.classifier_ if self.words_ is None else self.words_
        self.texts_ = TextReader(guide, topic.vocabulary, self.window)
        self.knowledge_ = LinkKnowledge()
        shipped = np.array([self.shipped[part] for part in PARTS])
        self.weights_ = LearnedWeights(shipped, START, self.hold)
        self.site_lists_ = PageReadings()
        self.pages_, self.renewed_at_, self.relearns_ = 0, 0, False
        self.labels_ = PageLabels(by_words)
        self._chosen_by, self._chosen_on = np.zeros(len(PARTS)), self.basis
        return self

    def _train(self, topic: TopicModel) -> None:
        latent = self.background and topic.has_background
        try:
            self.classifier_ = topic.classifier(
                idf="background" if latent else "examples", latent=latent
            )
        except NeedsMissing:
            if Need.SUBJECT not in self.needs:
                raise
            raise NeedsMissing(Need.SUBJECT, "needs a description, keywords or examples") from None

    def learn(self, visit: Visit) -> None:
        self.pages_ += 1
        page = np.array([visit.url_number])
        self._chosen_by, self._chosen_on = self.knowledge_.parts(page)[0], self.basis
        if visit.document.can_be_judged:
            tau = self._tau(visit)
            if self._chosen_by[PARENTS] > 0:
                self.weights_.add(visit.url_number, self._chosen_by, tau)
            self.knowledge_.judge(visit.url_number, visit.url, tau)
        self._add_links(visit)

    def count_label(self, page: int, url: str, relevant: bool | None) -> None:
        now = self.knowledge_.siblings.judgement.one(page)
        if math.isnan(now):  # a page that needs scripts, or that it has not learned from
            return
        tau = self.labels_.set(page, relevant, now)
        difference = bounded_odds_of(tau) - bounded_odds_of(now)
        self.knowledge_.correct(page, url, tau, difference)
        if self.words_ is not None:
            self.words_.pages.correct(page, difference)
        self.weights_.correct(page, tau)
        self._renew_all()

    def _renew_all(self) -> None:
        """Makes the next `rescore` rank all waiting URLs."""
        self.renewed_at_ = -self.reorders_every

    def read_again(self, visit: Visit) -> NDArray[np.float64]:
        return self._read(visit, NO_LINKS)[0]

    def forget_pages(self) -> None:
        """Keeps the weights, and the parts of their training data that are not texts."""
        self._early = EarlyTexts(self.knowledge_.siblings)
        self.knowledge_.forget()
        for read in self.site_lists_:  # they are not among the pages
            self.knowledge_.add(read.number, read.targets, read.texts)
        self.relearns_ = True
        self._renew_all()

    def relearn_page(self, visit: Visit, read: Any) -> None:
        page = visit.url_number
        tau, read = self.labels_.judge_again(page, topicality(visit), read)
        if self._early.was_judged(page):
            self.knowledge_.judge(page, visit.url, tau)
        links = distinct_links(visit)
        urls = visit.link_numbers[links]
        self.knowledge_.add(page, urls, read[links])
        self.weights_.reread(*self._early.add(page, urls, read[links]))

    def rescore(self, frontier: WaitingUrls) -> Floats | Moved:
        """All waiting URLs when the crawl has grown by a tenth, else those with new evidence."""
        if self.words_ is not None and self.words_.is_due(self.pages_):
            self.words_.renew(self.pages_)
            self._read_pages_again(self.words_)
        grown = self.pages_ - self.renewed_at_
        if grown >= max(self.reorders_every, self.renewed_at_ // TENTH):
            self.renewed_at_ = self.pages_
            self.knowledge_.refresh()
            if self.relearns_:
                self._relearn_weights(frontier)
            if self.words_ is None:
                self.weights_.learn()
            return self._rank_all(frontier)
        changed = self.knowledge_.update()
        waiting = frontier.waiting_among(changed)
        return Moved(waiting, self._chances(waiting, self.knowledge_.parts(waiting)))

    def _read_pages_again(self, words: ColdStart) -> None:
        """Replaces the judgements of the pages' texts by those of the new guide."""
        for page in words.pages:
            visit = page.visit()
            read, _ = self._read(visit, NO_LINKS)
            tau, texts = self.labels_.judge_again(page.number, self._tau(visit), read[page.links])
            change = texts - page.texts
            if page.judges:
                self.knowledge_.judge_again(page.number, page.url, tau)
                self.weights_.correct(page.number, tau)
            self.knowledge_.texts.change(page.targets, change)
            page.texts = texts
        self.relearns_ = True
        self._renew_all()

    def telemetry(self) -> dict[str, float]:
        """The part of each kind of evidence in the log-odds of the page just fetched, each weight,
        and the index in `BASES` of the basis on which it was chosen."""
        weights = zip(PARTS, self.weights_.parts.tolist(), strict=True)
        terms = self._terms(self._chosen_by)
        basis = {"basis": float(BASES.index(self._chosen_on))}
        return {**terms, **{f"weight_{part}": weight for part, weight in weights}, **basis}

    def _relearn_weights(self, frontier: WaitingUrls) -> None:
        """Brings addresses, and what the weights are learned from, up to date after labels."""
        self.relearns_ = False
        pages = self.weights_.pages
        urls = np.concatenate((frontier.numbers, pages))
        addresses = self.texts_.addresses([frontier.url(number) for number in urls.tolist()])
        self.knowledge_.texts.read_addresses(urls, addresses)
        texts = self.knowledge_.parts(pages)
        self.weights_.replace(ADDRESS, texts[:, ADDRESS], self.knowledge_.siblings.judgement[pages])

    def state(self) -> dict[str, Any]:
        states = {"evidence": self.knowledge_.state(), "weights": self.weights_.state()}
        if len(self.site_lists_):
            states["site_lists"] = self.site_lists_.state()
        if self.words_ is not None:
            states["words"] = self.words_.state()
        parts = joined(states)
        return {
            **parts,
            "pages": self.pages_,
            "renewed_at": self.renewed_at_,
            "relearns": self.relearns_,
            "labels": self.labels_.state(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self.knowledge_.restore(part_of(state, "evidence"))
        self.weights_.restore(part_of(state, "weights"))
        if self.words_ is not None and (words := part_of(state, "words")):
            self.words_.restore(words)
        if lists := part_of(state, "site_lists"):
            self.site_lists_.restore(lists)
        self.texts_.forget()
        self.pages_, self.renewed_at_ = int(state["pages"]), int(state["renewed_at"])
        self.relearns_ = bool(state["relearns"])
        self.labels_.restore(state["labels"])
