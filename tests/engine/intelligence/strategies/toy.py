"""A toy web of 30 pages, a topic that has everything a strategy may need, and a tiny crawl loop.

The web has three sections of nine pages (bread, rail, mixed), a home page, a list of links and a
page of few words. Each section's page i links on to pages i + 1 and 2i + 1 of its section; every
third page links to another section, every fourth to a page that does not exist.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np

from apps.engine.frontier.parents import POLICIES
from apps.engine.intelligence.classifying.page_memory import PageMemory
from apps.engine.intelligence.strategies.base import Moved, Strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Document, TokenRows, Visit
from apps.engine.parsing.document import parse_html
from apps.engine.representation.tokens import Vocabulary
from apps.engine.topics import CrawledPage, Example, Taxonomy, Topic

BREAD = "sourdough bread flour oven crust dough starter loaf yeast baker".split()
RAIL = "railway locomotive station signal track engine carriage platform timetable boiler".split()
GLUE = "garden letter morning river people window yellow number summer paper".split()
SECTIONS = {"bread": (BREAD, RAIL), "rail": (RAIL, BREAD), "mixed": (BREAD, RAIL)}
OTHER = {"bread": "rail", "rail": "mixed", "mixed": "bread"}
HOME = "http://toy.test/"


def words(vocabulary: list[str], start: int, count: int) -> str:
    return " ".join(vocabulary[(start + 3 * i) % len(vocabulary)] for i in range(count))


def link(section: str, i: int) -> str:
    main, _ = SECTIONS[section]
    label = "more" if i % 5 == 4 else words(main, i, 2)
    return f'<a href="/{section}/{i}">{label} {i}</a>'


def body(section: str, i: int) -> str:
    main, rest = SECTIONS[section]
    about = main if section != "mixed" or i % 2 else rest
    parts = [f"<h1>{words(about, i, 3)}</h1><p>{words(GLUE, i, 8)} {words(about, i + 1, 9)}</p>"]
    for target in dict.fromkeys((i + 1, 2 * i + 1)):
        if target <= 8:
            parts.append(
                f"<p>{words(GLUE, target, 4)} {link(section, target)} {words(about, target, 4)}</p>"
            )
    if i % 3 == 2:
        parts.append(f"<ul><li>{link(OTHER[section], i)}<li>{link(section, i // 2)}</ul>")
    if i % 4 == 3:
        parts.append(
            f'<p>{words(rest, i, 5)} <a href="/gone/{section}{i}">gone</a>'
            f'<a href="/"><img src="x.gif" alt="{main[i]}"></a></p>'
        )
    return "".join(parts)


@cache
def toy_web() -> Mapping[str, str]:
    pages = {
        HOME: f"<p>{words(GLUE, 0, 12)}</p>"
        + "".join(f"<p>{words(GLUE, 5, 3)} {link(s, 0)}</p>" for s in SECTIONS)
        + '<a href="/list">list of links</a><a href="/few">few</a>',
        "http://toy.test/list": "<ul>"
        + "".join(f"<li>{link(s, i)}" for i in (3, 6) for s in SECTIONS)
        + "</ul>",
        "http://toy.test/few": "<p>nothing here</p>",
    }
    for section in SECTIONS:
        for i in range(9):
            pages[f"http://toy.test/{section}/{i}"] = body(section, i)
    return {
        url: f"<html><title>{url[16:]}</title><body>{html}</body></html>"
        for url, html in pages.items()
    }


@cache  # no strategy changes what it reads
def document(url: str, html: str) -> Document:
    return parse_html(html, url)


def example(i: int, relevant: bool) -> Example:
    main = BREAD if relevant else RAIL
    url = f"http://examples.test/{'bread' if relevant else 'rail'}/{i}"
    links = "".join(f'<a href="/other/{n}">{words(GLUE, n, 1)}</a>' for n in range(i + 1))
    text = f"{words(GLUE, i, 9 + 4 * i)} {words(main, i, 8 + i)}"
    return Example(url, document(url, f"<p>{text}</p>{links}"), relevant)


@cache
def rich_topic() -> Topic:
    """A topic with examples, keywords, in-links, back-links, corpus, taxonomy and a past crawl."""
    training = tuple(example(i, relevant) for relevant in (True, False) for i in range(8))
    web = toy_web()
    return Topic(
        name="bread",
        language="en",
        keywords=("sourdough", "bread", "oven"),
        seeds=(HOME,),
        training=training,
        inlinks={e.url: 3 * i * i + 1 for i, e in enumerate(training)},
        backlinks=tuple(back_links(training)),
        corpus=tuple(
            document(f"http://corpus.test/{i}", f"<p>{words(v, i, 12)} {words(GLUE, i, 6)}</p>")
            for i in range(12)
            for v in (BREAD, RAIL)
        ),
        taxonomy=Taxonomy(
            tuple(
                (f"/{'Food/Bread' if e.relevant else 'Travel/Rail'}", e.document) for e in training
            ),
            "/Food",
        ),
        earlier=tuple(
            CrawledPage(url, document(url, html)) for url, html in web.items() if "few" not in url
        ),
    )


def back_links(training: tuple[Example, ...]) -> list[Document]:
    pages = []
    for i, e in enumerate(training):
        main = BREAD if e.relevant else RAIL
        url = f"http://lists.test/{i}"
        html = f'<p>{words(main, i, 9)} <a href="{e.url}">{words(main, i, 2)}</a> ok</p>'
        pages.append(document(url, html))
    return pages


def small(cls: type[Strategy]) -> dict[str, object]:
    """Parameters that let a strategy show all it does on 30 pages."""
    wanted: dict[str, object] = {
        "reorders_every": 4,
        "first_reorder": 6,
        "least": 1,
        "factors": 3,
        "k": 4,
        "samples": 5,
    }
    if cls.id == "tag_tree_combo":
        wanted.pop("least")
    names = {p.name for p in cls.parameters()}
    return {name: value for name, value in wanted.items() if name in names}


def fitted(cls: type[Strategy], topic: Topic | None = None, **parameters: object) -> Strategy:
    chosen = {**small(cls), **parameters}
    return cls.build(chosen).fit(TopicModel(topic or rich_topic(), seed=1))


class ToyCrawl:
    """Fetches the best waiting URL, ties in order of discovery; several parents: the maximum."""

    def __init__(self, strategy: Strategy, vocabulary: Vocabulary, web: Mapping[str, str]) -> None:
        self.strategy, self.vocabulary, self.web = strategy, vocabulary, web
        self.urls: list[str] = []
        self.priority: dict[int, float] = {}  # of waiting URLs
        self.parent: dict[int, int] = {}
        self.edges: list[tuple[int, int]] = []  # (page, link)
        self.order: list[str] = []
        self.visits: list[Visit] = []
        self.left: set[int] = set()
        self.known = self._number(HOME)
        self.priority[self.known], self.parent[self.known] = 1.0, -1

    def _number(self, url: str) -> int:
        if url not in self.urls:
            self.urls.append(url)
        return self.urls.index(url)

    def run(self, pages: int) -> list[str]:
        """Crawls until so many pages are fetched in all; the URLs fetched, in order."""
        while self.priority and len(self.order) < pages:
            number = min(self.priority, key=lambda n: (-self.priority[n], n))
            del self.priority[number]
            self.left.add(number)
            if self.urls[number] in self.web:
                self._page(number)
        return self.order

    def _page(self, number: int) -> None:
        url = self.urls[number]
        self.order.append(url)
        visit = self.visit(number, url)
        message = self.strategy.judge(visit)
        visit = replace(visit, topicality=message.topicality, status=message.status)
        self.strategy.learn(visit)
        scores = list(self.strategy.score_links(visit))
        self.visits.append(visit)
        for link_number, score in zip(visit.link_numbers.tolist(), scores, strict=True):
            self.edges.append((number, link_number))
            if score is not None and link_number not in self.left:
                old = self.priority.get(link_number)
                replaces = self.strategy.scores == "urls" or old is None
                self.priority[link_number] = score if replaces else max(old, score)
                self.parent.setdefault(link_number, number)
        if self.strategy.reorder_due(len(self.order)):
            view = ToyFrontier(self)
            self.priority.update(rescored(self.strategy, view))

    def visit(self, number: int, url: str) -> Visit:
        page = document(url, self.web[url])
        links = np.array([self._number(u) for u in page.links.urls], np.int64)
        return Visit(
            number=len(self.order),
            url=url,
            url_number=number,
            parent=self.parent[number],
            depth=0,
            document=page,
            tokens=self.vocabulary.encode(page.words),
            link_numbers=links,
        )


def rescored(strategy: Strategy, frontier) -> dict[int, float]:
    """The new priorities of waiting URLs, by number."""
    rescored = strategy.rescore(frontier)
    if rescored is None:
        return {}
    if isinstance(rescored, Moved):
        assert np.isin(rescored.numbers, frontier.numbers).all()
        return dict(zip(rescored.numbers.tolist(), rescored.priorities.tolist(), strict=True))
    return dict(zip(frontier.numbers.tolist(), rescored.tolist(), strict=True))


class ToyFrontier:
    def __init__(self, crawl: ToyCrawl) -> None:
        self._crawl = crawl
        self.numbers = np.array(sorted(crawl.priority), np.int64)
        position = {number: i for i, number in enumerate(self.numbers.tolist())}
        pairs = [(position[v], u) for u, v in crawl.edges if v in position]
        self._rows, self._pages = np.array(pairs, np.int64).reshape(-1, 2).T

    def url(self, number: int) -> str:
        return self._crawl.urls[number]

    def parents(self):
        return np.array([self._crawl.parent[n] for n in self.numbers.tolist()], np.int64)

    def waiting_among(self, numbers):
        return numbers[np.isin(numbers, self.numbers)]

    def edges(self):
        return self._rows, self._pages

    def combine(self, scores):
        return POLICIES["max"].combine(len(self.numbers), self._rows, scores)


class ShareClassifier:
    """P(c|x) is the share of bread words among x's terms; 0.1 for a text without terms."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._bread = vocabulary.encode(BREAD)
        self.of_pages: PageMemory[float] = PageMemory()
        self.of_texts = None

    def probabilities(self, rows: TokenRows) -> np.ndarray:
        shares = [
            np.isin(rows.row(i), self._bread).mean() if len(rows.row(i)) else 0.1
            for i in range(len(rows))
        ]
        return np.array(shares, np.float64)

    def margins(self, rows: TokenRows) -> np.ndarray:
        return 4 * self.probabilities(rows) - 2


