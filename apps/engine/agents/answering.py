"""Answers a task in an agent, on any machine."""

from __future__ import annotations

import time
from dataclasses import replace

from apps.engine.agents.messages import FetchTask, Reply
from apps.engine.answers import Answer
from apps.engine.kinds import is_document
from apps.engine.networking.bot_walls import is_wall
from apps.engine.networking.exchange import Exchange, Hop
from apps.engine.networking.page_store.records import pack
from apps.engine.networking.redirects import REDIRECT_STATUSES, mentions_refresh
from apps.engine.parsing.contexts.layout import without_tree
from apps.engine.parsing.large_pages import is_large
from apps.engine.parsing.main_text import parse_judged
from apps.engine.parsing.site_lists.reading import is_site_list


class CpuMeter:
    """The CPU seconds of this process since they were last read."""

    def __init__(self) -> None:
        self._read = 0.0

    def read(self) -> float:
        now = time.process_time()
        spent, self._read = now - self._read, now
        return spent


async def answer(task: FetchTask, exchange: Exchange, meter: CpuMeter) -> Reply:
    """Sends the request; a page is parsed and its record packed."""
    return reply_to(task, *await exchange.send(task.hop), meter)


def reply_to(task: FetchTask, answer: Answer, seconds: float, meter: CpuMeter) -> Reply:
    """The reply once the request has been answered."""
    if _is_page(answer, task.hop):
        answer = read(task.hop.whole(answer), task.layout, task.main_text)
    return Reply(task.number, answer, seconds, meter.read())


def _is_page(answer: Answer, hop: Hop) -> bool:
    """Whether the answer is a page that is read here; a large one would block the others, and a
    document must be read in a process that can be killed."""
    redirect = answer.status in REDIRECT_STATUSES
    is_read_there = is_large(answer) or is_document(answer.body)
    return not (answer.failure or redirect or hop.any_type or is_read_there)


def read(answer: Answer, layout: bool, main_text: bool = False) -> Answer:
    """The answer with its document and its record; its body is in the record alone, unless the
    coordinator has to look at it."""
    document = parse_judged(answer, main_text)
    if layout:
        document = without_tree(document)
    is_looked_at = is_wall(answer) or mentions_refresh(answer.body) or is_site_list(answer.body)
    body = answer.body if is_looked_at else b""
    return replace(answer, document=document, packed=pack(answer), body=body)
