"""Turns an answer into a visit: parses, encodes and judges it with the guiding models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from apps.engine.answers import Answer
from apps.engine.errors import NeedsMissing
from apps.engine.frontier.page_text import PageText
from apps.engine.frontier.queue import Frontier
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.strategies.explains import Explains
from apps.engine.intelligence.strategies.relearns import Relearns, relearning
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Document, Judgement, Links, Longs, Spans, Visit
from apps.engine.networking.redirects import HEAD_BYTES
from apps.engine.networking.robots.tag import robots_tag
from apps.engine.parsing.contexts.layout import first_links
from apps.engine.parsing.document import parse
from apps.engine.parsing.main_text import with_main_text
from apps.engine.representation.link_contexts import pack_contexts, unpack_contexts

Judge = Callable[[Visit], Judgement]


class PageReader:
    """Reads the pages of one crawl.

    Meta robots rules are those for `user_agent`; None ignores them.
    """

    def __init__(self, topic: TopicModel, strategy: Strategy, user_agent: str | None) -> None:
        self._vocabulary = topic.vocabulary
        self._reads_main_text = topic.topic.main_text
        self.user_agent = user_agent
        self._strategy = strategy
        relearns = relearning(strategy)
        self._packs = relearns is not None and relearns.reads != "page"
        self._blocks = _block_reader(strategy)
        self._topicality_judge = _model_or_none(topic.topicality_judge)
        self._status_judge = _model_or_none(topic.status_judge)

    def refresh_target(self, answer: Answer) -> str | None:
        """The target of the page's meta refresh, if it has one."""
        return self.document(replace(answer, body=answer.body[:HEAD_BYTES])).refresh

    def document(self, answer: Answer, parsed: Document | None = None) -> Document:
        """The parsed page, with the robots rules of its headers and of metas for this crawler;
        without links if it is marked nofollow, and with its main text if the topic's pages are
        judged by that."""
        document = parsed or answer.document or parse(answer)
        if self._reads_main_text:
            document = with_main_text(document, answer)
        if self.user_agent is None:
            return document
        noindex, nofollow = robots_tag(answer, self.user_agent, document.agent_robots)
        if noindex and not document.noindex:
            document = replace(document, noindex=True)
        if not (nofollow or document.nofollow):
            return document
        return replace(document, links=_NO_LINKS, text_mark=None, prepared=None)

    def visit(
        self, answer: Answer, document: Document, number: int, frontier: Frontier, seq: int
    ) -> tuple[Visit, Judgement]:
        """Returns the page as a visit, and its judgement. Adds its links to the frontier."""
        document = _with_first_links(document, frontier)
        links = document.links.urls
        frontier.traps.enter(_page_text(document, frontier.urls[number]))
        visit = self._visit(
            answer,
            document,
            frontier,
            number=number,
            seq=seq,
            link_numbers=frontier.discover(links, number, document.links.spellings),
        )
        judgement = self.judge(visit)
        spans = self._blocks(visit) if self._blocks is not None else None
        return _with_judgement(visit, judgement, spans), judgement

    def site_list(
        self,
        document: Document,
        number: int,
        judgement: Judgement | None,
        frontier: Frontier,
        seq: int,
    ) -> Visit:
        """The document of a site list as a visit to the front page `number`, with its judgement;
        without one, with that of the list's own text. Adds its links to the frontier."""
        links = document.links
        numbers = frontier.discover_listed(links.urls, number, links.spellings)
        visit = Visit(
            number=seq,
            url=frontier.urls[number],
            url_number=number,
            parent=frontier.parent[number],
            depth=frontier.depth[number],
            document=document,
            tokens=self._vocabulary.encode(document.words),
            link_numbers=numbers,
        )
        judged = self.judge(visit) if judgement is None else judgement
        spans = self._blocks(visit) if self._blocks is not None else None
        return _with_judgement(visit, judged, spans)

    def pack(self, visit: Visit) -> bytes:
        """The contexts for `unpack`; empty if labels change no score or scoring needs the
        page."""
        return pack_contexts(visit) if self._packs else b""

    def unpack(self, contexts: bytes, number: int, url: str, seq: int) -> Visit:
        """A fetched page from its packed contexts, judged by the current strategy."""
        visit = unpack_contexts(contexts, seq, number, url)
        return _with_judgement(visit, self._strategy.judge(visit), visit.spans)

    def reread(self, answer: Answer, number: int, frontier: Frontier, seq: int) -> Visit:
        """A page fetched earlier, parsed again and judged by the current models."""
        document = _with_first_links(self.document(answer), frontier)
        numbers = [frontier.number(url) for url in document.links.urls]
        visit = self._visit(
            answer,
            document,
            frontier,
            number=number,
            seq=seq,
            link_numbers=np.array([-1 if n is None else n for n in numbers], dtype=np.int64),
        )
        return _with_judgement(visit, self.judge(visit), None)

    def _visit(
        self,
        answer: Answer,
        document: Document,
        frontier: Frontier,
        *,
        number: int,
        seq: int,
        link_numbers: Longs,
    ) -> Visit:
        """The page before it is judged."""
        return Visit(
            number=seq,
            url=answer.final_url,
            url_number=number,
            parent=frontier.parent[number],
            depth=frontier.depth[number],
            document=document,
            tokens=self._vocabulary.encode(document.words),
            link_numbers=link_numbers,
        )

    def judge(self, visit: Visit) -> Judgement:
        """The strategy's judgement, completed by the topic's own models."""
        judgement = self._strategy.judge(visit)
        if judgement.topicality is None and self._topicality_judge is not None:
            judgement = _fill(judgement, self._topicality_judge(visit))
        if judgement.status_log is None and self._status_judge is not None:
            judgement = _fill(judgement, self._status_judge(visit))
        return judgement


def _with_first_links(document: Document, frontier: Frontier) -> Document:
    most = frontier.scope.links_per_page
    if most is None or len(document.links) <= most:
        return document
    return first_links(document, most)


def _page_text(document: Document, url: str) -> PageText:
    """The text of a page that was requested at `url`."""
    mark_and_size = document.text_mark if document.url == url else None
    return PageText(url, document.words[: document.visible], document.links.urls, mark_and_size)


def _with_judgement(visit: Visit, judgement: Judgement, spans: Spans | None) -> Visit:
    """The visit with its judgement and blocks; `replace` would look up every field."""
    return Visit(
        visit.number,
        visit.url,
        visit.url_number,
        visit.parent,
        visit.depth,
        visit.document,
        visit.tokens,
        visit.link_numbers,
        judgement.topicality,
        judgement.status,
        spans,
    )


def _fill(judgement: Judgement, other: Judgement) -> Judgement:
    return Judgement(
        topicality=other.topicality if judgement.topicality is None else judgement.topicality,
        status=other.status if judgement.status is None else judgement.status,
        status_log=other.status_log if judgement.status_log is None else judgement.status_log,
    )


def _block_reader(strategy: Strategy) -> Callable[[Visit], Spans | None] | None:
    """The function that computes the blocks a strategy reads, or None if it reads none."""
    if isinstance(strategy, Explains) and isinstance(strategy, Relearns):
        return strategy.context if strategy.reads == "blocks" else None
    return None


def _model_or_none(make: Callable[[], Judge]) -> Judge | None:
    """A model of the topic, or None if the topic lacks what the model needs."""
    try:
        return make()
    except NeedsMissing:
        return None


_NONE = np.empty(0, np.int32)
_NO_LINKS = Links((), _NONE, _NONE, _NONE, (), np.empty(0, np.bool_))
