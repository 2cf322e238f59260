"""The addresses that crawls did not take, as rows: of one crawl, or of all of a topic.

An address counts once for each crawl that did not take it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import BooleanField, Exists, F, Func, OuterRef, Q, QuerySet

from apps.crawls.left_out.reasons import HOST_OUT, JAVASCRIPT, UNANSWERED, LeftOutReason, reason_of
from apps.crawls.messages import EXCLUSIONS
from apps.crawls.models import Crawl, FailedRequest, FrontierEntry, HostRecord, Page
from apps.crawls.selectors import at_host
from apps.engine.codes import SITE_LIST_ANSWERS, Exclusion
from apps.engine.urls import host_of_canonical
from apps.webs.messages import failure_words

AT_ONCE = 500
State = FrontierEntry.State
IS_OUT = Q(Func(F("state"), template="%(expressions)s IN ('e', 'x')", output_field=BooleanField()))
"""Failed or excluded. The states are written into the query: SQLite does not choose a partial index
by parameters."""
_WITH_CODES = IS_OUT & ~Q(reason__in=SITE_LIST_ANSWERS)


@dataclass(frozen=True, slots=True)
class LeftOutRow:
    """An address that was not taken.

    `code` is its exclusion or kind of failure and `detail` the same in words. `priority` is that of
    its first link, on the page `linked_from`; `at` is when it failed, or when it was met. `crawl`
    is the number of the crawl.
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
    crawl: int


@dataclass(frozen=True, slots=True)
class AddressChoice:
    """Which of the addresses: of one reason, with a text in them, of at least that priority, of
    one host."""

    reason: LeftOutReason | None = None
    part: str = ""
    least: float = 0.0
    host: str = ""


ALL = AddressChoice()


@dataclass(frozen=True, slots=True)
class Exceptions:
    """What crawls left out besides addresses that failed or were excluded: those on the `hosts`
    that a person excluded, by crawl, and those whose pages need JavaScript, in the crawls
    `with_scripts`: few have such, and to look for them costs."""

    hosts: Mapping[int, Sequence[str]]
    with_scripts: Collection[int]

    @classmethod
    def of(cls, crawls: Sequence[Crawl]) -> Exceptions:
        hosts = defaultdict(list)
        excluded = HostRecord.objects.filter(crawl__in=crawls, excluded=True)
        for crawl, host in excluded.values_list("crawl_id", "host"):
            hosts[crawl].append(host)
        needing = Page.objects.filter(crawl__in=crawls, needs_javascript=True).order_by()
        return cls(hosts, set(needing.values_list("crawl_id", flat=True).distinct()))


def entries(
    crawls: Sequence[Crawl], choice: AddressChoice = ALL, exceptions: Exceptions | None = None
) -> QuerySet[FrontierEntry]:
    """The chosen rows of the frontiers that were not taken, in no order; `exceptions` are read
    unless they are given."""
    besides = exceptions or Exceptions.of(crawls)
    return _narrow(crawls, _of_reason(crawls, choice.reason, besides), choice)


def failed_or_excluded(crawls: Sequence[Crawl], choice: AddressChoice) -> QuerySet[FrontierEntry]:
    """Those of the chosen rows that stand under the codes of a reason, in no order."""
    if choice.reason is None:
        return _narrow(crawls, _WITH_CODES, choice)
    return _narrow(crawls, _of_codes(choice.reason), choice)


def _narrow(
    crawls: Sequence[Crawl], condition: Q, choice: AddressChoice
) -> QuerySet[FrontierEntry]:
    rows = FrontierEntry.objects.filter(crawl__in=crawls).filter(condition).order_by()
    if choice.part:
        rows = rows.filter(url__icontains=choice.part)
    if choice.least > 0:
        rows = rows.filter(priority__gte=choice.least)
    if choice.host:
        rows = rows.filter(_of_hosts([choice.host]))
    return rows


def best_first(rows: QuerySet[FrontierEntry]) -> QuerySet[FrontierEntry]:
    """The rows by priority; of equal priorities the first met comes first, of the same number that
    of the newest crawl."""
    return rows.order_by(F("priority").desc(), "number", F("crawl_id").desc())


def hosts_out(crawl: Crawl) -> list[str]:
    """The hosts that a person excluded while the crawl ran."""
    return list(crawl.hosts.filter(excluded=True).order_by("host").values_list("host", flat=True))


