"""The frontier: all URLs that a crawl has discovered, and the choice of the next one.

The order is exactly best-first among the free hosts; ties go to the URL discovered first.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apps.engine.codes import Exclusion
from apps.engine.frontier.hosts import GroupLimits, HostQueue
from apps.engine.frontier.mirrors import Mirrors
from apps.engine.frontier.redirect_texts import RedirectTexts
from apps.engine.frontier.scope import Scope
from apps.engine.frontier.site_lists import ListedUrls
from apps.engine.frontier.url_states import FAILED, FETCHED, IN_FLIGHT, NEW, WAITING


class Frontier(ListedUrls):
    """The waiting URLs of one crawl. Times are seconds of the crawl's clock.

    `policy` and `replaces` are those of `Priorities`.
    """

    def __init__(
        self,
        scope: Scope,
        policy: str = "max",
        replaces: bool = False,
        one_at_a_time: bool = True,
        limits: GroupLimits = GroupLimits(),
    ) -> None:
        super().__init__(scope, policy, replaces, one_at_a_time, limits)
        self.mirrors = Mirrors()
        self.redirect_texts = RedirectTexts()
        self._retries: dict[int, int] = {}

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
        self._wait(number, now)
        self.hosts.release(self.host_of(number), 0.0, now)

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

    def try_again(self, number: int, now: float) -> None:
        """Queues a failed URL again as if it had not been tried, and so its host; any other URL is
        left as it is."""
        if self._state[number] == FAILED:
            self.host_of(number).failures = 0
            self.readmit(number, now)
            self.hosts.reschedule(self.host_of(number), now)

    def learn_ending(self, number: int, now: float) -> None:
        """Learns from a page whether addresses that end like its own lead to pages, and readmits
        those that wait for it."""
        url, host = self.urls[number], self.host_of(number)
        if not self.hosts.one_at_a_time or not self.scope.refuses_ending(url):
            return
        if self.endings.learn(url, host.name):
            for other in self.excluded_for(Exclusion.EXTENSION):
                if self._host[other] == host.index and self.refused(other) is None:
                    self.readmit(other, now)

    def _close(self, host: HostQueue) -> None:
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
            "spellings": list(self._spellings.items()),
            "site_lists": sorted(self.site_lists),
            "beyond": sorted(self.beyond),
            "mirrors": self.mirrors.state(),
            "endings": self.endings.state(),
            "redirect_texts": self.redirect_texts.state(),
            "traps": self.traps.state(),
        }

    def restore(self, state: dict[str, Any], urls: Sequence[str], now: float) -> None:
        """Restores a snapshot; `urls` are the discovered URLs by number."""
        self.restore_columns(state, urls)
        self.scope = Scope.from_dict(state["scope"])
        self._retries = dict(state["retries"])
        self._spellings = dict(state["spellings"])
        self.site_lists = set(state["site_lists"])
        self.beyond = set(state.get("beyond", ()))
        self.mirrors.restore(state["mirrors"])
        self.endings.restore(state["endings"])
        self.redirect_texts.restore(state["redirect_texts"])
        self.traps.restore(state["traps"])
        self.hosts.restore(state["hosts"], now)
        for host in self.hosts.all:
            limit = self.scope.pages_per_host
            host.closed = limit is not None and host.pages >= limit
        self.rebuild(now)
