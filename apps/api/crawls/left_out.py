"""The addresses that a crawl met and did not collect, and their numbers by reason."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from ninja import Query, Router, Schema
from pydantic import Field, StringConstraints

from apps.accounts.requests import SignedInRequest
from apps.api.crawls.crawls import visible
from apps.api.paging import ListPage, Paging, Word, page_of
from apps.api.refusals import Refusal
from apps.crawls.left_out.reasons import REASONS
from apps.crawls.left_out.remedies import REMEDIES
from apps.crawls.left_out.rows import AddressChoice, LeftOutRow, best_first, entries, left_out_rows
from apps.crawls.left_out.summary import LeftOutSummary, ReasonCount, summarise
from apps.crawls.models import Crawl
from apps.schemas.one_of import OneOf

router = Router(tags=["left out"])


class ReasonOut(Schema):
    """A reason with the addresses under it: `best` is the best priority among them, `codes` their
    number by exclusion or kind of failure, `remedy` the text of the screen's button, or empty."""

    reason: str
    group: str
    title: str
    words: str
    number: int
    best: float
    codes: dict[str, int]
    examples: list[str]
    remedy: str


class LeftOutCounts(Schema):
    """`taken` is the number of readable pages, `number` that of addresses met and not collected."""

    taken: int
    number: int
    reasons: list[ReasonOut]


class LeftOutAddress(Schema):
    """An address that was not collected; `code` is its exclusion or kind of failure, `detail`
    describes it, `priority` is that of its first link, on the page `linked_from`, `crawl` the
    number of the crawl."""

    url: str
    host: str
    reason: str
    code: str
    detail: str
    priority: float
    linked_from: str
    at: datetime | None
    crawl: int


class LeftOutPage(ListPage):
    items: list[LeftOutAddress]


class LeftOutFilter(Paging):
    """Filters addresses by reason, by host, by a text in them (`part`), and by the least
    priority."""

    reason: Annotated[str, OneOf(REASONS)] | None = None
    host: Word = ""
    part: Annotated[str, StringConstraints(max_length=200, pattern="^[^\\x00]*$")] = ""
    least: float = Field(0.0, ge=0, le=1)


@router.get(
    "/{int:crawl_id}/left-out",
    response={200: LeftOutCounts, 404: Refusal},
    summary="Count what was left out",
)
def count_left_out(request: SignedInRequest, crawl_id: int) -> Any:
    """The addresses that the crawl met and did not collect, counted by reason, each once. Remedies
    are the actions `try_again`, `put_back`, `include_host`, `include_pattern`, `trust_trap` and
    `allow_certificate`."""
    crawl = visible(request, crawl_id)
    return counts_of(summarise([crawl]), crawl)


@router.get(
    "/{int:crawl_id}/left-out/addresses",
    response={200: LeftOutPage, 404: Refusal},
    summary="List what was left out",
)
def list_left_out(request: SignedInRequest, crawl_id: int, wanted: Query[LeftOutFilter]) -> Any:
    """The addresses that were met and not collected, best priority first."""
    return addresses_of([visible(request, crawl_id)], wanted)


def counts_of(summary: LeftOutSummary, crawl: Crawl | None = None) -> dict[str, Any]:
    """The counts, with remedies if a crawl is given."""
    return {
        "taken": summary.taken,
        "number": summary.number,
        "reasons": [_reason(crawl, count) for count in summary.reasons],
    }


def addresses_of(crawls: Sequence[Crawl], wanted: LeftOutFilter) -> dict[str, Any]:
    """A page of the addresses, those of the best priority first."""
    reason = REASONS[wanted.reason] if wanted.reason else None
    rows = entries(crawls, AddressChoice(reason, wanted.part, wanted.least, wanted.host))
    shown = left_out_rows(list(best_first(rows)[wanted.rows]))
    return page_of(rows.count(), wanted, [_address(row) for row in shown])


def _reason(crawl: Crawl | None, count: ReasonCount) -> dict[str, Any]:
    remedy = REMEDIES.get(count.reason.id)
    return {
        "reason": count.reason.id,
        "group": count.reason.group.value,
        "title": count.reason.title,
        "words": count.words,
        "number": count.number,
        "best": count.best,
        "codes": count.kinds,
        "examples": [row.url for row in count.examples],
        "remedy": remedy.label(crawl, count) if remedy and crawl else "",
    }


def _address(row: LeftOutRow) -> dict[str, Any]:
    plain = ("url", "host", "code", "detail", "priority", "linked_from", "at", "crawl")
    return {name: getattr(row, name) for name in plain} | {"reason": row.reason.id}
