"""The frontier: all URLs that a crawl has discovered, and the choice of the next one.

The order is exactly best-first among the free hosts; ties go to the URL discovered first.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from apps.engine.codes import Exclusion
from apps.engine.frontier.file_endings import FileEndings
from apps.engine.frontier.host_decisions import Reach
from apps.engine.frontier.host_queues import HostQueues
from apps.engine.frontier.hosts import GroupLimits, Host
from apps.engine.frontier.maximum import Maximum
from apps.engine.frontier.mirrors import Mirrors
from apps.engine.frontier.parents import POLICIES
from apps.engine.frontier.redirect_texts import RedirectTexts
from apps.engine.frontier.revisits import NO_REVISITS, Revisits
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
from apps.engine.urls import canonical, spelled

_NOT_OF_LISTS = (Exclusion.DEPTH, Exclusion.EXTENSION)


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
        limits: GroupLimits = GroupLimits(),
    ) -> None:
        super().__init__(one_at_a_time, limits)
        self.scope = scope
        self.policy = POLICIES[policy]
        self.replaces = replaces
        self.traps = Traps(many_hosts=one_at_a_time)
        self._retries: dict[int, int] = {}
        self._spellings: dict[int, str] = {}
        self.site_lists: set[int] = set()
        self.beyond: set[int] = set()  # what pages of hosts that are in link to, if that matters
        self.mirrors = Mirrors()
        self.endings = FileEndings()
        self.redirect_texts = RedirectTexts()
        self.maximum = Maximum(self)
        self.revisits: Revisits = NO_REVISITS

    def revisit(self, revisits: Revisits) -> None:
        """Makes this the frontier of a visit; call it before anything is discovered."""
        self.revisits = revisits

    # Discovery ---------------------------------------------------------------------------------

    def seed(self, url: str, now: float, spelling: str = "") -> int:
        """Queues a seed with priority 1; host and pattern rules of the scope do not apply, except
        that its host may be out.

        `spelling` is its address as it is requested, if it differs."""
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

    def queue_due(self, now: float) -> None:
        """Queues the addresses that are due like seeds, in their order."""
        for due in self.revisits.due:
            number = self.seed(canonical(due.url) or due.url, now, spelled("", due.url) or "")
            if due.is_list:
                self.site_lists.add(number)

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
        self._edge_to.extend(numbers)
        self._edge_from.extend(array("i", [page]) * len(numbers))
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

    def follow(self, addresses: Sequence[str], page: int, now: float) -> None:
        """Queues the new ones among the links of a page that is not collected, given as they are
        requested; they inherit its priority until a collected page links to them."""
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

    def queue_site_list(self, address: str, page: int, now: float) -> int | None:
        """Queues a sitemap or feed of the site of a page, with the page's priority, whatever its
        depth or file type; returns its number. None if the URL is known, or is none."""
        url = canonical(address)
        if url is None or self.number(url) is not None or self.revisits.has_met(url):
            return None
        number = self._add((url,), page, self.depth[page] + 1)[0]
        if url != address:
            self._spellings[number] = address
        self.site_lists.add(number)
        host = self.host_of(number)
        reason = Exclusion.HOST_LIMIT if host.closed else self.refused(number)
        if reason is not None:
            self.exclude(number, reason)
        else:
            self._offer_new(number, self.priority[page], page, now)
            self._seen[number] = 0
            self.maximum.keep(now)
        return number

    def discover_listed(
        self, urls: Sequence[str], page: int, spellings: Mapping[str, str] = MappingProxyType({})
    ) -> Longs:
        """The numbers of the URLs that a list of the site of `page` names; new ones become the
        page's children, without an edge, since it has no such link."""
        numbers = self._with_new(urls, [*map(self._number.get, urls)], page, spellings)
        return np.array(numbers, dtype=np.int64)

    def offer_listed(
        self, numbers: Longs, scores: Iterable[float | None], page: int, now: float, learned: bool
    ) -> int:
        """Queues the new ones among listed URLs and returns how many; None rejects one. Unless the
        strategy has `learned` the list, they keep their score until a page links to them."""
        taken = 0
        scores = scores.tolist() if isinstance(scores, np.ndarray) else scores
        for number, score in zip(numbers.tolist(), scores, strict=True):
            if self._state[number] != NEW:
                continue
            taken += 1
            if score is None:
                self.exclude(number, Exclusion.REJECTED_BY_STRATEGY)
            else:
                self._offer_new(number, score, page, now)
                self._seen[number] = int(learned)
        self.maximum.keep(now)
        return taken

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
        """Sets the priorities of waiting URLs and rebuilds all queues; seeds and URLs without a
        scored link keep theirs."""
        column = np.frombuffer(self.priority, dtype=np.float64)
        changes = self._is_scored(numbers)
        column[numbers[changes]] = priorities[changes]
        del column
        self.rebuild(now)

    def change_priorities(self, numbers: Longs, priorities: Floats, now: float) -> None:
        """Sets the priorities of some waiting URLs, whose keys alone are queued again; seeds and
        URLs without a scored link keep theirs."""
        column = np.frombuffer(self.priority, dtype=np.float64)
        changes = self._is_scored(numbers)
        changes &= column[numbers] != priorities
        numbers = numbers[changes]
        column[numbers] = priorities[changes]
        del column
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

    def spelling(self, url: str) -> str:
        """The address of a discovered URL as it is requested; empty if that is the URL."""
        return self._spellings.get(self._number.get(url, -1), "")

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

    def try_again(self, number: int, now: float) -> None:
        """Queues a failed URL again as if it had not been tried, and so its host; any other URL is
        left as it is."""
        if self._state[number] == FAILED:
            self.host_of(number).failures = 0
            self.readmit(number, now)
            self.hosts.reschedule(self.host_of(number), now)

    def refused(self, number: int) -> Exclusion | None:
        """Why the current scope excludes a URL, or None."""
        url, host = self.urls[number], self.host_of(number).name
        reason = self.scope.refusal(url, host, self.depth[number], number in self.beyond)
        if reason is Exclusion.EXTENSION and self.endings.are_pages(url, host):
            return None
        if reason in _NOT_OF_LISTS and number in self.site_lists:
            return None
        return reason

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