def _of_reason(crawls: Sequence[Crawl], reason: LeftOutReason | None, besides: Exceptions) -> Q:
    if reason is None:
        return _WITH_CODES | _of_excluded(crawls, besides) | _of_scripts(crawls, besides)
    if reason is HOST_OUT:
        return _of_excluded(crawls, besides)
    if reason is JAVASCRIPT:
        return _of_scripts(crawls, besides)
    return _of_codes(reason)


def _of_codes(reason: LeftOutReason) -> Q:
    covered = Q(reason__in=reason.codes)
    if reason is UNANSWERED:
        covered |= Q(reason__startswith="http_") | Q(reason="", state=State.FAILED)
    return IS_OUT & covered


def _of_excluded(crawls: Sequence[Crawl], besides: Exceptions) -> Q:
    """Waiting on hosts that a person excluded while that crawl ran."""
    within = Q(pk__in=[])
    for crawl in crawls:
        if hosts := besides.hosts.get(crawl.pk):
            within |= Q(state=State.WAITING) & Q(crawl=crawl) & _of_hosts(hosts)
    return within


def _of_scripts(crawls: Sequence[Crawl], besides: Exceptions) -> Q:
    """The rows of pages that need JavaScript."""
    having = [crawl for crawl in crawls if crawl.pk in besides.with_scripts]
    if not having:
        return Q(pk__in=[])
    if len(crawls) == 1:
        return Q(number__in=crawls[0].pages_fetched.filter(needs_javascript=True).values("number"))
    needing = Page.objects.filter(
        crawl=OuterRef("crawl"), number=OuterRef("number"), needs_javascript=True
    )
    return Q(state=State.FETCHED, crawl__in=having) & Q(Exists(needing))


def _of_hosts(hosts: Sequence[str]) -> Q:
    within = Q(pk__in=[])
    for host in hosts:
        within |= at_host(host, "url")
    return within


def left_out_rows(chosen: Sequence[FrontierEntry]) -> list[LeftOutRow]:
    """These entries as rows, in their order."""
    by_crawl = defaultdict(list)
    for entry in chosen:
        by_crawl[entry.crawl_id].append(entry)
    rows = {
        (row.crawl, row.number): row
        for crawl, of_crawl in by_crawl.items()
        for row in _rows_of_crawl(crawl, of_crawl)
    }
    return [rows[entry.crawl_id, entry.number] for entry in chosen]


def _rows_of_crawl(crawl: int, chosen: Sequence[FrontierEntry]) -> Iterator[LeftOutRow]:
    parents = {entry.parent for entry in chosen if entry.parent >= 0}
    met = FrontierEntry.objects.filter(crawl=crawl, number__in=parents)
    linked = dict(met.values_list("number", "url"))
    pages = Page.objects.filter(crawl=crawl).numbered(parents)
    fetched = dict(pages.values_list("number", "fetched_at"))
    failed = [entry.number for entry in chosen if entry.state == State.FAILED]
    of_failed = FailedRequest.objects.filter(crawl=crawl, number__in=failed)
    failures = {failure.number: failure for failure in of_failed.order_by("request")}
    for entry in chosen:
        failure = failures.get(entry.number)
        yield LeftOutRow(
            number=entry.number,
            url=entry.url,
            host=host_of_canonical(entry.url),
            reason=_reason(entry),
            code=entry.reason,
            detail=_detail(entry, failure.detail if failure else ""),
            priority=entry.priority,
            linked_from=linked.get(entry.parent, ""),
            at=failure.at if failure else fetched.get(entry.parent),
            crawl=crawl,
        )


def every_row(crawls: Sequence[Crawl], choice: AddressChoice = ALL) -> Iterator[LeftOutRow]:
    """All chosen rows, crawl by crawl, in the order in which the addresses were met."""
    besides = Exceptions.of(crawls)
    for crawl in crawls:
        yield from _rows_in_order(entries([crawl], choice, besides).order_by("number"))


def _rows_in_order(entries_by_number: QuerySet[FrontierEntry]) -> Iterator[LeftOutRow]:
    """Not by one cursor: PostgreSQL would read all entries before it gives the first."""
    chosen = list(entries_by_number[:AT_ONCE])
    while chosen:
        yield from left_out_rows(chosen)
        after = entries_by_number.filter(number__gt=chosen[-1].number)
        chosen = list(after[:AT_ONCE]) if len(chosen) == AT_ONCE else []


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
