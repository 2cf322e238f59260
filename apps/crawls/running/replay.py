"""The recorded requests of a crawl, for a replay."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

from apps.crawls.models import FailedRequest, Page
from apps.crawls.pages.bodies import Bodies
from apps.engine.crawl.resuming import PastRequest
from apps.engine.model import Answer


async def past_requests(
    rows: Iterable[Page | FailedRequest], bodies: Bodies
) -> AsyncIterator[PastRequest]:
    """The recorded requests with their answers. Raises BadWebFile."""
    for row in rows:
        if isinstance(row, FailedRequest):
            answer = Answer(row.url, row.final_url, failure=row.kind, detail=row.detail)
            yield PastRequest(row.request, row.number, answer)
        elif row.file:
            place = (row.file, row.offset, row.length, row.digest)
            yield PastRequest(row.request, row.number, bodies.answer(row), row.verdict, place)
        else:
            yield PastRequest(row.request, row.number, bodies.answer(row), row.verdict)
