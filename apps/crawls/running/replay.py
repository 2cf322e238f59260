"""The recorded requests of a crawl, for a replay."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable

from apps.crawls.models import FailedRequest, Page
from apps.crawls.pages.bodies import Bodies
from apps.engine.answers import Answer
from apps.engine.crawl.resuming import PastRequest


async def past_requests(
    rows: Iterable[Page | FailedRequest], bodies: Bodies
) -> AsyncIterator[PastRequest]:
    """The recorded requests with their answers. Raises BadWebFile."""
    for row in rows:
        if isinstance(row, FailedRequest):
            answer = Answer(row.url, row.final_url, failure=row.kind, detail=row.detail)
            yield PastRequest(
                row.request, row.number, answer, links=tuple(row.links), site_list=row.site_list
            )
        elif row.file:
            yield _past_page(row, bodies, (row.file, row.offset, row.length, row.digest))
        else:
            yield _past_page(row, bodies, None)


def _past_page(row: Page, bodies: Bodies, record: tuple[str, int, int, str] | None) -> PastRequest:
    return PastRequest(
        row.request,
        row.number,
        bodies.answer(row),
        row.verdict,
        record,
        site_lists=tuple(row.site_lists),
    )
