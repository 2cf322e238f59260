"""All URLs that a crawl has discovered, in columns by number, so that a million fit in memory."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from apps.engine.codes import Exclusion
from apps.engine.frontier.hosts import GroupLimits, HostQueue, Hosts
from apps.engine.frontier.url_states import (
    EXCLUDED,
    FETCHED,
    IN_FLIGHT,
    NEW,
    REASON_CODE,
    REASONS,
    WAITING,
    Changed,
    Discovered,
    UrlState,
)
from apps.engine.model import Ints, Longs
from apps.engine.urls import host_of_canonical

_COLUMNS = (
    "priority",
    "parent",
    "depth",
    "_host",
    "_state",
    "_reason",
    "_seen",
    "_edge_to",
)
_NO_PAGE = -1
_STORED = [UrlState.WAITING if state == IN_FLIGHT else state for state in UrlState]


class UrlTable:
    """The discovered URLs of one crawl with their states, counts and links.

    Keeps track of new and changed URLs that have not been stored yet.
    """

    def __init__(self, one_at_a_time: bool, limits: GroupLimits = GroupLimits()) -> None:
        self.hosts = Hosts(one_at_a_time, limits)
        self.urls: list[str] = []
        self._number: dict[str, int] = {}
        self._aliases: dict[str, int] = {}
        self.priority = array("d")
        self.parent = array("i")
        self.depth = array("i")
        self._host = array("i")
        self._state = array("b")
        self._reason = array("b")
        self._seen = array("i")  # number of scored links to the URL
        # A page's links are side by side: its number and their count are kept once.
        self._edge_to = array("i")
        self._linking = array("i")
        self._link_counts = array("i")
        self.counts = [0] * len(UrlState)
        self.excluded: Counter[str] = Counter()
        self._written = 0
        self._dirty: set[int] = set()

    def __len__(self) -> int:
        return len(self.urls)

    @property
    def waiting(self) -> int:
        return self.counts[WAITING]

    def number(self, url: str) -> int | None:
        """The number of a discovered URL, or of the URL that redirected to it, or None."""
        number = self._number.get(url)
        return self._aliases.get(url) if number is None else number

    def state_of(self, number: int) -> UrlState:
        return UrlState(self._state[number])

    def host_of(self, number: int) -> HostQueue:
        return self.hosts.all[self._host[number]]

    def _add(self, urls: Sequence[str], parent: int, depth: int) -> range:
        """Numbers new URLs, all of them from the page `parent`."""
        numbers = range(len(self.urls), len(self.urls) + len(urls))
        self.urls.extend(urls)
        self._number.update(zip(urls, numbers, strict=True))
        named = self.hosts.get_or_create
        self._host.extend([named(host_of_canonical(url)).index for url in urls])
        self.priority.extend(array("d", (0.0,)) * len(urls))
        self.parent.extend(array("i", (parent,)) * len(urls))
        self.depth.extend(array("i", (depth,)) * len(urls))
        self._state.extend(array("b", (NEW,)) * len(urls))
        self._reason.extend(array("b", (-1,)) * len(urls))
        self._seen.extend(array("i", (0,)) * len(urls))
        self.counts[NEW] += len(urls)
        return numbers

    def _add_edges(self, numbers: array[int], page: int) -> None:
        """Adds the links of a page."""
        self._edge_to.extend(numbers)
        self._linking.append(page)
        self._link_counts.append(len(numbers))

    # States ------------------------------------------------------------------------------------

    def exclude(self, number: int, reason: Exclusion) -> None:
        """Excludes a URL; only the first reason counts."""
        if self._state[number] == EXCLUDED:
            return
        self._reason[number] = REASON_CODE[reason]
        self._set(number, EXCLUDED)

    def _is_reason(self, number: int, reason: Exclusion) -> bool:
        return self._reason[number] == REASON_CODE[reason]

    def _set(self, number: int, state: int) -> None:
        old = self._state[number]
        self.counts[old] -= 1
        self.counts[state] += 1
        if old == EXCLUDED or state == EXCLUDED:
            reason = REASONS[self._reason[number]].value
            self.excluded[reason] += 1 if state == EXCLUDED else -1
        if old == WAITING or state == WAITING:
            self.hosts.all[self._host[number]].waiting += 1 if state == WAITING else -1
        self._state[number] = state
        if number < self._written:
            self._dirty.add(number)

    # Reading the columns -----------------------------------------------------------------------

    def waiting_numbers(self) -> Longs:
        """The numbers of the waiting URLs, ascending."""
        return np.flatnonzero(np.frombuffer(self._state, dtype=np.int8) == WAITING)

    def waiting_among(self, numbers: Longs) -> Longs:
        """The numbers among these whose URLs wait, in their order."""
        waits = np.frombuffer(self._state, dtype=np.int8)[numbers] == WAITING
        waiting: Longs = numbers[waits]
        return waiting

    def scorable_numbers(self) -> Longs:
        """The URLs whose links have scores: waiting, in flight, or rejected by the strategy."""
        state = np.frombuffer(self._state, dtype=np.int8)
        code = REASON_CODE[Exclusion.REJECTED_BY_STRATEGY]
        rejected = (state == EXCLUDED) & (np.frombuffer(self._reason, dtype=np.int8) == code)
        return np.flatnonzero((state == WAITING) | (state == IN_FLIGHT) | rejected)

    def fetched_numbers(self) -> Longs:
        """The numbers of the URLs that gave a page, ascending."""
        return np.flatnonzero(np.frombuffer(self._state, dtype=np.int8) == FETCHED)

    def edges(self, numbers: Longs) -> tuple[Longs, Longs]:
        """All links to `numbers` (ascending), as the index into `numbers` and the page's number."""
        index = np.full(len(self.urls), -1, dtype=np.int64)
        index[numbers] = np.arange(len(numbers))
        row = index[np.frombuffer(self._edge_to, dtype=np.int32)]
        is_wanted = row >= 0
        return row[is_wanted], self._edge_from()[is_wanted].astype(np.int64)

    def _edge_from(self) -> Ints:
        """The page of each link."""
        return np.repeat(np.array(self._linking), np.array(self._link_counts))

    def targets(self, pages: Longs) -> Longs:
        """The URLs that these pages link to, or are the parents of, in no order."""
        linked = np.repeat(np.isin(np.array(self._linking), pages), np.array(self._link_counts))
        children = np.flatnonzero(np.isin(np.frombuffer(self.parent, dtype=np.int32), pages))
        linked_to = np.frombuffer(self._edge_to, dtype=np.int32)[linked].astype(np.int64)
        return np.concatenate((linked_to, children))

    def excluded_for(self, reason: Exclusion) -> list[int]:
        """The URLs excluded for that reason."""
        code = np.frombuffer(self._reason, dtype=np.int8)
        state = np.frombuffer(self._state, dtype=np.int8)
        numbers = np.flatnonzero((state == EXCLUDED) & (code == REASON_CODE[reason]))
        return [int(number) for number in numbers]

    def of_host(self, name: str) -> Longs:
        """The numbers of a host's URLs, ascending."""
        host = self.hosts.get_or_create(name).index
        return np.flatnonzero(np.frombuffer(self._host, dtype=np.int32) == host)

    def head(self, most: int) -> list[int]:
        """The numbers of the best `most` waiting URLs, best first."""
        numbers = self.waiting_numbers()
        priority = np.frombuffer(self.priority, dtype=np.float64)[numbers]
        if len(numbers) > most:
            floor = np.partition(priority, len(numbers) - most)[len(numbers) - most]
            among_best = priority >= floor
            numbers, priority = numbers[among_best], priority[among_best]
        return [int(n) for n in numbers[np.lexsort((numbers, -priority))][:most]]

    def links_seen(self, number: int) -> int:
        """The number of scored links to a waiting URL."""
        return self._seen[number]

    # Records -----------------------------------------------------------------------------------

    def drain(self) -> tuple[list[Discovered], list[Changed]]:
        """Returns the URLs discovered and those changed since the last call."""
        new = self._discovered()
        changed = [
            Changed(number, self._stored_state(number), self._reason_of(number))
            for number in sorted(self._dirty)
        ]
        self._written = len(self.urls)
        self._dirty.clear()
        return new, changed

    def _discovered(self) -> list[Discovered]:
        """The URLs that have not been written yet."""
        numbers, part = range(self._written, len(self.urls)), slice(self._written, None)
        columns = (
            numbers,
            self.urls[part],
            self.parent[part],
            self.depth[part],
            self.priority[part],
            map(_STORED.__getitem__, self._state[part]),
            map(self._reason_of, numbers),
        )
        return [*map(Discovered._make, zip(*columns, strict=True))]

    def _stored_state(self, number: int) -> UrlState:
        """The state to store: a URL in flight is stored as waiting, in case the process ends."""
        return _STORED[self._state[number]]

    def _reason_of(self, number: int) -> str:
        return REASONS[self._reason[number]].value if self._state[number] == EXCLUDED else ""

    def write_again(self, recorded: Sequence[UrlState]) -> None:
        """Adds every URL whose recorded state differs to the changes of the next `drain`."""
        self._dirty.update(
            number for number, state in enumerate(recorded) if self._stored_state(number) != state
        )

    def columns(self) -> dict[str, Any]:
        """The columns for a checkpoint, without the URLs, which are in the records."""
        columns = {name: np.array(getattr(self, name)) for name in _COLUMNS}
        columns["_state"][columns["_state"] == IN_FLIGHT] = WAITING
        return {**columns, "_edge_from": self._edge_from(), "aliases": dict(self._aliases)}

    def restore_columns(self, state: dict[str, Any], urls: Sequence[str]) -> None:
        """Restores what `columns` returned; `urls` are the discovered URLs by number."""
        self.urls = list(urls)
        self._number = {url: number for number, url in enumerate(self.urls)}
        self._aliases = dict(state["aliases"])
        for name in _COLUMNS:
            column: array[Any] = getattr(self, name)
            del column[:]
            column.frombytes(np.ascontiguousarray(state[name]).tobytes())
        self._restore_edge_from(state["_edge_from"])
        codes = np.array(self._state)
        self.counts = np.bincount(codes, minlength=len(UrlState)).tolist()
        reasons = np.array(self._reason)[codes == EXCLUDED]
        self.excluded = Counter(REASONS[code].value for code in reasons.tolist())
        self._written = len(self.urls)
        self._dirty.clear()

    def _restore_edge_from(self, pages: Ints) -> None:
        starts = np.flatnonzero(np.diff(pages, prepend=_NO_PAGE))
        counts = np.diff(starts, append=len(pages))
        self._linking = array("i", pages[starts].astype(np.int32).tobytes())
        self._link_counts = array("i", counts.astype(np.int32).tobytes())
