"""The pages of a crawl whose guide still changes, so that their texts can be read again."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.engine.intelligence.evidence.link_evidence import PAGE
from apps.engine.model import Longs, TokenRows, Visit
from apps.engine.representation.link_contexts import pack_contexts, unpack_contexts

MOST_PAGES = 2_000


@dataclass(slots=True)
class PageReading:
    """A page, packed, with what its texts added to its links when they were read last.

    `links` are the page's links that count, by index, `targets` their URL numbers; `texts` has the
    rows of `texts_of`. `judges` is False for a page that needs scripts: it says nothing of itself.
    """

    number: int
    url: str
    packed: bytes
    links: Longs
    targets: Longs
    texts: NDArray[np.float64]
    judges: bool

    @classmethod
    def of(
        cls, visit: Visit, links: Longs, texts: NDArray[np.float64], judges: bool
    ) -> PageReading:
        targets = visit.link_numbers[links]
        packed = pack_contexts(visit)
        return cls(visit.url_number, visit.url, packed, links, targets, texts, judges)

    def visit(self) -> Visit:
        """The page; its links have no addresses."""
        return unpack_contexts(self.packed, 0, self.number, self.url)


class PageReadings:
    """The last 2,000 pages of a crawl, in order. **Choice**: a longer crawl learns from these, and
    reads no more of them again."""

    def __init__(self) -> None:
        self._pages: deque[PageReading] = deque(maxlen=MOST_PAGES)

    def __len__(self) -> int:
        return len(self._pages)

    def __iter__(self) -> Iterator[PageReading]:
        return iter(self._pages)

    def add(self, page: PageReading) -> None:
        self._pages.append(page)

    def correct(self, number: int, difference: float) -> None:
        """Adds to the log-odds that a page gave to its links."""
        for page in self._pages:
            if page.number == number:
                page.texts = page.texts.copy()
                page.texts[:, PAGE] += difference

    def texts(self) -> TokenRows:
        """The text of each page that judges, in order."""
        return TokenRows.of([page.visit().text for page in self._pages if page.judges])

    def urls(self) -> list[str]:
        """The URL of each of these texts."""
        return [page.url for page in self._pages if page.judges]

    def state(self) -> dict[str, Any]:
        pages = [*self._pages]
        return {
            "numbers": np.array([page.number for page in pages], np.int64),
            "urls": [page.url for page in pages],
            "judges": np.array([page.judges for page in pages], np.bool_),
            "packed": np.frombuffer(b"".join(page.packed for page in pages), np.uint8),
            "sizes": np.array([len(page.packed) for page in pages], np.int64),
            "counts": np.array([len(page.links) for page in pages], np.int64),
            "links": _joined([page.links for page in pages]),
            "targets": _joined([page.targets for page in pages]),
            "texts": np.concatenate([page.texts for page in pages] or [np.zeros((0, 4))]),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned."""
        ends = np.cumsum(state["counts"])[:-1]
        packed = np.split(state["packed"], np.cumsum(state["sizes"])[:-1])
        columns = (np.split(state[name], ends) for name in ("links", "targets", "texts"))
        self._pages = deque(maxlen=MOST_PAGES)
        rows = zip(
            state["numbers"].tolist(), state["urls"], packed, *columns, state["judges"], strict=True
        )
        if len(state["numbers"]):
            self._pages.extend(
                PageReading(number, url, data.tobytes(), links, targets, texts, bool(judges))
                for number, url, data, links, targets, texts, judges in rows
            )


def _joined(columns: list[Longs]) -> Longs:
    return np.concatenate(columns or [np.empty(0, np.int64)])
