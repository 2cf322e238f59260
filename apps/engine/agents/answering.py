"""What an agent does for an errand, on whatever machine it is."""

from __future__ import annotations

import time
from dataclasses import replace

from apps.engine.agents.messages import Errand, Reply
from apps.engine.frontier.page_text import PageText
from apps.engine.model import Answer
from apps.engine.networking.exchange import Exchange, Hop
from apps.engine.networking.page_store import pack
from apps.engine.networking.redirects import REDIRECT_STATUSES
from apps.engine.parsing.contexts.layout import with_layout_later, without_tree
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
    found, seconds = await exchange.send(errand.hop)
    if _is_page(found, errand.hop):
        found = read(errand.hop.whole(found), errand.layout)
    return Reply(errand.number, found, seconds, meter.read())


def _is_page(found: Answer, hop: Hop) -> bool:
    """Whether the answer is a page that is read here; a large one would block the others."""
    redirect = found.status in REDIRECT_STATUSES
    return not (found.failure or redirect or hop.any_type or is_large(found))


def read(found: Answer, layout: bool) -> Answer:
    """The answer with its document and its record."""
    document = parse(found)
    document = without_tree(document) if layout else with_layout_later(document)
    text = PageText(document.url, document.words[: document.visible], document.links.urls)
    document = replace(document, text_mark=(text.mark, text.size))
    return replace(found, document=document, packed=pack(found))
