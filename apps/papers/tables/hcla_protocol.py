"""HCLA's protocol on WebKB: one university is crawled, the others' texts are given (HCLA §5.1).

A crawl starts at the university's department page; links that leave its pages are dropped. The
texts of the three other universities train ss1, ss2, hcla and full_page; pages of no university
(`misc`) are added for hcla only. The keywords are those of HCLA Table 2.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from apps.engine.answers import Answer
from apps.engine.crawl.loop import CrawlLoop
from apps.engine.crawl.page_reader import PageReader
from apps.engine.crawl.plan import Plan
from apps.engine.intelligence.strategies.backlink_count import BacklinkCount
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.strategies.breadth_first import BreadthFirst
from apps.engine.intelligence.strategies.full_page import FullPage
from apps.engine.intelligence.strategies.hcla import Hcla
from apps.engine.intelligence.strategies.pagerank import Pagerank
from apps.engine.intelligence.strategies.ss1 import Ss1
from apps.engine.intelligence.strategies.ss2 import Ss2
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Document
from apps.engine.networking.politeness import Politeness
from apps.engine.networking.webs.virtual_web import RecordedFetcher
from apps.engine.representation.tokens import Vocabulary
from apps.engine.topics import Example, Topic
from apps.papers.tables.oracle import Oracle
from apps.papers.tables.parted_web import PartedWeb, UniversityPart

QUERIES: Mapping[str, tuple[str, ...]] = {
    "course": (
        "course",
        "university",
        "homework",
        "lesson",
        "exams",
        "assignment",
        "lecture",
        "tutorial",
        "book",
        "schedule",
        "notes",
        "grading",
        "handout",
        "teaching",
        "solutions",
    ),
    "faculty": (
        "faculty",
        "university",
        "professor",
        "publications",
        "papers",
        "research",
        "office",
    ),
    "project": (
        "project",
        "university",
        "demonstration",
        "objective",
        "overview",
        "research",
        "laboratory",
    ),
    "student": (
        "student",
        "university",
        "interests",
        "favourite",
        "activities",
        "graduate",
        "home",
    ),
}
TERMS = 1_000
NEGATIVES_PER_POSITIVE = 2
RANDOM_SEED = 1


@dataclass(frozen=True, slots=True)
class ProtocolCrawler:
    """One line of the table: its name, how its strategy is made, and its training data."""

    id: str
    title: str
    make: Callable[[], Strategy]
    background: bool = False
    corpus: bool = False
    misc: bool = False
    examples: bool = False
    oracle: bool = False


CRAWLERS: tuple[ProtocolCrawler, ...] = (
    ProtocolCrawler("brfs", "BRFS", BreadthFirst),
    ProtocolCrawler("bl", "BL", BacklinkCount),
    ProtocolCrawler("ss1", "SS1", lambda: Ss1(terms=TERMS), background=True),
    ProtocolCrawler("ss2", "SS2", Ss2, corpus=True),
    ProtocolCrawler("pr", "PR", Pagerank),
    ProtocolCrawler("hcla", "HCLA", Hcla, corpus=True, misc=True),
    ProtocolCrawler(
        "ss1_best",
        "SS1, best ancestor of each generation",
        lambda: Ss1(parents="max", terms=TERMS),
        background=True,
    ),
    ProtocolCrawler(
        "hcla_raw",
        "HCLA, raw columns, link weight .3",
        lambda: Hcla(columns="raw", link_weight=0.3),
        corpus=True,
        misc=True,
    ),
    ProtocolCrawler(
        "hcla_raw_10",
        "the same, N = 10",
        lambda: Hcla(columns="raw", link_weight=0.3, reorders_every=10),
        corpus=True,
        misc=True,
    ),
    ProtocolCrawler(
        "full_page",
        "Full page, naive Bayes",
        lambda: FullPage(classifier="nb"),
        examples=True,
    ),
    ProtocolCrawler("oracle", "Oracle, one link ahead", Oracle, oracle=True),
)


@dataclass(frozen=True, slots=True)
class Run:
    """One crawl: whether each page was relevant, in the order of fetching.

    `relevant` counts the category's pages of the university, `reachable` those that links lead
    to. `fit_seconds` and `crawl_seconds` are CPU time, `reorder_seconds` is part of the latter.
    """

    university: str
    pages: tuple[bool, ...]
    relevant: int
    reachable: int
    fit_seconds: float
    crawl_seconds: float
    reorder_seconds: float


def run(
    web: PartedWeb,
    part: UniversityPart,
    category: str,
    crawler: ProtocolCrawler,
    vocabulary: Vocabulary,
    pages: int | None = None,
) -> Run:
    """Crawls one university for one category, to the end or for `pages` pages."""
    relevant = part.relevant(category)
    strategy = Oracle(relevant) if crawler.oracle else crawler.make()
    topic = topic_of(web, part, category, crawler)
    began = time.process_time()
    crawl = closed_crawl(part, web, TopicModel(topic, vocabulary, RANDOM_SEED), strategy, pages)
    fitted = time.process_time()
    fetched = asyncio.run(fetched_urls(crawl))
    return Run(
        university=part.name,
        pages=tuple(url in relevant for url in fetched),
        relevant=len(relevant),
        reachable=len(relevant & part.reachable),
        fit_seconds=fitted - began,
        crawl_seconds=time.process_time() - fitted,
        reorder_seconds=crawl.reorder_seconds,
    )


def whole_vocabulary(web: PartedWeb) -> Vocabulary:
    """The words of all texts, in a fixed order, so that no crawl depends on those run before it."""
    vocabulary = Vocabulary("en")
    for name in web.names + web.without_root:
        for _, document in web.texts(name):
            vocabulary.encode(document.words)
    return vocabulary


def topic_of(
    web: PartedWeb, part: UniversityPart, category: str, crawler: ProtocolCrawler
) -> Topic:
    """The crawler's topic: keywords, root, and its share of the other texts."""
    others = [name for name in web.names if name != part.name]
    texts = tuple(page for name in others for page in web.texts(name))
    misc = tuple(page for name in web.without_root for page in web.texts(name))
    return Topic(
        name=f"{category} at {part.name}",
        language="en",
        keywords=QUERIES[category],
        seeds=(part.root,),
        training=examples(texts, web.labels, category) if crawler.examples else (),
        background=_documents(texts) if crawler.background else (),
        corpus=_documents(texts + misc if crawler.misc else texts) if crawler.corpus else (),
    )


