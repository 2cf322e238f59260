"""Parses large pages in separate processes, so that one page cannot block a crawl.

A page with many tags takes a second and a hundred megabytes, and libxml2 cannot be interrupted. A
process can be killed: a page that is not parsed by its deadline becomes a failure.
"""

from __future__ import annotations

from apps.engine.answers import Answer
from apps.engine.model import Document
from apps.engine.parsing.processes import Processes

LARGE_BODY = 512 * 1024
LARGE_TAGS = 10_000
SHORTEST_TAG = len("<b>")
PROCESSES = 2
DEADLINE_SECONDS = 60.0


def is_large(answer: Answer) -> bool:
    """Whether parsing the body would block the event loop for more than about 20 ms."""
    body = answer.body
    if len(body) < LARGE_TAGS * SHORTEST_TAG:
        return False
    return len(body) > LARGE_BODY or body.count(b"<") > LARGE_TAGS


class LargePages(Processes):
    """Parses large pages in up to `processes` processes; `deadline` is in seconds per page."""

    def __init__(self, processes: int = PROCESSES, deadline: float = DEADLINE_SECONDS) -> None:
        super().__init__("apps.engine.parsing.large_page_process", processes, deadline)

    async def parse(self, answer: Answer) -> Document:
        """The document of an answer, with its layout instead of its tree. Raises ParsingFailed."""
        document: Document = await self.run(answer)
        return document
