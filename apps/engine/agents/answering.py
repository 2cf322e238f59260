"""What an agent does for an errand, on whatever machine it is."""

from __future__ import annotations

import time
from dataclasses import replace

from apps.engine.agents.messages import Errand, Reply
from apps.engine.model import Answer
from apps.engine.networking.exchange import Exchange, Hop
from apps.engine.networking.page_store import pack
from apps.engine.networking.politeness import is_block
from apps.engine.networking.redirects import REDIRECT_STATUSES, mentions_refresh
from apps.engine.parsing.contexts.layout import without_tree
from apps.engine.parsing.document import parse
from apps.engine.parsing.large_pages import is_large


class CpuMeter:
    """The CPU seconds of this process since they were last read."""

    def __init__(self) -> None:
        self._read = 0.0

    def read(self) -> float:
        now = time.process_time()
        spent, self._read = now - self._read, now
        return spent


async def answer(errand: Errand, exchange: Exchange, meter: CpuMeter) -> Reply:
    """Sends the request; a page is parsed and its record packed."""
    return reply_to(errand, *await exchange.send(errand.hop), meter)


def reply_to(errand: Errand, found: Answer, seconds: float, meter: CpuMeter) -> Reply:
    """The reply once the request has been answered."""
    if _is_page(found, errand.hop):
        found = read(errand.hop.whole(found), errand.layout)
    return Reply(errand.number, found, seconds, meter.read())


def _is_page(found: Answer, hop: Hop) -> bool:
    """Whether the answer is a page that is read here; a large one would block the others."""
    redirect = found.status in REDIRECT_STATUSES
    return not (found.failure or redirect or hop.any_type or is_large(found))


def read(found: Answer, layout: bool) -> Answer:
    """The answer with its document and its record; its body is in the record alone, unless the
    coordinator has to look at it."""
    document = parse(found)
    if layout:
        document = without_tree(document)
    is_looked_at = is_block(found) or mentions_refresh(found.body)
    body = found.body if is_looked_at else b""
    return replace(found, document=document, packed=pack(found), body=body)
