"""All that a crawl knows of its links, as parts of evidence for each URL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.evidence.link_evidence import LinkEvidence, means
from apps.engine.intelligence.evidence.place_record import PlaceRecord
from apps.engine.intelligence.evidence.siblings import Siblings
from apps.engine.intelligence.flat_state import joined, part_of
from apps.engine.model import Floats, Longs

PARTS = ("page", "window", "anchor", "address", "parents", "siblings", "place")
ADDRESS, PARENTS, SIBLINGS, PLACE = range(3, 7)
FIRST_MEAN = 0.5
LEAST_MEAN = 0.01


class LinkKnowledge:
    """Seven parts for each URL: the mean log-odds of its parents, of the windows and of the anchors
    of their links, the log-odds of its address' words, ln(1 + parents), the mean odds of its
    parents' other pages (`Siblings`) and those of its place (`PlaceRecord`).

    Texts and parents count at once, siblings from the next `update` on, places and the crawl's mean
    judgement from the next `refresh` on.
    """

    def __init__(self) -> None:
        self.texts = LinkEvidence()
        self.siblings = Siblings()
        self.places = PlaceRecord()
        self._sum, self._judged = 0.0, 0
        self._mean = FIRST_MEAN

    def judge(self, page: int, url: str, tau: float) -> None:
        """Notes how a fetched page turned out; `page` is the number of its URL."""
        self._sum += tau
        self._judged += 1
        self.siblings.judge(page, tau)
        self.places.judge(int(self.places.numbers([url])[0]), tau)

    def correct(self, page: int, url: str, tau: float, difference: float) -> None:
        """Replaces the judgement of a page that was judged; its log-odds change by `difference`."""
        more = tau - self.siblings.judgement.one(page)
        self._sum += more
        self.places.correct(int(self.places.numbers([url])[0]), more)
        self.siblings.correct(page, tau)
        self.texts.correct_page(self.siblings.links(page), difference)

    def add(self, page: int, urls: Longs, texts: NDArray[np.float64]) -> None:
        """Adds the links of a fetched page to distinct `urls`, with rows of `texts_of`."""
        self.siblings.add(page, urls)
        self.texts.add(urls, texts)

    def name(self, urls: Longs, addresses: Sequence[str], odds: Floats) -> None:
        """Notes the addresses of URLs found for the first time, and the log-odds of their words."""
        self.texts.name(urls, odds, self.places.numbers(addresses))

    def parts(self, urls: Longs, more: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """URLs × parts; `more` are rows of `texts_of`, and the log-odds of addresses that
        are not known yet, to count as well."""
        rows = self.texts.rows(urls)
        if more is not None:
            rows[:, : more.shape[1]] += more
        parts = np.empty((len(urls), len(PARTS)))
        parts[:, :ADDRESS] = means(rows)
        parts[:, ADDRESS] = rows[:, -2]
        parts[:, PARENTS] = np.log1p(rows[:, 0])
        parts[:, SIBLINGS] = self.siblings.of[urls] / np.maximum(rows[:, 0], 1.0)
        parts[:, PLACE] = self.places.odds(rows[:, -1].astype(np.int64))
        return parts

    def forget(self) -> None:
        """Forgets links, texts and judgements, but neither addresses nor places."""
        self.texts.forget_texts()
        self.siblings = Siblings()
        self.places.forget()
        self._sum, self._judged = 0.0, 0

    def update(self) -> Longs:
        """Counts what has become of siblings; returns the URLs whose parts have changed by it."""
        return self.siblings.update(self._mean)

    def refresh(self) -> None:
        """Brings everything up to date."""
        if self._judged:
            self._mean = min(max(self._sum / self._judged, LEAST_MEAN), 1 - LEAST_MEAN)
        self.siblings.refresh(self._mean)
        self.places.refresh(self._mean)

    def state(self) -> dict[str, Any]:
        known = joined({
            "texts": self.texts.state(), "siblings": self.siblings.state(),
            "places": self.places.state(),
        })
        return {**known, "sum": self._sum, "judged": self._judged, "mean": self._mean}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned."""
        self.texts.restore(part_of(state, "texts"))
        self.siblings.restore(part_of(state, "siblings"))
        self.places.restore(part_of(state, "places"))
        self._sum, self._judged = float(state["sum"]), int(state["judged"])
        self._mean = float(state["mean"])
