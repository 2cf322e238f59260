"""The judged pages of each host and folder."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from apps.engine.frontier.sections import section_of
from apps.engine.intelligence.classifying.calibration import log_odds
from apps.engine.model import Floats, Longs

SHRINKAGE = 5.0


class SectionRecord:
    """The judged pages of each site section (`frontier.sections`) and of its host.

    A host's chance is (Σ judgements + 5·m)/(pages + 5) for the crawl's mean judgement m, that of a
    section the same with its host's chance instead of m. `odds` are the log-odds of the section's
    chance minus those of m, as of the last `refresh`.
    """

    def __init__(self) -> None:
        self._names: list[str] = []
        self._numbers: dict[str, int] = {}
        self._host = array("i")  # by section: the first section of the same host
        self._hosts: dict[str, int] = {}
        self._sum, self._pages = array("d"), array("d")
        self._odds: Floats = np.zeros(1)  # by section, and at the end that of newer ones

    def numbers(self, urls: Sequence[str]) -> Longs:
        """The number of each URL's section."""
        return np.array([self._number(section_of(url)) for url in urls], np.int64)

    def find(self, urls: Sequence[str]) -> Longs:
        """The number of each URL's section, −1 for a section without a number."""
        return np.array([self._numbers.get(section_of(url), -1) for url in urls], np.int64)

    def judge(self, section: int, tau: float) -> None:
        """Counts a fetched page."""
        self._sum[section] += tau
        self._pages[section] += 1

    def correct(self, section: int, difference: float) -> None:
        """Adds to the judgements of a section, for a page that is judged differently now."""
        self._sum[section] += difference

    def counts(self) -> tuple[Longs, Floats, Floats]:
        """The counts of each section: the first section of its host, the sum of its judgements, its
        pages."""
        return np.array(self._host, np.int64), np.array(self._sum), np.array(self._pages)

    def refresh(self, mean: float) -> None:
        """Brings the odds up to date, for the crawl's mean judgement inside (0, 1)."""
        host = np.array(self._host)
        total, pages = np.array(self._sum), np.array(self._pages)
        of_host = np.bincount(host, total, len(host)) + SHRINKAGE * mean
        of_host /= np.bincount(host, pages, len(host)) + SHRINKAGE
        chances = (total + SHRINKAGE * of_host[host]) / (pages + SHRINKAGE)
        self._odds = np.append(log_odds(chances) - log_odds(np.array(mean)), 0.0)

    def odds(self, sections: Longs) -> Floats:
        """The odds of each section; 0 for one added since `refresh`."""
        values: Floats = self._odds[np.minimum(sections, len(self._odds) - 1)]
        return values

    def forget(self) -> None:
        """Forgets all judgements."""
        self._sum = array("d", bytes(8 * len(self._names)))
        self._pages = array("d", bytes(8 * len(self._names)))

    def _number(self, name: str) -> int:
        number = self._numbers.get(name)
        if number is None:
            number = self._numbers[name] = len(self._names)
            self._names.append(name)
            self._host.append(self._hosts.setdefault(name.partition("/")[0], number))
            self._sum.append(0.0)
            self._pages.append(0.0)
        return number

    def state(self) -> dict[str, Any]:
        return {
            "names": list(self._names),
            "sum": np.array(self._sum),
            "pages": np.array(self._pages),
            "odds": self._odds[:-1].copy(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned."""
        self.__init__()  # type: ignore[misc]
        for name in state["names"]:
            self._number(name)
        self._sum, self._pages = array("d", state["sum"]), array("d", state["pages"])
        self._odds = np.append(state["odds"], 0.0)
