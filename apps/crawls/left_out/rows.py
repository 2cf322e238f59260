"""The addresses that a crawl did not take, as rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from django.db.models import F, Q, QuerySet

from apps.crawls.left_out.reasons import HOST_OUT, JAVASCRIPT, UNANSWERED, LeftOutReason, reason_of
from apps.crawls.messages import EXCLUSIONS
from apps.crawls.models import Crawl, FrontierEntry
from apps.engine.codes import SITE_LIST_ANSWERS, Exclusion
from apps.engine.urls import host_of_canonical
from apps.webs.messages import failure_words

AT_ONCE = 500
State = FrontierEntry.State
OUT = (State.FAILED, State.EXCLUDED)


@dataclass(frozen=True, slots=True)
class LeftOutRow:
    """An address that was not taken.

    `code` is its exclusion or kind of failure and `detail` the same in words. `priority` is that of
    its first link, on the page `linked_from`; `at` is when it failed, or when it was met.
    """

    number: int
    url: str
    host: str
    reason: LeftOutReason
    code: str
    detail: str
    priority: float
    linked_from: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class AddressChoice:
    """Which of the addresses: of one reason, with a text in them, of at least that priority, of
    one host."""

    reason: LeftOutReason | None = None
    part: str = ""
    least: float = 0.0
    host: str = ""


ALL = AddressChoice()


def entries(crawl: Crawl, choice: AddressChoice = ALL) -> QuerySet[FrontierEntry]:
    """The chosen rows of the frontier that were not taken, in no order."""
    rows = crawl.frontier.filter(_of_reason(crawl, choice.reason)).order_by()
    if choice.part:
        rows = rows.filter(url__icontains=choice.part)
    if choice.least > 0:
        rows = rows.filter(priority__gte=choice.least)
    if choice.host:
        rows = rows.filter(_of_hosts([choice.host]))
    return rows


def best_first(rows: QuerySet[FrontierEntry]) -> QuerySet[FrontierEntry]:
    """The rows by priority, those met first before others of the same."""
    return rows.order_by(F("priority").desc(), "number")


def hosts_out(crawl: Crawl) -> list[str]:
    """The hosts that a person excluded while the crawl ran."""
    return list(crawl.hosts.filter(excluded=True).order_by("host").values_list("host", flat=True))


def _of_reason(crawl: Crawl, reason: LeftOutReason | None) -> Q:
    if reason is None:
        out = Q(state__in=OUT) & ~Q(reason__in=SITE_LIST_ANSWERS)
        return out | _of_reason(crawl, HOST_OUT) | _of_reason(crawl, JAVASCRIPT)
    if reason is HOST_OUT:
        return Q(state=State.WAITING) & _of_hosts(hosts_out(crawl))
    if reason is JAVASCRIPT:
        return Q(number__in=crawl.pages_fetched.filter(needs_javascript=True).values("number"))
    covered = Q(reason__in=reason.codes)
    if reason is UNANSWERED:
        covered |= Q(reason__startswith="http_") | Q(reason="", state=State.FAILED)
    return Q(state__in=OUT) & covered


def _of_hosts(hosts: Sequence[str]) -> Q:
    within = Q(pk__in=[])
    for host in hosts:
        within |= Q(url__startswith=f"http://{host}/") | Q(url__startswith=f"https://{host}/")
    return within


def left_out_rows(crawl: Crawl, chosen: Sequence[FrontierEntry]) -> list[LeftOutRow]:
    """These entries as rows, in their order."""
    parents = {entry.parent for entry in chosen if entry.parent >= 0}
    linked = dict(crawl.frontier.filter(number__in=parents).values_list("number", "url"))
    met = dict(crawl.pages_fetched.numbered(parents).values_list("number", "fetched_at"))
    failed = [entry.number for entry in chosen if entry.state == State.FAILED]
    failures = {
        failure.number: failure
        for failure in crawl.failed_requests.filter(number__in=failed).order_by("request")
    }
    rows = []
    for entry in chosen:
        failure = failures.get(entry.number)
        rows.append(
            LeftOutRow(
                number=entry.number,
                url=entry.url,
                host=host_of_canonical(entry.url),
                reason=_reason(entry),
                code=entry.reason,
                detail=_detail(entry, failure.detail if failure else ""),
                priority=entry.priority,
                linked_from=linked.get(entry.parent, ""),
                at=failure.at if failure else met.get(entry.parent),
            )
        )
    return rows


def every_row(crawl: Crawl, choice: AddressChoice = ALL) -> Iterator[LeftOutRow]:
    """All chosen rows in the order in which the addresses were met."""
    rows = entries(crawl, choice).order_by("number").iterator(AT_ONCE)
    while chosen := list(islice(rows, AT_ONCE)):
        yield from left_out_rows(crawl, chosen)


def _reason(entry: FrontierEntry) -> LeftOutReason:
    if entry.state == State.WAITING:
        return HOST_OUT
    return JAVASCRIPT if entry.state == State.FETCHED else reason_of(entry.reason)


def _detail(entry: FrontierEntry, detail: str) -> str:
    words = code_words(entry.reason) if entry.reason else _reason(entry).words
    return f"{words}: {detail}" if detail else words


def code_words(code: str) -> str:
    """An exclusion or a kind of failure in words."""
    return EXCLUSIONS[Exclusion(code)] if code in set(Exclusion) else failure_words(code)
