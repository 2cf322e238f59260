"""The evidence of a crawl on its links, as seven numbers (parts) for each URL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.evidence.link_evidence import LinkEvidence, means
from apps.engine.intelligence.evidence.section_record import SectionRecord
from apps.engine.intelligence.evidence.siblings import Siblings
from apps.engine.intelligence.flat_state import joined, part_of
from apps.engine.model import Floats, Longs

PARTS = ("page", "window", "anchor", "address", "parents", "siblings", "place")
ADDRESS, PARENTS, SIBLINGS, SECTION = range(3, 7)
FIRST_MEAN = 0.5
LEAST_MEAN = 0.01


class LinkKnowledge:
    """Seven parts for each URL: the mean log-odds of its parents, of the windows and of the anchors
    of their links, the log-odds of its address' words, ln(1 + parents), the mean odds of its
    parents' other pages (`Siblings`) and those of its site section (`SectionRecord`).

    Texts and parents count at once, siblings from the next `update` on, sections and the crawl's
    mean judgement from the next `refresh` on.
    """

    def __init__(self) -> None:
        self.texts = LinkEvidence()
        self.siblings = Siblings()
        self.sections = SectionRecord()
        self._sum, self._judged = 0.0, 0
        self._mean = FIRST_MEAN

    def judge(self, page: int, url: str, tau: float) -> None:
        """Counts the judgement of a fetched page; `page` is the number of its URL."""
        self._sum += tau
        self._judged += 1
        self.siblings.judge(page, tau)
        self.sections.judge(int(self.sections.numbers([url])[0]), tau)

    def judge_again(self, page: int, url: str, tau: float) -> None:
        """Replaces the judgement of a page that was judged."""
        more = tau - self.siblings.judgement.one(page)
        self._sum += more
        self.sections.correct(int(self.sections.numbers([url])[0]), more)
        self.siblings.correct(page, tau)

    def correct(self, page: int, url: str, tau: float, difference: float) -> None:
        """Replaces the judgement of a page that was judged; its log-odds change by `difference`."""
        self.judge_again(page, url, tau)
        self.texts.correct_page(self.siblings.links(page), difference)

    def add(self, page: int, urls: Longs, texts: NDArray[np.float64]) -> None:
        """Adds the links of a fetched page to distinct `urls`, with rows of `texts_of`."""
        self.siblings.add(page, urls)
        self.texts.add(urls, texts)

    def name(self, urls: Longs, addresses: Sequence[str], odds: Floats) -> None:
        """Adds the addresses of new URLs, and the log-odds of their words."""
        self.texts.name(urls, odds, self.sections.numbers(addresses))

    def parts(self, urls: Longs, more: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """URLs × parts; `more` are rows of `texts_of`, and the log-odds of new
        addresses, to count as well."""
        rows = self.texts.rows(urls)
        if more is not None:
            rows[:, : more.shape[1]] += more
        parts = np.empty((len(urls), len(PARTS)))
        parts[:, :ADDRESS] = means(rows)
        parts[:, ADDRESS] = rows[:, -2]
        parts[:, PARENTS] = np.log1p(rows[:, 0])
        parts[:, SIBLINGS] = self.siblings.of[urls] / np.maximum(rows[:, 0], 1.0)
        parts[:, SECTION] = self.sections.odds(rows[:, -1].astype(np.int64))
        return parts

    def forget(self) -> None:
        """Forgets links, texts and judgements, but neither addresses nor sections."""
        self.texts.forget_texts()
        self.siblings = Siblings()
        self.sections.forget()
        self._sum, self._judged = 0.0, 0

    def update(self) -> Longs:
        """Counts the new judgements of siblings; returns the URLs whose parts change."""
        return self.siblings.update(self._mean)

    def refresh(self) -> None:
        """Brings everything up to date."""
        if self._judged:
            self._mean = min(max(self._sum / self._judged, LEAST_MEAN), 1 - LEAST_MEAN)
        self.siblings.refresh(self._mean)
        self.sections.refresh(self._mean)

    def state(self) -> dict[str, Any]:
        parts = joined(
            {
                "texts": self.texts.state(),
                "siblings": self.siblings.state(),
                "sections": self.sections.state(),
            }
        )
        return {**parts, "sum": self._sum, "judged": self._judged, "mean": self._mean}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned."""
        self.texts.restore(part_of(state, "texts"))
        self.siblings.restore(part_of(state, "siblings"))
        self.sections.restore(part_of(state, "sections"))
        self._sum, self._judged = float(state["sum"]), int(state["judged"])
        self._mean = float(state["mean"])
