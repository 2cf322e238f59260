"""From an answer to a visit: parse, encode, and judge as the guiding models do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from apps.engine.crawl.kept_text import kept_text, read_text
from apps.engine.errors import NeedsMissing
from apps.engine.frontier.queue import Frontier
from apps.engine.intelligence.strategies.base import Strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import Answer, Document, Judgement, Links, Spans, Visit
from apps.engine.networking.robots import robots_tag
from apps.engine.parsing.document import parse

Judge = Callable[[Visit], Judgement]


class Reader:
    """Reads the pages of one crawl.

    `user_agent` is the one whose meta robots rules hold; None ignores them.
    """

    def __init__(self, topic: TopicModel, strategy: Strategy, user_agent: str | None) -> None:
        self._vocabulary = topic.vocabulary
        self._user_agent = user_agent
        self._strategy = strategy
        self._keeps = strategy.reads != "page" and strategy.reads_examples()
        self._topicality_judge = _made(topic.topicality_judge)
        self._status_judge = _made(topic.status_judge)

    def document(self, answer: Answer) -> Document:
        """The parsed page; without links where the page asks that none be followed."""
        document = parse(answer)
        if self._user_agent is None:
            return document
        nofollow = document.nofollow or robots_tag(answer, self._user_agent)[1]
        return replace(document, links=_NO_LINKS) if nofollow else document

    def visit(
        self, answer: Answer, document: Document, number: int, frontier: Frontier, seq: int
    ) -> tuple[Visit, Judgement]:
        """The page as a strategy sees it, and what was said of it; its links are discovered."""
        visit = Visit(
            number=seq,
            url=answer.final_url,
            url_number=number,
            parent=frontier.parent[number],
            depth=frontier.depth[number],
            document=document,
            tokens=self._vocabulary.encode(document.words),
            link_numbers=frontier.discover(document.links.urls, number),
        )
        judgement = self.judge(visit)
        spans = self._strategy.context(visit) if self._strategy.reads == "blocks" else None
        return _judged(visit, judgement, spans), judgement

    def kept(self, visit: Visit) -> bytes:
        """What `visit_kept` takes; empty where labels change nothing or only the page would do."""
        return kept_text(visit) if self._keeps else b""

    def visit_kept(self, text: bytes, number: int, url: str, seq: int) -> Visit:
        """A fetched page as far as its kept text goes, with what the strategy says of it now."""
        visit = read_text(text, seq, number, url)
        return _judged(visit, self._strategy.judge(visit), visit.spans)

    def visit_again(self, answer: Answer, number: int, frontier: Frontier, seq: int) -> Visit:
        """A fetched page as a strategy sees it now; its links have been discovered before."""
        document = self.document(answer)
        found = [frontier.number(url) for url in document.links.urls]
        visit = Visit(
            number=seq,
            url=answer.final_url,
            url_number=number,
            parent=frontier.parent[number],
            depth=frontier.depth[number],
            document=document,
            tokens=self._vocabulary.encode(document.words),
            link_numbers=np.array([-1 if n is None else n for n in found], dtype=np.int64),
        )
        return _judged(visit, self.judge(visit), None)

    def judge(self, visit: Visit) -> Judgement:
        """What the strategy says; where it is silent, what the topic's own models say."""
        said = self._strategy.judge(visit)
        if said.topicality is None and self._topicality_judge is not None:
            said = _filled(said, self._topicality_judge(visit))
        if said.status_log is None and self._status_judge is not None:
            said = _filled(said, self._status_judge(visit))
        return said


def _judged(visit: Visit, said: Judgement, spans: Spans | None) -> Visit:
    return replace(visit, topicality=said.topicality, status=said.status, spans=spans)


def _filled(said: Judgement, other: Judgement) -> Judgement:
    return Judgement(
        topicality=other.topicality if said.topicality is None else said.topicality,
        status=other.status if said.status is None else said.status,
        status_log=other.status_log if said.status_log is None else said.status_log,
    )


def _made(make: Callable[[], Judge]) -> Judge | None:
    """A model of the topic's, or None where the topic lacks what it needs."""
    try:
        return make()
    except NeedsMissing:
        return None


_NONE = np.empty(0, np.int32)
_NO_LINKS = Links((), _NONE, _NONE, _NONE, (), np.empty(0, np.bool_))
