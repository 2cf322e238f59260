"""The frontier: all URLs that a crawl has discovered, and the choice of the next one.

The order is exactly best-first among the free hosts; ties go to the URL discovered first.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np

from apps.engine.codes import Exclusion
from apps.engine.frontier.host_queues import HostQueues
from apps.engine.frontier.hosts import Host
from apps.engine.frontier.maximum import Maximum
from apps.engine.frontier.parents import POLICIES
from apps.engine.frontier.scope import Scope
from apps.engine.frontier.traps import Traps
from apps.engine.frontier.url_states import (
    EXCLUDED,
    FAILED,
    FETCHED,
    IN_FLIGHT,
    NEW,
    WAITING,
)
from apps.engine.model import Floats, Longs


class Frontier(HostQueues):
    """The waiting URLs of one crawl. Times are seconds of the crawl's clock.

    `policy` is a parent policy's id. With `replaces`, scores belong to URLs rather than links, and
    a later score replaces an earlier one.
    """

    def __init__(
        self,
        scope: Scope,
        policy: str = "max",
        replaces: bool = False,
        one_at_a_time: bool = True,
    ) -> None:
        super().__init__(one_at_a_time)
        self.scope = scope
        self.policy = POLICIES[policy]
        self.replaces = replaces
        self.traps = Traps()
        self._retries: dict[int, int] = {}
        self.maximum = Maximum(self)

    # Discovery ---------------------------------------------------------------------------------

    def seed(self, url: str, now: float) -> int:
        """Queues a seed with priority 1; host and pattern rules of the scope do not apply."""
        number = self.number(url)
        if number is None:
            number = self._add((url,), -1, 0)[0]
        if self._state[number] in (NEW, WAITING, EXCLUDED):
            self.parent[number] = -1
            self.depth[number] = 0
            self._enter(number, 1.0, now)
        return number

    def discover(self, urls: Sequence[str], page: int) -> Longs:
        """Numbers a page's new links and returns the numbers of all; `page` is the page's number.

        Every link is stored as an edge. Depth is the shortest distance from a seed, so a URL
        excluded for its depth is readmitted when a shorter path to it is found.
        """
        depth = self.depth[page] + 1
        found = [*map(self._number.get, urls)]
        for number in found:
            if number is not None and depth < self.depth[number]:
                self._update_depth(number, page, depth)
        numbers = array("i", self._with_new(urls, found, page))
        self._edge_to.extend(numbers)
        self._edge_from.extend(array("i", [page]) * len(numbers))
        if self.excluded[Exclusion.TRAP]:
            self._readmit_linked(numbers, page)
        return np.array(numbers, dtype=np.int64)

    def _with_new(self, urls: Sequence[str], found: list[int | None], page: int) -> list[int]:
        """The numbers of all `urls`, of which some have been `found`."""
        missing = [i for i, number in enumerate(found) if number is None]
        if missing and self._aliases:
            for i in missing:
                found[i] = self._aliases.get(urls[i])
            missing = [i for i in missing if found[i] is None]
        if missing:
            new = self._add([urls[i] for i in missing], page, self.depth[page] + 1)
            for i, number in zip(missing, new, strict=True):
                found[i] = number
                self._judge_scope(number)
        return cast(list[int], found)

    def _judge_scope(self, number: int) -> None:
        host, url = self.hosts.all[self._host[number]], self.urls[number]
        reason = self.scope.refusal(url, host.name, self.depth[number])
        if reason is None and host.closed:
            reason = Exclusion.HOST_LIMIT
        if reason is None and self.traps.refuses(url, host.name):
            reason = Exclusion.TRAP
        if reason is not None:
            self.exclude(number, reason)

    def _readmit_linked(self, numbers: Iterable[int], page: int) -> None:
        """Readmits URLs that were excluded because only their trap's pages linked to them."""
        for number in numbers:
            is_set_aside = self._state[number] == EXCLUDED and self._is_reason(
                number, Exclusion.TRAP
            )
            if is_set_aside and self.traps.returns(self.urls[number]):
                self._set(number, NEW)
                self.parent[number] = page
                self._judge_scope(number)

    def _update_depth(self, number: int, page: int, depth: int) -> None:
        self.depth[number] = depth
        if self._state[number] == EXCLUDED and self._is_reason(number, Exclusion.DEPTH):
            self._set(number, NEW)
            self.parent[number] = page
            self._judge_scope(number)

    # Priorities --------------------------------------------------------------------------------

    def offer(
        self, numbers: Longs, scores: Iterable[float | None], page: int, now: float
    ) -> None:
        """Updates the frontier with the scores of a page's links; None rejects a link."""
        state = self._state
        if isinstance(scores, np.ndarray):
            scores = scores.tolist()  # Python floats: NumPy scalars are slower
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
            elif present == EXCLUDED and score is not None:
                if self._is_reason(number, Exclusion.REJECTED_BY_STRATEGY):
                    self._offer_new(number, score, page, now)
                elif self.is_evicted(number):
                    self._merge(number, score, page, now)
                else:  # in case it is readmitted
                    self.priority[number] = max(self.priority[number], score)
        self.maximum.keep(now)

    def _offer_new(self, number: int, score: float, page: int, now: float) -> None:
        self.parent[number] = page
        if self.scope.frontier_cap is not None and self.maximum.is_beyond(score, number):
            self.priority[number] = score
            self._seen[number] = 1
            self._set(number, NEW)
            self.exclude(number, Exclusion.FRONTIER_CAP)
            self.maximum.is_out(number)
        else:
            self._enter(number, score, now)

    def _enter(self, number: int, score: float, now: float) -> None:
        self._set(number, WAITING)
        self.priority[number] = score
        self._seen[number] = 1
        self._wait(number, now)

    def _merge(self, number: int, score: float, page: int, now: float) -> None:
        if self.parent[number] < 0:
            return  # seeds keep priority 1
        old = self.priority[number]
        new = score if self.replaces else self.policy.merged(old, self._seen[number], score)
        self._seen[number] += 1
        if new == old:
            return
        if new > old:
            self.parent[number] = page
        self.priority[number] = new
        if self._state[number] == WAITING:
            self._wait(number, now)
        else:
            self.maximum.is_out(number)

    def _wait(self, number: int, now: float) -> None:
        # Asking for the maximum here costs less than a call, in the innermost loop.
        if self.scope.frontier_cap is not None:
            self.maximum.waits(number)
        self._push(number, now)

    def is_evicted(self, number: int) -> bool:
        """Whether a URL has been evicted by the frontier maximum."""
        return self._state[number] == EXCLUDED and self._is_reason(number, Exclusion.FRONTIER_CAP)

    def readmit_evicted(self, number: int, now: float) -> None:
        """Readmits an evicted URL, unless its scope or host now excludes it."""
        reason = self.refused(number)
        if reason is None:
            self.readmit(number, now)
        else:
            self._set(number, WAITING)
            self.exclude(number, reason)

    def replace_priorities(self, numbers: Longs, priorities: Floats, now: float) -> None:
        """Sets the priorities of waiting URLs and rebuilds all queues; seeds keep theirs."""
        column = np.frombuffer(self.priority, dtype=np.float64)
        from_link = np.frombuffer(self.parent, dtype=np.int32)[numbers] >= 0
        column[numbers[from_link]] = priorities[from_link]
        del column
        self.rebuild(now)

    def change_priorities(self, numbers: Longs, priorities: Floats, now: float) -> None:
        """Sets the priorities of some waiting URLs, whose keys alone are queued again; seeds keep
        theirs."""
        column = np.frombuffer(self.priority, dtype=np.float64)
        changes = np.frombuffer(self.parent, dtype=np.int32)[numbers] >= 0
        changes &= column[numbers] != priorities
        numbers = numbers[changes]
        column[numbers] = priorities[changes]
        del column
        for number in numbers.tolist():
            self._wait(number, now)
        self.maximum.keep(now)

    def replace_links(
        self, numbers: Longs, priorities: Floats, parents: Longs, seen: Longs
    ) -> None:
        """Sets priorities with their parents and numbers of links. Call `rebuild` afterwards."""
        for column, dtype, values in (
            (self.priority, np.float64, priorities),
            (self.parent, np.int32, parents),
            (self._seen, np.int32, seen),
        ):
            np.frombuffer(column, dtype)[numbers] = values

    def combine(self, rows: int, row: Longs, scores: Floats) -> Floats:
        """One score per row from one per edge, by the crawl's parent policy."""
        return self.policy.combined(rows, row, scores)

    def rebuild(self, now: float) -> None:
        """Rebuilds all queues from the columns."""
        self.maximum.fill()
        self.maximum.keep(now)
        self._rank(now)

    # Picking -----------------------------------------------------------------------------------

    def pick(self, now: float) -> int | None:
        """Takes the best waiting URL of a free host and returns its number, or None."""
        is_bounded = self.scope.frontier_cap is not None
        if is_bounded:
            self.maximum.keep(now)
        while (host := self.hosts.ready(now)) is not None:
            queue, listed = host.queue, self.hosts.drop_first_ready(host)
            while queue and not self._is_current(queue[0]):
                self._pop(host)
            if not queue or queue[0] != listed[:2]:
                self.hosts.reschedule(host, now)
                continue
            number = self._pop(host)
            self._set(number, IN_FLIGHT)
            self.hosts.take(host)
            if not self.hosts.one_at_a_time:  # otherwise it is not free until the answer
                self.hosts.reschedule(host, now)
            if is_bounded:
                self.maximum.keep(now)
            return number
        return None

    def take(self, number: int) -> None:
        """Takes a given waiting URL out of turn, for a replay."""
        self._set(number, IN_FLIGHT)
        self.hosts.take(self.host_of(number))

    def put_back(self, number: int, now: float) -> None:
        """Queues a picked URL again that was not requested."""
        self._set(number, WAITING)
        host = self.host_of(number)
        host.busy -= 1
        self._wait(number, now)
        self.hosts.reschedule(host, now)

    def retry(self, number: int, now: float, next_at: float) -> None:
        """Queues a URL again after a transient failure; its host rests until `next_at`."""
        self._retries[number] = self.retries(number) + 1
        self._set(number, WAITING)
        self._wait(number, now)
        self.hosts.release(self.host_of(number), next_at, now)

    def retries(self, number: int) -> int:
        """How often a URL has been queued again after a failure."""
        return self._retries.get(number, 0)

    def fetched(self, number: int, now: float, next_at: float = 0.0) -> None:
        """Marks a URL as fetched; the next request to its host may start at `next_at`."""
        self._retries.pop(number, None)
        self._set(number, FETCHED)
        host = self.host_of(number)
        host.pages += 1
        self.hosts.release(host, next_at, now)
        limit = self.scope.pages_per_host
        if limit is not None and host.pages >= limit and not host.closed:
            self._close(host)

    def failed(self, number: int, now: float, next_at: float = 0.0) -> None:
        """Marks a URL as failed."""
        self._retries.pop(number, None)
        self._set(number, FAILED)
        self.hosts.release(self.host_of(number), next_at, now)

    def answered_elsewhere(self, number: int, final_url: str) -> None:
        """Records that the URL's page is at `final_url`, which must not be fetched again."""
        self._aliases[final_url] = number
        other = self._number.get(final_url)
        if other is not None and self._state[other] in (NEW, WAITING):
            self.exclude(other, Exclusion.ALIAS)

    def page_at(self, final_url: str) -> int | None:
        """The number of the URL that led to the page at `final_url`, or None."""
        number = self._aliases.get(final_url)
        if number is None:
            number = self._number.get(final_url)
        return number if number is not None and self._state[number] == FETCHED else None

    def readmit(self, number: int, now: float) -> None:
        """Queues an excluded URL again with its earlier priority, unless its host is closed."""
        self._set(number, WAITING)
        if self.host_of(number).closed:
            self.exclude(number, Exclusion.HOST_LIMIT)
        else:
            self._wait(number, now)

    def refused(self, number: int) -> Exclusion | None:
        """Why the current scope excludes a URL, or None."""
        return self.scope.refusal(
            self.urls[number], self.host_of(number).name, self.depth[number]
        )

    def _close(self, host: Host) -> None:
        host.closed = True
        for number in (*(number for _, number in host.queue), *self._ranking.rest(host)):
            if self._state[number] == WAITING:
                self.exclude(number, Exclusion.HOST_LIMIT)
        host.queue.clear()

    # Checkpoints -------------------------------------------------------------------------------

    def snapshot(self, now: float) -> dict[str, Any]:
        """The columns, the hosts and the scope, for a checkpoint."""
        return {
            **self.columns(),
            "hosts": self.hosts.state(now),
            "scope": self.scope.as_dict(),
            "retries": list(self._retries.items()),
            "traps": self.traps.state(),
        }

    def restore(self, state: dict[str, Any], urls: Sequence[str], now: float) -> None:
        """Restores a snapshot; `urls` are the discovered URLs by number."""
        self.restore_columns(state, urls)
        self.scope = Scope.from_dict(state["scope"])
        self._retries = dict(state["retries"])
        self.traps.restore(state["traps"])
        self.hosts.restore(state["hosts"], now)
        for host in self.hosts.all:
            limit = self.scope.pages_per_host
            host.closed = limit is not None and host.pages >= limit
        self.rebuild(now)
