"""Priorities: the scores of links, combined to one priority for each waiting URL."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from apps.engine.codes import Exclusion
from apps.engine.frontier.discovery import Discovery
from apps.engine.frontier.hosts import GroupLimits
from apps.engine.frontier.maximum import Maximum
from apps.engine.frontier.parents import POLICIES
from apps.engine.frontier.scope import Scope
from apps.engine.frontier.url_states import EXCLUDED, NEW, WAITING
from apps.engine.model import Floats, Longs
from apps.engine.urls import canonical

QUEUED_AGAIN, HOST_RANKED = 6, 10
"""The cost of queueing a URL again, and of ranking a host; that of ranking one URL is 1."""


class Priorities(Discovery):
    """The waiting URLs with their priorities.

    `policy` is a parent policy's id. With `replaces`, scores belong to URLs rather than links, and
    a later score replaces an earlier one.
    """

    def __init__(
        self,
        scope: Scope,
        policy: str,
        replaces: bool,
        one_at_a_time: bool,
        limits: GroupLimits,
    ) -> None:
        super().__init__(scope, one_at_a_time, limits)
        self.policy = POLICIES[policy]
        self.replaces = replaces
        self.maximum = Maximum(self)

    def seed(self, url: str, now: float, spelling: str = "") -> int:
        """Queues a seed with priority 1 and returns its number.

        Host and pattern rules of the scope do not apply, except that a host which a person has
        excluded stays excluded. `spelling` is the address to request, if it differs from the URL.
        """
        number = self.number(url)
        if number is None:
            number = self._add((url,), -1, 0)[0]
        if self._state[number] in (NEW, WAITING, EXCLUDED):
            self.parent[number] = -1
            self.depth[number] = 0
            self._enter(number, 1.0, now)
            if spelling and spelling != url:
                self._spellings[number] = spelling
            if self.scope.hosts_out and self.refused(number) is Exclusion.HOST_OUT:
                self.exclude(number, Exclusion.HOST_OUT)
        return number

    def offer(self, numbers: Longs, scores: Iterable[float | None], page: int, now: float) -> None:
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
        self._shorten(now)

    def follow(self, addresses: Sequence[str], page: int, now: float) -> None:
        """Queues the new links of a page that is not collected. They inherit its priority until a
        collected page links to them. `addresses` are in the spelling to request."""
        spellings = {
            url: address
            for address in addresses[: self.scope.links_per_page]
            if (url := canonical(address)) is not None
        }
        urls = list(spellings)
        for number in self._with_new(urls, [*map(self._number.get, urls)], page, spellings):
            if self._state[number] == NEW:
                self._offer_new(number, self.priority[page], page, now)
                self._seen[number] = 0
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
        new = score if self.replaces else self.policy.merge(old, self._seen[number], score)
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

    def readmit(self, number: int, now: float) -> None:
        """Queues an excluded URL again with its earlier priority, unless its host is closed."""
        self._set(number, WAITING)
        if self.host_of(number).closed:
            self.exclude(number, Exclusion.HOST_LIMIT)
        else:
            self._wait(number, now)

    def replace_priorities(self, numbers: Longs, priorities: Floats, now: float) -> None:
        """Sets the priorities of waiting URLs and rebuilds all queues; seeds and URLs without a
        scored link keep theirs."""
        column = np.frombuffer(self.priority, dtype=np.float64)
        changes = self._is_scored(numbers)
        column[numbers[changes]] = priorities[changes]
        del column
        self.rebuild(now)

    def change_priorities(self, numbers: Longs, priorities: Floats, now: float) -> None:
        """Sets the priorities of some waiting URLs; seeds and URLs without a scored link keep
        theirs. Few are queued again one by one, else all queues are rebuilt, whichever is sooner.
        """
        column = np.frombuffer(self.priority, dtype=np.float64)
        changes = self._is_scored(numbers)
        changes &= column[numbers] != priorities
        numbers = numbers[changes]
        column[numbers] = priorities[changes]
        del column
        if len(numbers) * QUEUED_AGAIN > self.waiting + len(self.hosts.all) * HOST_RANKED:
            self.rebuild(now)
            return
        for number in numbers.tolist():
            self._wait(number, now)
        self.maximum.keep(now)

    def _is_scored(self, numbers: Longs) -> NDArray[np.bool_]:
        """Which of these URLs have a priority from the scores of links."""
        scored: NDArray[np.bool_] = np.frombuffer(self.parent, dtype=np.int32)[numbers] >= 0
        scored &= np.frombuffer(self._seen, dtype=np.int32)[numbers] > 0
        return scored

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
        return self.policy.combine(rows, row, scores)

    def rebuild(self, now: float) -> None:
        """Rebuilds all queues from the columns."""
        self.maximum.fill()
        self.maximum.keep(now)
        self._rank(now)
