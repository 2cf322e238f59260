"""The versions of a page: its main text as it was."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from apps.crawls.models import Crawl, Page
from apps.crawls.pages.bodies import OpenBodies
from apps.engine.answers import Answer
from apps.engine.errors import EngineError
from apps.main_text.article import Article, pack, unpack
from apps.main_text.reader import READER
from apps.watches.addresses import text_digest
from apps.watches.models import PageVersion, WatchedPage, WatchVisit


@dataclass(frozen=True, slots=True)
class ReadCopy:
    """A copy of a page, as it is read: its answer, its article, and its text, a block a line."""

    page: Page
    answer: Answer
    article: Article

    @property
    def text(self) -> str:
        return "\n".join(block.text for block in self.article.blocks)

    @property
    def digest(self) -> str:
        return text_digest(self.text)


def read_copy(bodies: OpenBodies, crawl: Crawl, page: Page) -> ReadCopy | None:
    """A stored copy of a page; None if it is not stored any more or cannot be read."""
    try:
        answer = bodies.of(crawl).answer(page)
    except EngineError:
        return None
    article = READER.read(answer)
    return None if article is None else ReadCopy(page, answer, article)


def text_of_version(version: PageVersion) -> str:
    """The text of a version, a block a line."""
    return "\n".join(block.text for block in unpack(bytes(version.blocks)))


def answer_of_version(bodies: OpenBodies, version: PageVersion) -> Answer | None:
    """The stored answer that a version was read of; None if it is not stored any more."""
    crawl, seq = version.crawl, version.seq
    page = crawl.pages_fetched.filter(seq=seq).first() if crawl and seq else None
    try:
        return bodies.of(crawl).answer(page) if crawl and page else None
    except EngineError:
        return None


def last_version(page: WatchedPage) -> PageVersion | None:
    """The newest version of a page."""
    return page.versions.order_by("-number").first()


def write_version(
    page: WatchedPage,
    copy: ReadCopy,
    at: datetime,
    visit: WatchVisit | None,
    share: float = 0.0,
) -> PageVersion:
    """Stores the text of a copy as the next version of a page."""
    last = last_version(page)
    return PageVersion.objects.create(
        page=page,
        number=last.number + 1 if last else 1,
        visit=visit,
        at=at,
        crawl_id=copy.page.crawl_id,
        seq=copy.page.seq,
        title=copy.article.title or copy.page.title,
        text_digest=copy.digest,
        blocks=pack(copy.article.blocks),
        share=share,
        relevant=copy.page.relevant,
        probability=copy.page.probability,
    )
