"""What a crawl has fetched, read again for a replay."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable

from apps.crawls.models import FailedRequest, Page
from apps.engine.crawl.resuming import PastRequest
from apps.engine.model import Answer, Verdict
from apps.engine.networking.page_store import PageStore, Record

Ask = Callable[[str], Awaitable[Answer]]


async def past_requests(
    rows: Iterable[Page | FailedRequest], store: PageStore, ask: Ask
) -> AsyncIterator[PastRequest]:
    """The recorded requests with their answers: from the page store, or by `ask` from a web that
    is itself a record."""
    for row in rows:
        if isinstance(row, FailedRequest):
            answer = Answer(row.url, row.final_url, failure=row.kind, detail=row.detail)
            yield PastRequest(row.request, row.number, answer)
        elif row.file:
            place = (row.file, row.offset, row.length, row.digest)
            answer = store.read(Record(*place))
            yield PastRequest(row.request, row.number, answer, _verdict(row), place)
        else:
            answer = await ask(row.url)
            yield PastRequest(row.request, row.number, answer, _verdict(row))


def _verdict(page: Page) -> Verdict | None:
    if page.votes is None or page.votes_of is None or page.probability is None:
        return None
    return Verdict(page.votes, page.votes_of, page.probability)
