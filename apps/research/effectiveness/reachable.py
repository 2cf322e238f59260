"""Which pages of a recorded web a crawl can reach."""

from __future__ import annotations

from collections.abc import Iterable

from apps.engine.networking.redirects import follow_recorded
from apps.engine.replays.parsed_web import ParsedWeb


class ReachableLinks:
    """The links of all pages of a web, over redirects."""

    def __init__(self, web: ParsedWeb) -> None:
        self._web = web
        pages = ((url, web.document(url)) for url in web.urls())
        self._links = {url: page.links.urls for url, page in pages if page is not None}
        self._leads_to: dict[str, str | None] = {url: url for url in self._links}

    def number(self, url: str) -> int:
        """How many links a page has."""
        return len(self._links.get(url, ()))

    def reachable(self, seeds: Iterable[str]) -> set[str]:
        """The URLs of the pages that links lead to from the seeds, and of the seeds."""
        reached: set[str] = set()
        left = list(seeds)
        while left:
            page = self._page(left.pop())
            if page is not None and page not in reached:
                reached.add(page)
                left.extend(self._links[page])
        return reached

    def _page(self, url: str) -> str | None:
        """The page that a URL leads to; None if it leads to none."""
        if url not in self._leads_to:
            answer = follow_recorded(url, self._web.get)
            is_page = not answer.failure and answer.final_url in self._links
            self._leads_to[url] = answer.final_url if is_page else None
        return self._leads_to[url]
