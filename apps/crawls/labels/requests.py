"""When a crawl asks for answers: four times ten, at its pages 50, 100, 150 and 200.

Ten answers at a time, spread over the beginning, help more than all at once; what is left
of one round is asked in the next one, never more than ten at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache

from apps.crawls.labels.counted import labelled_pages
from apps.crawls.labels.proposals import EVERY, label_queue, links_moved
from apps.crawls.models import Crawl
from apps.engine.codes import State

ROUNDS = (50, 100, 150, 200)
TEN = 10
ASKING = (State.RUNNING, State.PAUSED)


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """How many answers are wanted now, and how many waiting links they move."""

    answers: int
    links: int

    def words(self) -> str:
        """`10 answers now move about 910 links`."""
        size = max(1, 10 ** (len(str(self.links)) - 2))
        about = f"about {round(self.links / size) * size:,}" if size > 1 else f"{self.links:,}"
        answers = "1 answer now moves" if self.answers == 1 else f"{self.answers} answers now move"
        return f"{answers} {about} link{'s' * (self.links != 1)}"


def answer_request(crawl: Crawl) -> AnswerRequest | None:
    """The crawl's current request for labels; None if it has none, or labels would change no
    priority."""
    labelled = labelled_pages(crawl) if crawl.state in ASKING else 0
    if not _due(crawl, labelled):
        return None
    return _request(crawl.pk, crawl.created_at, crawl.pages // EVERY, labelled)


def _due(crawl: Crawl, labelled: int) -> int:
    reached = sum(crawl.pages >= pages for pages in ROUNDS) if crawl.state in ASKING else 0
    return max(0, min(TEN, TEN * reached - labelled))


@lru_cache(maxsize=256)
def _request(pk: int, created_at: datetime, step: int, labelled: int) -> AnswerRequest | None:
    """The request of a crawl in its present state; the pages change with every tenth page and each
    label."""
    crawl = Crawl.objects.get(pk=pk)
    queue = label_queue(crawl, _due(crawl, labelled))
    if queue is None or not queue.proposals:
        return None
    links = links_moved(crawl, [each.page.seq for each in queue.proposals])
    return AnswerRequest(len(queue.proposals), links) if links else None
