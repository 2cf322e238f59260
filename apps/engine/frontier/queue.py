"""The frontier: every URL a crawl has discovered, and which waiting one comes next.

Best-first is exact among the hosts that may be asked; ties go to the URL discovered first.
Everything about a URL is kept in columns by its number, so that a million of them stay small.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from heapq import heapify, heappop, heappush
from typing import Any

import numpy as np

from apps.engine import urls as addresses
from apps.engine.frontier.hosts import Host, Hosts
from apps.engine.frontier.parents import ParentPolicy, combined, merged
from apps.engine.frontier.scope import Scope
from apps.engine.model import Exclusion, Floats, Longs


class Entry(IntEnum):
    """States of a discovered URL; NEW ones have no score yet."""

    NEW = 0
    WAITING = 1
    IN_FLIGHT = 2
    FETCHED = 3
    FAILED = 4
    EXCLUDED = 5


# Plain integers: comparing members of an enum costs a call in the innermost loop.
NEW, WAITING, IN_FLIGHT, FETCHED, FAILED, EXCLUDED = (int(state) for state in Entry)
_REASONS = tuple(Exclusion)
_REASON_CODE = {reason: code for code, reason in enumerate(_REASONS)}


@dataclass(frozen=True, slots=True)
class Discovered:
    """A URL as it is first written down; `parent` is a URL number, −1 for seeds."""

    number: int
    url: str
    parent: int
    depth: int
    priority: float
    state: Entry
    reason: str


@dataclass(frozen=True, slots=True)
class Changed:
    """A URL written down before that has another state now."""

    number: int
    state: Entry
    reason: str


class Frontier:
    """The waiting URLs of one crawl. Times are seconds of the crawl's clock.

    `replaces`: scores belong to URLs, not to links, so that a later score replaces the earlier.
    """

    def __init__(
        self,
        scope: Scope,
        policy: ParentPolicy = "max",
        replaces: bool = False,
        one_at_a_time: bool = True,
    ) -> None:
        self.scope = scope
        self.policy = policy
        self.replaces = replaces
        self.hosts = Hosts(one_at_a_time)
        self.urls: list[str] = []
        self._number: dict[str, int] = {}
        self._aliases: dict[str, int] = {}
        self.priority = array("d")
        self.parent = array("i")
        self.depth = array("i")
        self._host = array("i")
        self._state = array("b")
        self._reason = array("b")
        self._seen = array("i")  # links that have scored the URL
        self._edge_to = array("i")
        self._edge_from = array("i")
        self.counts = [0] * len(Entry)
        self.excluded: Counter[str] = Counter()
        self._written = 0
        self._dirty: set[int] = set()

    def __len__(self) -> int:
        return len(self.urls)

    @property
    def waiting(self) -> int:
        return self.counts[WAITING]

    def number(self, url: str) -> int | None:
        """The number of a discovered URL (or of the URL that it redirected from)."""
        found = self._number.get(url)
        return self._aliases.get(url) if found is None else found

    def state_of(self, number: int) -> Entry:
        return Entry(self._state[number])

    def host_of(self, number: int) -> Host:
        return self.hosts.all[self._host[number]]

    # Discovery ---------------------------------------------------------------------------------

    def seed(self, url: str, now: float) -> int:
        """Queues a seed with priority 1; the scope's host and pattern rules do not bind seeds."""
        number = self.number(url)
        if number is None:
            number = self._add(url, -1, 0)
        if self._state[number] in (NEW, WAITING, EXCLUDED):
            self.parent[number] = -1
            self.depth[number] = 0
            self._enter(number, 1.0, now)
        return number

    def discover(self, urls: Sequence[str], page: int) -> Longs:
        """The numbers of a page's links, numbering the new ones; `page` is the page's number.

        Every link is remembered as an edge. Depth is the shortest way from a seed, so a URL left
        out for its depth comes back when a shorter way to it is found.
        """
        depth = self.depth[page] + 1
        numbers = array("i")
        find = self._number.get
        for url in urls:
            number = find(url)
            if number is None:
                number = self._aliases.get(url)
                if number is None:
                    number = self._add(url, page, depth)
                    self._judge_scope(number)
            elif depth < self.depth[number]:
                self._come_nearer(number, page, depth)
            numbers.append(number)
        self._edge_to.extend(numbers)
        self._edge_from.extend(array("i", [page]) * len(numbers))
        return np.array(numbers, dtype=np.int64)

    def _add(self, url: str, parent: int, depth: int) -> int:
        number = len(self.urls)
        self.urls.append(url)
        self._number[url] = number
        self.priority.append(0.0)
        self.parent.append(parent)
        self.depth.append(depth)
        self._host.append(self.hosts.named(addresses.host(url)).index)
        self._state.append(NEW)
        self._reason.append(-1)
        self._seen.append(0)
        self.counts[NEW] += 1
        return number

    def _judge_scope(self, number: int) -> None:
        host = self.host_of(number)
        reason = self.scope.refusal(self.urls[number], host.name, self.depth[number])
        if reason is None and host.closed:
            reason = Exclusion.HOST_LIMIT
        if reason is not None:
            self.exclude(number, reason)

    def _come_nearer(self, number: int, page: int, depth: int) -> None:
        self.depth[number] = depth
        if self._state[number] == EXCLUDED and self._is_reason(number, Exclusion.DEPTH):
            self._set(number, NEW)
            self.parent[number] = page
            self._judge_scope(number)

    # Priorities --------------------------------------------------------------------------------

    def offer(
        self, numbers: Longs, scores: Iterable[float | None], page: int, now: float
    ) -> None:
        """Scores of a page's links, in the order of `numbers`; None is a rejected link."""
        state = self._state
        if isinstance(scores, np.ndarray):
            scores = scores.tolist()  # Python's own floats: NumPy's cost more one by one
        for number, score in zip(numbers.tolist(), scores, strict=True):
            present = state[number]
            if present == WAITING:
                if score is not None:
                    self._merge(number, score, page, now)
            elif present == NEW:
                if score is None:
                    self.exclude(number, Exclusion.REJECTED_BY_STRATEGY)
                else:
                    self._offer_new(number, score, page, now)
            elif (
                present == EXCLUDED
                and score is not None
                and self._is_reason(number, Exclusion.REJECTED_BY_STRATEGY)
            ):
                self._offer_new(number, score, page, now)

    def _offer_new(self, number: int, score: float, page: int, now: float) -> None:
        cap = self.scope.frontier_cap
        if cap is not None and self.counts[WAITING] >= cap:
            self.exclude(number, Exclusion.FRONTIER_CAP)
            return
        self.parent[number] = page
        self._enter(number, score, now)

    def _enter(self, number: int, score: float, now: float) -> None:
        self._set(number, WAITING)
        self.priority[number] = score
        self._seen[number] = 1
        self._push(number, now)

    def _merge(self, number: int, score: float, page: int, now: float) -> None:
        if self.parent[number] < 0:
            return  # seeds keep priority 1
        old = self.priority[number]
        new = score if self.replaces else merged(self.policy, old, self._seen[number], score)
        self._seen[number] += 1
        if new == old:
            return
        if new > old:
            self.parent[number] = page
        self.priority[number] = new
        self._push(number, now)

    def _push(self, number: int, now: float) -> None:
        host = self.hosts.all[self._host[number]]
        heappush(host.queue, (-self.priority[number], number))
        if len(host.queue) > 2 * host.waiting + 64:
            self._compact(host)
        if host.queue[0][1] == number:
            self.hosts.list_again(host, now)

    def _compact(self, host: Host) -> None:
        host.queue = list({key for key in host.queue if self._stands(key)})
        heapify(host.queue)

    def _stands(self, key: tuple[float, int]) -> bool:
        return self._state[key[1]] == WAITING and -key[0] == self.priority[key[1]]

    def replace_priorities(self, numbers: Longs, priorities: Floats, now: float) -> None:
        """New priorities of waiting URLs, all queues rebuilt at once; seeds keep theirs."""
        column = np.frombuffer(self.priority, dtype=np.float64)
        from_link = np.frombuffer(self.parent, dtype=np.int32)[numbers] >= 0
        column[numbers[from_link]] = priorities[from_link]
        del column
        self.rebuild(now)

    def replace_links(
        self, numbers: Longs, priorities: Floats, parents: Longs, seen: Longs
    ) -> None:
        """New priorities with the pages they come from and the links counted; `rebuild` follows."""
        for column, dtype, values in (
            (self.priority, np.float64, priorities),
            (self.parent, np.int32, parents),
            (self._seen, np.int32, seen),
        ):
            np.frombuffer(column, dtype)[numbers] = values

    def rebuild(self, now: float) -> None:
        """Every host's queue anew from the columns."""
        numbers = self.waiting_numbers()
        priority = np.frombuffer(self.priority, dtype=np.float64)[numbers]
        host = np.frombuffer(self._host, dtype=np.int32)[numbers]
        order = np.lexsort((numbers, -priority, host))
        keys = list(zip((-priority[order]).tolist(), numbers[order].tolist(), strict=True))
        borders = np.searchsorted(host[order], np.arange(len(self.hosts.all) + 1)).tolist()
        for entry in self.hosts.all:
            start, end = borders[entry.index], borders[entry.index + 1]
            entry.queue = keys[start:end]  # a sorted list is a heap
            entry.waiting = end - start
        self.hosts.relist_all(now)

    # Picking -----------------------------------------------------------------------------------

    def pick(self, now: float) -> int | None:
        """Takes the best URL whose host may be asked now; None where there is none."""
        while (host := self.hosts.ready(now)) is not None:
            queue = host.queue
            while queue and not self._stands(queue[0]):
                heappop(queue)
            if not queue or queue[0] != host.listed:
                self.hosts.unlist(host)
                self.hosts.list_again(host, now)
                continue
            _, number = heappop(queue)
            self.hosts.unlist(host)
            self._set(number, IN_FLIGHT)
            self.hosts.take(host)
            self.hosts.list_again(host, now)
            return number
        return None

    def take(self, number: int) -> None:
        """Takes a given waiting URL out of its turn, as a replay does."""
        self._set(number, IN_FLIGHT)
        self.hosts.take(self.host_of(number))

    def put_back(self, number: int, now: float) -> None:
        """A picked URL that was not asked after all waits again."""
        self._set(number, WAITING)
        host = self.host_of(number)
        host.busy -= 1
        self._push(number, now)
        self.hosts.list_again(host, now)

    def fetched(self, number: int, now: float, next_at: float = 0.0) -> None:
        """The URL gave a page; its host may be asked again at `next_at`."""
        self._set(number, FETCHED)
        host = self.host_of(number)
        host.pages += 1
        self.hosts.release(host, next_at, now)
        limit = self.scope.pages_per_host
        if limit is not None and host.pages >= limit and not host.closed:
            self._close(host)

    def failed(self, number: int, now: float, next_at: float = 0.0) -> None:
        """The URL gave no page."""
        self._set(number, FAILED)
        self.hosts.release(self.host_of(number), next_at, now)

    def answered_elsewhere(self, number: int, final_url: str) -> None:
        """The URL's page stands at `final_url`, which must not be fetched again."""
        self._aliases[final_url] = number
        other = self._number.get(final_url)
        if other is not None and self._state[other] in (NEW, WAITING):
            self.exclude(other, Exclusion.ALIAS)

    def page_at(self, final_url: str) -> int | None:
        """The number of the URL that has given the page at `final_url`, if one has."""
        number = self._aliases.get(final_url)
        if number is None:
            number = self._number.get(final_url)
        return number if number is not None and self._state[number] == FETCHED else None

    def exclude(self, number: int, reason: Exclusion) -> None:
        """Leaves a URL out; only the first reason counts."""
        if self._state[number] == EXCLUDED:
            return
        self._reason[number] = _REASON_CODE[reason]
        self._set(number, EXCLUDED)

    def readmit(self, number: int, now: float) -> None:
        """An excluded URL waits again with the priority it had."""
        self._set(number, WAITING)
        self._push(number, now)

    def refused(self, number: int) -> Exclusion | None:
        """Why the present scope refuses a URL, or None."""
        return self.scope.refusal(
            self.urls[number], self.host_of(number).name, self.depth[number]
        )

    def excluded_for(self, reason: Exclusion) -> list[int]:
        """The URLs left out for that reason."""
        code = np.frombuffer(self._reason, dtype=np.int8)
        state = np.frombuffer(self._state, dtype=np.int8)
        found = np.flatnonzero((state == EXCLUDED) & (code == _REASON_CODE[reason]))
        return [int(number) for number in found]

    def _close(self, host: Host) -> None:
        host.closed = True
        for _, number in host.queue:
            if self._state[number] == WAITING:
                self.exclude(number, Exclusion.HOST_LIMIT)
        host.queue.clear()

    def _is_reason(self, number: int, reason: Exclusion) -> bool:
        return self._reason[number] == _REASON_CODE[reason]

    def _set(self, number: int, state: int) -> None:
        old = self._state[number]
        self.counts[old] -= 1
        self.counts[state] += 1
        if old == EXCLUDED or state == EXCLUDED:
            reason = _REASONS[self._reason[number]].value
            self.excluded[reason] += 1 if state == EXCLUDED else -1
        if old == WAITING or state == WAITING:
            self.hosts.all[self._host[number]].waiting += 1 if state == WAITING else -1
        self._state[number] = state
        if number < self._written:
            self._dirty.add(number)

    # Views -------------------------------------------------------------------------------------

    def waiting_numbers(self) -> Longs:
        """The numbers of the waiting URLs, ascending."""
        return np.flatnonzero(np.frombuffer(self._state, dtype=np.int8) == WAITING)

    def scorable_numbers(self) -> Longs:
        """The URLs whose links have a score: waiting, in flight, or rejected by the strategy."""
        state = np.frombuffer(self._state, dtype=np.int8)
        code = _REASON_CODE[Exclusion.REJECTED_BY_STRATEGY]
        rejected = (state == EXCLUDED) & (np.frombuffer(self._reason, dtype=np.int8) == code)
        return np.flatnonzero((state == WAITING) | (state == IN_FLIGHT) | rejected)

    def fetched_numbers(self) -> Longs:
        """The numbers of the URLs that gave a page, ascending."""
        return np.flatnonzero(np.frombuffer(self._state, dtype=np.int8) == FETCHED)

    def edges(self, numbers: Longs) -> tuple[Longs, Longs]:
        """Every link to one of `numbers` (ascending): its index there, and the page's number."""
        place = np.full(len(self.urls), -1, dtype=np.int64)
        place[numbers] = np.arange(len(numbers))
        row = place[np.frombuffer(self._edge_to, dtype=np.int32)]
        kept = row >= 0
        return row[kept], np.frombuffer(self._edge_from, dtype=np.int32)[kept].astype(np.int64)

    def combine(self, rows: int, row: Longs, scores: Floats) -> Floats:
        """One score a row from one an edge, by the crawl's parent policy."""
        return combined(self.policy, rows, row, scores)

    def head(self, most: int) -> list[int]:
        """The numbers of the best `most` waiting URLs, best first."""
        numbers = self.waiting_numbers()
        priority = np.frombuffer(self.priority, dtype=np.float64)[numbers]
        if len(numbers) > most:
            floor = np.partition(priority, len(numbers) - most)[len(numbers) - most]
            kept = priority >= floor
            numbers, priority = numbers[kept], priority[kept]
        return [int(n) for n in numbers[np.lexsort((numbers, -priority))][:most]]

    def links_seen(self, number: int) -> int:
        """How many links have scored a waiting URL."""
        return self._seen[number]

    # Records -----------------------------------------------------------------------------------

    def drain(self) -> tuple[list[Discovered], list[Changed]]:
        """What has been discovered and what has changed since the last call."""
        new = [self._discovered(number) for number in range(self._written, len(self.urls))]
        changed = [
            Changed(number, self._lasting(number), self._reason_of(number))
            for number in sorted(self._dirty)
        ]
        self._written = len(self.urls)
        self._dirty.clear()
        return new, changed

    def _discovered(self, number: int) -> Discovered:
        return Discovered(
            number,
            self.urls[number],
            self.parent[number],
            self.depth[number],
            self.priority[number],
            self._lasting(number),
            self._reason_of(number),
        )

    def _lasting(self, number: int) -> Entry:
        """The state to write down: what is in flight waits, should the process end."""
        state = self._state[number]
        return Entry.WAITING if state == IN_FLIGHT else Entry(state)

    def _reason_of(self, number: int) -> str:
        return _REASONS[self._reason[number]].value if self._state[number] == EXCLUDED else ""

    def write_again(self, recorded: Sequence[Entry]) -> None:
        """Has the next `drain` correct every URL whose recorded state is another."""
        self._dirty.update(
            number for number, state in enumerate(recorded) if self._lasting(number) != state
        )

    def snapshot(self, now: float) -> dict[str, Any]:
        """The columns and the hosts, for a checkpoint; URLs are kept by whoever writes records."""
        columns = {name: np.array(getattr(self, name)) for name in _COLUMNS}
        columns["_state"][columns["_state"] == IN_FLIGHT] = WAITING
        return {
            **columns,
            "hosts": self.hosts.state(now),
            "aliases": dict(self._aliases),
            "scope": self.scope.as_dict(),
        }

    def restore(self, state: dict[str, Any], urls: Sequence[str], now: float) -> None:
        """Takes back a snapshot; `urls` are the discovered URLs, in order of their numbers."""
        self.urls = list(urls)
        self._number = {url: number for number, url in enumerate(self.urls)}
        self._aliases = dict(state["aliases"])
        self.scope = Scope.from_dict(state["scope"])
        for name in _COLUMNS:
            column: array[Any] = getattr(self, name)
            del column[:]
            column.frombytes(np.ascontiguousarray(state[name]).tobytes())
        self.hosts.restore(state["hosts"], now)
        codes = np.array(self._state)
        self.counts = np.bincount(codes, minlength=len(Entry)).tolist()
        reasons = np.array(self._reason)[codes == EXCLUDED]
        self.excluded = Counter(_REASONS[code].value for code in reasons.tolist())
        for host in self.hosts.all:
            limit = self.scope.pages_per_host
            host.closed = limit is not None and host.pages >= limit
        self._written = len(self.urls)
        self._dirty.clear()
        self.rebuild(now)


_COLUMNS = (
    "priority", "parent", "depth", "_host", "_state", "_reason", "_seen", "_edge_to", "_edge_from"
)


class FrontierView:
    """The frontier as `Strategy.rescore` sees it (the protocol in strategies/base.py)."""

    def __init__(self, frontier: Frontier) -> None:
        self._frontier = frontier
        self.numbers = frontier.waiting_numbers()

    def url(self, number: int) -> str:
        return self._frontier.urls[number]

    def parents(self) -> Longs:
        """For each of `numbers`, the page whose link gave its priority (−1: a seed)."""
        return np.frombuffer(self._frontier.parent, np.int32)[self.numbers].astype(np.int64)

    def edges(self) -> tuple[Longs, Longs]:
        self._rows, pages = self._frontier.edges(self.numbers)
        return self._rows, pages

    def combine(self, scores: Floats) -> Floats:
        """One score a waiting URL from one an edge, edges as `edges()` gave them."""
        return self._frontier.combine(len(self.numbers), self._rows, scores)