def examples(
    texts: tuple[tuple[str, Document], ...], labels: Mapping[str, frozenset[str]], category: str
) -> tuple[Example, ...]:
    """All texts of the category, and twice as many others drawn by a fixed seed."""
    positive = [page for page in texts if category in labels[page[0]]]
    others = [page for page in texts if category not in labels[page[0]]]
    count = min(len(others), NEGATIVES_PER_POSITIVE * len(positive))
    negative = random.Random(RANDOM_SEED).sample(others, count)
    return tuple(Example(url, document, True) for url, document in positive) + tuple(
        Example(url, document, False) for url, document in negative
    )


def closed_crawl(
    part: UniversityPart,
    web: PartedWeb,
    topic: TopicModel,
    strategy: Strategy,
    pages: int | None = None,
    parse_anew: bool = False,
    policy: str = "max",
) -> CrawlLoop:
    """A crawl of the part alone, without robots.txt.

    Pages were parsed beforehand, unless they are to be parsed anew; `policy` decides which of
    several parents' scores a URL has.
    """
    budget = pages or len(part.documents)
    plan = Plan(budget, 5 * budget, politeness=Politeness(delay=0.0), policy=policy, recorded=True)
    crawl = CrawlLoop(plan, topic, strategy, RecordedFetcher(web.web))
    crawl.guide = replace(crawl.guide, reader=_PartReader(topic, strategy, part, parse_anew))
    return crawl


class _PartReader(PageReader):
    """Reads the pages of a part, whose links are all internal."""

    def __init__(
        self, topic: TopicModel, strategy: Strategy, part: UniversityPart, parse_anew: bool
    ) -> None:
        super().__init__(topic, strategy, None)
        self._part = part
        self._parse_anew = parse_anew

    def document(self, answer: Answer, parsed: Document | None = None) -> Document:
        if self._parse_anew:
            return self._part.read(answer)
        return self._part.documents[answer.final_url]


async def fetched_urls(crawl: CrawlLoop) -> list[str]:
    """Runs a crawl and returns its pages' final URLs, in the order of fetching."""
    crawl.start()
    return [page.answer.final_url async for batch in crawl.run() for page in batch.pages]


def _documents(texts: tuple[tuple[str, Document], ...]) -> tuple[Document, ...]:
    return tuple(document for _, document in texts)
