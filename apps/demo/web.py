"""The demo web: thousands of pages on invented hosts, each written when it is requested.

A page's bytes depend on its URL and the web's seed only. The web is made in memory in well under a
second and can replace a recorded web anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from apps.demo.addresses import MEMBERS, draw_bank, draw_titles, draw_urls, host_name
from apps.demo.graph import draw_graph
from apps.demo.pages import Writer, generator
from apps.demo.plan import HOSTS, NO_TOPIC, PageKind, WebPlan, draw_plan, section_sizes
from apps.demo.vocabulary import fields
from apps.engine.answers import Answer, Headers

LEAST_PAGES, USUAL_PAGES = 4_000, 20_000
"""With fewer pages the hosts would be too small for several topics each."""

_HTML: Headers = (("Content-Type", "text/html; charset=utf-8"),)
_NOT_FOUND = b"<html><title>Not found</title><h1>There is no such page</h1></html>"


class DemoWeb:
    """A generated web, read like a recorded one.

    `hosts` are its host names, `count` its pages. Status is autocorrelated across links (rank
    correlation of in-links about 0.34; 0.36 in SL §3.1) and independent of the topics, so that
    a crawl that gives up topicality finds higher status.
    Raises ValueError for fewer than 4,000 pages.
    """

    def __init__(self, seed: int = 1, pages: int = USUAL_PAGES) -> None:
        if pages < LEAST_PAGES:
            raise ValueError(f"A demo web needs at least {LEAST_PAGES} pages, not {pages}.")
        self.seed = seed
        numbers = np.random.Generator(np.random.PCG64(seed))
        words = generator(seed, "titles")
        topics = fields()
        self.topics = tuple(field.name for field in topics[:-1])
        self.plan: WebPlan = draw_plan(section_sizes(pages, len(self.topics), numbers), numbers)
        self.graph = draw_graph(self.plan, numbers)
        bank = draw_bank(topics, words)
        titles = draw_titles(self.plan, bank, topics, words)
        self._urls = draw_urls(self.plan, titles, topics, words)
        self._pages = {url: page for page, url in enumerate(self._urls)}
        self._writer = Writer(seed, self.plan, self.graph, self._urls, titles, topics, bank)
        self.hosts = frozenset(host_name(host) for host in range(len(HOSTS)))
        self.count = len(self._urls)

    def get(self, url: str) -> Answer:
        """The answer of a canonical URL in one exchange; redirects are not followed.

        A page, a robots.txt, a 301 from an old URL, `http_404`, or `dns` for an unknown host.
        """
        page = self._pages.get(url)
        if page is not None:
            return _answer(url, *self._writer.write(page))
        host, path = _split(url)
        if host not in self.hosts:
            return Answer(url, url, failure="dns", detail=f"no such host: {host}")
        if path == "/robots.txt":
            return _answer(url, "text/plain; charset=utf-8", _robots(host))
        target = self._moved(host, path)
        if target is not None:
            return Answer(url, url, status=301, headers=(("Location", self._urls[target]),))
        return Answer(url, url, status=404, headers=_HTML, body=_NOT_FOUND, failure="http_404")

    def page_at(self, url: str) -> str | None:
        """The page that a canonical URL leads to, itself or from an old URL; None if none."""
        if url in self._pages:
            return url
        target = self._moved(*_split(url))
        return None if target is None else self._urls[target]

    def labels(self, url: str) -> tuple[str, ...]:
        """The topic of a page as its only label; empty for mixed home pages and unknown URLs."""
        page = self._pages.get(url)
        if page is None or self.plan.topic[page] == NO_TOPIC:
            return ()
        return (self.topics[self.plan.topic[page]],)

    def urls(self) -> Iterator[str]:
        """The URLs of all pages, home pages first."""
        return iter(self._urls)

    def links(self, url: str) -> tuple[str, ...]:
        """The distinct pages of this web that a page links to. Raises KeyError for an unknown
        page."""
        page = self._pages[url]
        span = slice(self.graph.start[page], self.graph.start[page + 1])
        return tuple(self._urls[target] for target in self.graph.target[span].tolist())

    def inlinks(self) -> Iterator[tuple[str, int]]:
        """Every page with the number of other pages that link to it."""
        return zip(self._urls, self.graph.inlinks().tolist(), strict=True)

    def relevant(self, topic: str) -> tuple[str, ...]:
        """All pages of a topic. Raises ValueError for an unknown topic."""
        chosen = np.flatnonzero(self.plan.topic == self.topics.index(topic))
        return tuple(self._urls[page] for page in chosen.tolist())

    def articles(self, topic: str) -> tuple[str, ...]:
        """The pages of a topic that are not the front page of a host or section."""
        chosen = self.plan.topic == self.topics.index(topic)
        chosen &= self.plan.kind == PageKind.ARTICLE
        return tuple(self._urls[page] for page in np.flatnonzero(chosen).tolist())

    def focus(self, url: str) -> float:
        """The share of a page that is on its topic, in [0, 1]. Raises KeyError for an unknown
        page."""
        return float(self.plan.focus[self._pages[url]])

    def _moved(self, host: str, path: str) -> int | None:
        number = path.removeprefix("/moved/")
        if number == path or not (number.isascii() and number.isdecimal()):
            return None
        page = int(number)
        exists = page < self.count and host_name(int(self.plan.host[page])) == host
        return page if exists else None


def _answer(url: str, content_type: str, body: bytes) -> Answer:
    return Answer(url, url, 200, (("Content-Type", content_type),), body)


def _split(url: str) -> tuple[str, str]:
    """Host and path of an http URL, unchanged."""
    host, slash, path = url.partition("://")[2].partition("/")
    return host, slash + path


def _robots(host: str) -> bytes:
    text = f"User-agent: *\nDisallow: {MEMBERS}\nDisallow: /cgi-bin/\n"
    if host == host_name(len(HOSTS) - 1):
        text += "Crawl-delay: 1\n"
    return text.encode()
