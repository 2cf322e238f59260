"""Discovery: numbers the URLs of a crawl, and excludes those that its scope refuses."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import cast

import numpy as np

from apps.engine.codes import Exclusion
from apps.engine.frontier.file_endings import FileEndings
from apps.engine.frontier.host_decisions import Reach
from apps.engine.frontier.host_queues import HostQueues
from apps.engine.frontier.hosts import GroupLimits
from apps.engine.frontier.revisits import NO_REVISITS, Revisits
from apps.engine.frontier.scope import Scope
from apps.engine.frontier.traps import Traps
from apps.engine.frontier.url_states import EXCLUDED, NEW
from apps.engine.model import Longs

_NOT_OF_LISTS = (Exclusion.DEPTH, Exclusion.EXTENSION)


class Discovery(HostQueues):
    """The discovered URLs, each new one or excluded for a reason."""

    def __init__(self, scope: Scope, one_at_a_time: bool, limits: GroupLimits) -> None:
        super().__init__(one_at_a_time, limits)
        self.scope = scope
        self.traps = Traps(many_hosts=one_at_a_time)
        self.endings = FileEndings()
        self.site_lists: set[int] = set()
        self.beyond: set[int] = set()  # what pages of hosts that are in link to, if that matters
        self.revisits: Revisits = NO_REVISITS
        self._spellings: dict[int, str] = {}

    def revisit(self, revisits: Revisits) -> None:
        """Makes this the frontier of a visit; call it before anything is discovered."""
        self.revisits = revisits

    def discover(
        self, urls: Sequence[str], page: int, spellings: Mapping[str, str] = MappingProxyType({})
    ) -> Longs:
        """Numbers a page's new links and returns the numbers of all; `page` is the page's number,
        `spellings` are the addresses of those that are requested in another spelling.

        Every link is stored as an edge. Depth is the shortest distance from a seed, so a URL
        excluded for its depth is readmitted when a shorter path to it appears.
        """
        depth = self.depth[page] + 1
        existing = [*map(self._number.get, urls)]
        for number in existing:
            if number is not None and depth < self.depth[number]:
                self._update_depth(number, page, depth)
        numbers = array("i", self._with_new(urls, existing, page, spellings))
        self._add_edges(numbers, page)
        if self.excluded[Exclusion.TRAP]:
            self._readmit_linked(numbers, page)
        return np.array(numbers, dtype=np.int64)

    def _with_new(
        self,
        urls: Sequence[str],
        numbers: list[int | None],
        page: int,
        spellings: Mapping[str, str],
    ) -> list[int]:
        """The numbers of all `urls`; None in `numbers` stands for a new URL."""
        missing = [i for i, number in enumerate(numbers) if number is None]
        if missing and self._aliases:
            for i in missing:
                numbers[i] = self._aliases.get(urls[i])
            missing = [i for i in missing if numbers[i] is None]
        leads_beyond = self.leads_beyond(page)
        if leads_beyond:
            self._reach([number for number in numbers if number is not None], page)
        if missing:
            new = self._add([urls[i] for i in missing], page, self.depth[page] + 1)
            for i, number in zip(missing, new, strict=True):
                numbers[i] = number
                if spellings and urls[i] in spellings:
                    self._spellings[number] = spellings[urls[i]]
                if leads_beyond:
                    self.beyond.add(number)
                self._judge_scope(number)
        return cast(list[int], numbers)

    def leads_beyond(self, page: int) -> bool:
        """Whether the scope lets a crawl follow the links of the page because its host is in."""
        if self.scope.reach != Reach.ONE_LINK:
            return False
        return bool(self.scope.decisions.is_in(self.urls[page], self.host_of(page).name))

    def _reach(self, numbers: Iterable[int], page: int) -> None:
        """Readmits URLs that were too far from the hosts that are in until this page."""
        for number in numbers:
            if number not in self.beyond:
                self.beyond.add(number)
                if self._state[number] == EXCLUDED and self._is_reason(
                    number, Exclusion.HOST_NOT_IN
                ):
                    self._set(number, NEW)
                    self.parent[number] = page
                    self._judge_scope(number)

    def _judge_scope(self, number: int) -> None:
        host, url = self.hosts.all[self._host[number]], self.urls[number]
        reason = self.scope.refusal(url, host.name, self.depth[number], number in self.beyond)
        # A recorded web has no more pages than it has, and its crawls must stay comparable.
        if (
            reason is Exclusion.EXTENSION
            and self.hosts.one_at_a_time
            and self.endings.tries(url, host.name)
        ):
            reason = None
        if reason is None and host.closed:
            reason = Exclusion.HOST_LIMIT
        if reason is None and self.traps.refuses(url, host.name):
            reason = Exclusion.TRAP
        if reason is None and self.revisits.has_met(url):
            reason = Exclusion.NOT_DUE
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

    def refused(self, number: int) -> Exclusion | None:
        """Why the current scope excludes a URL, or None."""
        url, host = self.urls[number], self.host_of(number).name
        reason = self.scope.refusal(url, host, self.depth[number], number in self.beyond)
        if reason is Exclusion.EXTENSION and self.endings.are_pages(url, host):
            return None
        if reason in _NOT_OF_LISTS and number in self.site_lists:
            return None
        return reason

    def spelling(self, url: str) -> str:
        """The address of a discovered URL as it is requested; empty if that is the URL."""
        return self._spellings.get(self._number.get(url, -1), "")
