"""Listed URLs: those that a sitemap or a feed of a site names, and these lists themselves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from apps.engine.codes import Exclusion
from apps.engine.frontier.priorities import Priorities
from apps.engine.frontier.url_states import NEW
from apps.engine.model import Longs
from apps.engine.urls import canonical, spelled


class ListedUrls(Priorities):
    """The waiting URLs, with sitemaps and feeds and the URLs that these name."""

    def queue_due(self, now: float) -> None:
        """Queues the addresses that are due like seeds, in their order."""
        for due in self.revisits.due:
            number = self.seed(canonical(due.url) or due.url, now, spelled("", due.url) or "")
            if due.is_list:
                self.site_lists.add(number)

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
