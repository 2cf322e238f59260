"""One of several strategies that rank the same links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from apps.engine.intelligence.columns import UrlColumn
from apps.engine.intelligence.flat_state import joined, part_of
from apps.engine.intelligence.strategies.base import Moved, Scores, Strategy, WaitingUrls
from apps.engine.intelligence.strategies.relearns import relearning
from apps.engine.model import Floats, Longs, Visit

REJECTED = -1.0
HALFWAY = 10.0
"""The rank at which an expert's wish has fallen to a half."""


class Member:
    """A fitted strategy and its ranking of all URLs.

    Its wish for a URL is 10/(10 + n), where n waiting URLs come before it in the ranking (ties in
    order of discovery): 1 for the first, .5 for the eleventh. **Choice**: as in reciprocal rank
    fusion (Cormack, Clarke & Büttcher 2009), since the scores of different strategies cannot be
    compared. **Choice**: the scores of several links to a URL are averaged, whatever the crawl's
    parent policy; links that the strategy rejects come last.
    """

    def __init__(self, strategy: Strategy) -> None:
        self.strategy = strategy
        self._score, self._links = UrlColumn(REJECTED), UrlColumn()
        self._wish = UrlColumn()
        self._sorted = np.zeros(0)

    def learn(self, visit: Visit) -> None:
        """Lets the strategy learn from a page and score its links."""
        seen = self._judge(visit)
        self.strategy.learn(seen)
        self._add_scored(visit.link_numbers, self.strategy.score_links(seen))

    def _add_scored(self, urls: Longs, scores: Scores) -> None:
        links = self._add(urls, scores)
        before = len(self._sorted) - np.searchsorted(self._sorted, self._score[links])
        self._wish.set(links, HALFWAY / (HALFWAY + before.astype(np.float64)))

    def learn_site_list(self, visit: Visit, number: int) -> None:
        """Lets the strategy learn a sitemap or feed and score its links."""
        seen = self._judge(visit)
        self.strategy.learn_site_list(seen, number)
        self._add_scored(visit.link_numbers, self.strategy.score_links(seen))

    def wishes(self, urls: Longs) -> Floats:
        """How much the strategy wants each URL fetched now, in [0, 1]."""
        return self._wish[urls]

    def rescore(self, frontier: WaitingUrls, due: bool) -> None:
        """Ranks the waiting URLs, after the strategy has scored them again if that is due."""
        scored = self.strategy.rescore(frontier) if due else None
        if isinstance(scored, Moved):
            self._score.set(scored.numbers, scored.priorities)
        elif scored is not None:
            self._score.set(frontier.numbers, scored)
        scores = self._score[frontier.numbers]
        rank = np.empty(len(scores))
        rank[np.lexsort((frontier.numbers, -scores))] = np.arange(len(scores))
        self._sorted = np.sort(scores)
        self._wish.set(frontier.numbers, HALFWAY / (HALFWAY + rank))

    def _judge(self, visit: Visit) -> Visit:
        """The page with the strategy's own τ and σ."""
        judgement = self.strategy.judge(visit)
        tau = visit.topicality if judgement.topicality is None else judgement.topicality
        return replace(visit, topicality=tau, status=judgement.status)

    def _add(self, urls: Longs, scores: Scores) -> Longs:
        """Counts the scores of a page's links; returns their targets, each once."""
        targets, first = np.unique(urls, return_index=True)
        new = np.nan_to_num(np.asarray(scores, np.float64)[first], nan=REJECTED)
        if self.strategy.scores == "links":
            links = self._links[targets]
            new = np.where(links > 0, (links * self._score[targets] + new) / (links + 1), new)
            self._links.set(targets, links + 1)
        self._score.set(targets, new)
        return targets

    # Labels --------------------------------------------------------------------------------

    def read_again(self, visit: Visit) -> Any:
        """See `Relearns.read_again`."""
        again = relearning(self.strategy)
        return again.read_again(self._judge(visit)) if again and self._ranks_urls else None

    def forget_pages(self) -> None:
        """See `Relearns.forget_pages`."""
        again = relearning(self.strategy)
        if again is None:
            return
        if not self._ranks_urls:
            self._score, self._links = UrlColumn(REJECTED), UrlColumn()
        elif again.learns_from_pages:
            again.forget_pages()

    def relearn_page(self, visit: Visit, read: Any) -> None:
        """See `Relearns.relearn_page`."""
        again = relearning(self.strategy)
        if again is None:
            return
        seen = self._judge(visit)
        if not self._ranks_urls:
            self._add(visit.link_numbers, self.strategy.score_links(again.relearn(seen)))
        elif again.learns_from_pages:
            again.relearn_page(seen, read)

    @property
    def _ranks_urls(self) -> bool:
        return self.strategy.scores == "urls"

    def state(self) -> dict[str, Any]:
        ranking = {
            "score": self._score.array(),
            "links": self._links.array(),
            "wish": self._wish.array(),
            "sorted": self._sorted.copy(),
        }
        return {**joined({"strategy": self.strategy.state()}), **ranking}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned."""
        self.strategy.restore(part_of(state, "strategy"))
        self._score.restore(state["score"])
        self._links.restore(state["links"])
        self._wish.restore(state["wish"])
        self._sorted = np.array(state["sorted"])