def visit_of(
    html: str,
    topic: TopicModel,
    *,
    number: int = 0,
    links: list[int] | None = None,
    topicality: float | None = None,
    status: float | None = None,
    seq: int = 1,
    parent: int = -1,
    url: str = "http://page.test/",
) -> Visit:
    """A page as a strategy sees it; its links are numbered from 10 unless told."""
    page = document(url, html)
    numbers = list(range(10, 10 + len(page.links))) if links is None else links
    return Visit(
        seq,
        page.url,
        number,
        parent,
        0,
        page,
        topic.vocabulary.encode(page.words),
        np.array(numbers, np.int64),
        topicality,
        status,
    )


class Waiting:
    """A frontier given outright: waiting numbers and the links (page, waiting URL) to them."""

    def __init__(self, numbers: list[int], links: list[tuple[int, int]] = ()) -> None:
        self.numbers = np.array(numbers, np.int64)
        position = {number: i for i, number in enumerate(numbers)}
        pairs = [(position[v], u) for u, v in links if v in position]
        self._rows, self._pages = np.array(pairs, np.int64).reshape(-1, 2).T

    def waiting_among(self, numbers):
        return numbers[np.isin(numbers, self.numbers)]

    def edges(self):
        return self._rows, self._pages

    def combine(self, scores):
        return POLICIES["max"].combine(len(self.numbers), self._rows, scores)
