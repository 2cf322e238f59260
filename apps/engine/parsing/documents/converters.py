"""The crawl's side of reading documents: hands them to a process that can be killed.

Documents stay with the process of the crawl, also those that an agent has fetched: an agent's
request has a deadline, and its other answers must not wait for a document.
"""

from __future__ import annotations

from dataclasses import replace

from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.engine.parsing.documents.limits import DEADLINE_SECONDS, DocumentFailed
from apps.engine.parsing.processes import ParsingFailed, ProcessDied, Processes

PROCESSES = 2
"""One host sends one document at a time: a hostile one keeps a process busy, and not both."""
MOST_KILLED = 5
"""Processes that are killed one after the other while they read one document; where memory is short
the system kills too, so that it does not go on for ever."""


class Converters(Processes):
    """Converts documents to pages in up to `processes` processes; `deadline` is in seconds per
    document."""

    def __init__(self, processes: int = PROCESSES, deadline: float = DEADLINE_SECONDS) -> None:
        super().__init__("apps.engine.parsing.documents.process", processes, deadline)

    async def read(self, answer: Answer) -> Answer:
        """The answer with the page made of its document, that page's `Document`, and its record,
        the only one with the body; or with the failure to read it. Never raises."""
        try:
            reply = await self._reply(answer)
        except ParsingFailed as error:
            reply = DocumentFailed(Failure.TOO_COMPLEX, str(error))
        if isinstance(reply, DocumentFailed):
            return replace(answer, failure=str(reply.failure), detail=reply.detail, body=b"")
        return reply

    async def _reply(self, answer: Answer) -> Answer | DocumentFailed:
        """The reply of a process, or of another if the first died: it may not have been the
        document that killed it. One that somebody has killed is followed by up to `MOST_KILLED`."""
        reply: Answer | DocumentFailed
        for _ in range(MOST_KILLED):
            try:
                reply = await self.run(answer)
                return reply
            except ProcessDied as died:
                if not died.was_killed:
                    break
        reply = await self.run(answer)
        return reply
