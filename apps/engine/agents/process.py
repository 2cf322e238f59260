"""The process of an agent: `python -m apps.engine.agents.process FD`.

It sends the requests it is given over its own connections, parses pages and packs their records. It
ends with its coordinator, whose socket is FD.
"""

from __future__ import annotations

import asyncio
import socket
import sys
import time
from dataclasses import replace

from apps.engine.agents.messages import Errand, Messages, Ready, Reply
from apps.engine.frontier.page_text import PageText
from apps.engine.model import Answer
from apps.engine.networking.exchange import Equipment, Hop, HttpExchange
from apps.engine.networking.page_store import pack
from apps.engine.networking.redirects import REDIRECT_STATUSES
from apps.engine.parsing.contexts.layout import with_layout_later, without_tree
from apps.engine.parsing.document import parse
from apps.engine.parsing.large_pages import is_large


class Agent:
    """Answers the errands of one coordinator, which sends the equipment first."""

    def __init__(self, ended: asyncio.Future[None]) -> None:
        self.messages = Messages(self._begin, self._end)
        self._ended = ended
        self._errands: set[asyncio.Task[None]] = set()
        self._exchange: HttpExchange | None = None

    def _begin(self, message: Equipment | Errand) -> None:
        if isinstance(message, Equipment):
            self._exchange = HttpExchange(message)
            self.messages.send(Ready(time.process_time()))
            return
        errand = asyncio.create_task(self._run(message))
        self._errands.add(errand)
        errand.add_done_callback(self._finish)

    def _end(self) -> None:
        if not self._ended.done():
            self._ended.set_result(None)

    def _finish(self, errand: asyncio.Task[None]) -> None:
        """Ends the process after a defect of the program: the coordinator meets it then."""
        self._errands.discard(errand)
        if (error := errand.exception()) is not None and not self._ended.done():
            self._ended.set_exception(error)

    async def _run(self, errand: Errand) -> None:
        assert self._exchange is not None
        answer, seconds = await self._exchange.send(errand.hop)
        if _is_page(answer, errand.hop):
            answer = read(errand.hop.whole(answer), errand.layout)
        self.messages.send(Reply(errand.number, answer, seconds, time.process_time()))


def _is_page(answer: Answer, hop: Hop) -> bool:
    """Whether the answer is a page that is read here; a large one would block the others."""
    redirect = answer.status in REDIRECT_STATUSES
    return not (answer.failure or redirect or hop.any_type or is_large(answer))


def read(answer: Answer, layout: bool) -> Answer:
    """The answer with its document and its record."""
    document = parse(answer)
    document = without_tree(document) if layout else with_layout_later(document)
    text = PageText(document.url, document.words[: document.visible], document.links.urls)
    document = replace(document, text_mark=(text.mark, text.size))
    return replace(answer, document=document, packed=pack(answer))


async def serve(connection: socket.socket) -> None:
    """Answers errands until the coordinator is gone."""
    loop = asyncio.get_running_loop()
    ended = loop.create_future()
    agent = Agent(ended)
    await loop.create_connection(lambda: agent.messages, sock=connection)
    await ended


if __name__ == "__main__":
    asyncio.run(serve(socket.socket(fileno=int(sys.argv[1]))))
