"""Host Thompson: a bandit over hosts and their folders scales the scores of links."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

import numpy as np

from apps.engine.intelligence.classifying.calibration import log_odds, logistic
from apps.engine.intelligence.columns import UrlColumn
from apps.engine.intelligence.evidence.section_record import SectionRecord
from apps.engine.intelligence.flat_state import joined, part_of
from apps.engine.intelligence.strategies.base import WaitingUrls
from apps.engine.intelligence.strategies.classified import (
    Classified,
    Classifier,
    Idf,
    Weighting,
    topicality,
)
from apps.engine.intelligence.strategies.parameters import NumberRange, Symbol
from apps.engine.intelligence.strategies.relearns import Reads
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Floats, Longs, Visit

Prior = Literal["crawl", "uniform"]
OF_CRAWL, OF_UNIFORM = 20.0, 2.0
"""Pages that the prior of a host counts for: of the crawl's mean, and as Beta(1, 1)."""
OF_HOST = 20.0
"""Pages that a host counts for in the prior of its folders."""
LEAST_MEAN, LEAST_CHANCE = 0.01, 0.001
HALF = 0.5


class HostThompson(Classified):
    """Gives a link the odds of P(c|u), times the odds of q by those of a host not seen yet, where q
    is drawn for its target's host and folder, from their fetched pages.

    Thompson sampling over hosts (Meusel, Mika & Blanco 2014, Anthelion, §4.2). A host's draw is
    from Beta(a + Σr, b + Σ(1 − r)), with the own judgements r = P(c|v) of its fetched pages.
    **Choice**: r counts as a share of a page, not as 0 or 1; all draws are made anew every
    `reorders_every` pages instead of before each, since they rank all waiting links at once.
    **Choice**: draws multiply the odds, not the chance, and the prior of a host counts for 20
    pages: the paper's product with a prior of two pages reached .80 to 1.01 times the targets of
    P(c|u) alone, since a few pages of a host outweighed the page with the link. **Choice**: a
    folder draws from a Beta with its own pages and 20 pages of its host's draw, so that the folders
    of a host of several topics differ.

    Parameters:
        folders: whether the folders of a host have draws of their own.
        prior: what a host without fetched pages is thought to be: twenty pages like the mean of
            the crawl, or the published Beta(1, 1).
        explore: the chance that the best link of a random host comes first, at the start.
        cooling: pages after which that chance has halved; after twice as many it is a third.
        reorders_every: pages between two draws.
    """

    formula = "odds of P(c|u) · odds of q / odds of a new host"
    id = "host_thompson"
    title = "Host Thompson"
    paper = "Anthelion"
    section = "Anthelion §4.2 (Meusel et al., CIKM 2014)"
    advice = "For webs of many hosts, of which some are on the topic as a whole."
    scores_move = True
    learns_from_pages = True
    reads: ClassVar[Reads] = "page"  # for the addresses of the links

    def __init__(
        self,
        *,
        folders: bool = True,
        prior: Prior = "crawl",
        explore: Annotated[float, NumberRange(0, 1), Symbol("λ₀")] = 0.1,
        cooling: Annotated[int, NumberRange(1, 1_000_000), Symbol("d")] = 100,
        reorders_every: Annotated[int, NumberRange(1, 100_000)] = 10,
        classifier: Classifier = "svm",
        weighting: Weighting = "smart",
        idf: Idf = "examples",
    ) -> None:
        super().__init__(classifier=classifier, weighting=weighting, idf=idf)
        self.folders = folders
        self.prior: Prior = prior
        self.explore = explore
        self.cooling = cooling
        self.reorders_every = reorders_every

    def fit(self, topic: TopicModel) -> Self:
        super().fit(topic)
        self.seed_ = topic.seed
        self.sections_ = SectionRecord()
        self.tau_ = UrlColumn()
        self.section_ = UrlColumn(-1)
        self.draws_ = np.array([HALF])
        self.pages_, self.rounds_ = 0, 0
        return self

    def learn(self, visit: Visit) -> None:
        self.pages_ += 1
        number = np.array([visit.url_number])
        self.section_.set(number, self.sections_.numbers([visit.url]).astype(np.float64))
        sections = self.sections_.numbers(visit.links.urls)
        self.section_.set(visit.link_numbers, sections.astype(np.float64))
        self.tau_.set(number, topicality(visit))
        self.sections_.judge(int(self.section_.one(visit.url_number)), topicality(visit))

    def relearn(self, visit: Visit) -> Visit:
        difference = topicality(visit) - self.tau_.one(visit.url_number)
        self.sections_.correct(int(self.section_.one(visit.url_number)), difference)
        self.tau_.set(visit.url_number, topicality(visit))
        return visit

    def score_links(self, visit: Visit) -> Floats:
        sections = self.sections_.find(visit.links.urls)
        return self._scaled(np.full(len(sections), topicality(visit)), sections)

    def rescore(self, frontier: WaitingUrls) -> Floats:
        generator = np.random.default_rng([self.seed_, self.rounds_])
        self.rounds_ += 1
        self.draws_ = self._draw(generator)
        _, pages = frontier.edges()
        sections = self.section_[frontier.numbers].astype(np.int64)
        priorities = self._scaled(frontier.combine(self.tau_[pages]), sections)
        if len(sections) and generator.random() < self.explore / (1 + self.pages_ // self.cooling):
            priorities[self._best_of_any_host(generator, sections, priorities)] = 1.0
        return priorities

    def posteriors(self) -> tuple[Floats, Floats]:
        """a and b of the Beta of each section's host, and last those of a host not seen yet."""
        host, total, pages = self.sections_.counts()
        mean = self._mean(total, pages)
        relevant = np.bincount(host, total, len(host))[host]
        irrelevant = np.bincount(host, pages - total, len(host))[host]
        prior = OF_CRAWL if self.prior == "crawl" else OF_UNIFORM
        return (
            prior * mean + np.append(relevant, 0.0),
            prior * (1 - mean) + np.append(irrelevant, 0.0),
        )

    def _mean(self, total: Floats, pages: Floats) -> float:
        """The relevance of a host not seen yet."""
        if self.prior == "uniform" or not pages.sum():
            return HALF
        return float(np.clip(total.sum() / pages.sum(), LEAST_MEAN, 1 - LEAST_MEAN))

    def _draw(self, generator: np.random.Generator) -> Floats:
        """One draw for each section, its host's or its folder's; last the mean of a new host."""
        host, total, pages = self.sections_.counts()
        a, b = self.posteriors()
        draws = generator.beta(a, b)[host]
        if self.folders:
            likely = np.clip(draws, LEAST_MEAN, 1 - LEAST_MEAN)
            draws = generator.beta(OF_HOST * likely + total, OF_HOST * (1 - likely) + pages - total)
        return np.append(draws, a[-1] / (a[-1] + b[-1]))

    def _scaled(self, chances: Floats, sections: Longs) -> Floats:
        """The chances of links to these sections, by their draws."""
        gain = _odds(self._last_draws(sections)) - _odds(self.draws_[-1:])
        return logistic(_odds(chances) + gain)

    def _last_draws(self, sections: Longs) -> Floats:
        """The last draw of each section."""
        has_draw = (sections >= 0) & (sections < len(self.draws_) - 1)
        return self.draws_[np.where(has_draw, sections, -1)]

    def _best_of_any_host(
        self, generator: np.random.Generator, sections: Longs, priorities: Floats
    ) -> int:
        """The index of the best waiting link of a host drawn at random."""
        hosts = self.sections_.counts()[0][sections]
        mine = np.flatnonzero(hosts == generator.choice(np.unique(hosts)))
        return int(mine[priorities[mine].argmax()])

    def explain(self, visit: Visit, link: int) -> dict[str, float]:
        section = self.sections_.find([visit.links.urls[link]])
        return {
            "P(c|u)": topicality(visit),
            "q": float(self._last_draws(section)[0]),
            "q of a new host": float(self.draws_[-1]),
        }

    def state(self) -> dict[str, Any]:
        sections = joined({"sections": self.sections_.state()})
        return {
            **sections,
            "tau": self.tau_.array(),
            "place": self.section_.array(),
            "draws": self.draws_.copy(),
            "pages": self.pages_,
            "rounds": self.rounds_,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        self.sections_.restore(part_of(state, "sections"))
        self.tau_.restore(state["tau"])
        self.section_.restore(state["place"])
        self.draws_ = np.array(state["draws"])
        self.pages_, self.rounds_ = int(state["pages"]), int(state["rounds"])


def _odds(chances: Floats) -> Floats:
    return log_odds(np.clip(chances, LEAST_CHANCE, 1 - LEAST_CHANCE))
