"""How many addresses crawls did not take, by reason and by host."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Max, QuerySet, Value
from django.db.models.functions import StrIndex, Substr

from apps.crawls.left_out.reasons import (
    HOST_OUT,
    JAVASCRIPT,
    REASONS,
    LeftOutReason,
    ReasonGroup,
    reason_of,
)
from apps.crawls.left_out.rows import (
    ALL,
    AddressChoice,
    Exceptions,
    LeftOutRow,
    best_first,
    code_words,
    entries,
    failed_or_excluded,
    left_out_rows,
)
from apps.crawls.models import Crawl, FrontierEntry

EXAMPLES = 2
WORTH_A_LOOK = 0.7
"""The priority from which an address that was not taken may be worth a minute."""
NAMED_KINDS = 4


@dataclass(slots=True)
class ReasonCount:
    """The addresses of one reason: how many, the best priority among them, the kinds of failure
    with their numbers, and the most promising ones."""

    reason: LeftOutReason
    number: int = 0
    best: float = 0.0
    kinds: dict[str, int] = field(default_factory=dict)
    examples: Sequence[LeftOutRow] = ()

    @property
    def words(self) -> str:
        """The meaning of the reason, or its kinds of failure if there are several: `404 not found
        12`."""
        if len(self.reason.codes) < 2 or not self.kinds:
            return self.reason.words
        ordered = sorted(self.kinds.items(), key=lambda pair: (-pair[1], pair[0]))
        named = [f"{code_words(kind)} {number:,}" for kind, number in ordered[:NAMED_KINDS]]
        more = len(ordered) - NAMED_KINDS
        return ", ".join([*named, f"{more} more kinds"] if more > 0 else named)


@dataclass(frozen=True, slots=True)
class HostCount:
    """The addresses of one host: how many, and the best priority among them."""

    host: str
    number: int
    best: float


@dataclass(frozen=True, slots=True)
class CrawlCount:
    """The addresses that one crawl of a topic did not take, and the best priority among them."""

    crawl: Crawl
    number: int
    best: float


@dataclass(frozen=True, slots=True)
class LeftOutSummary:
    """Counts of the addresses that crawls left out. `taken` are the pages that can be read; the
    reasons are those with addresses, in the order of the screen."""

    taken: int
    reasons: tuple[ReasonCount, ...]

    @property
    def number(self) -> int:
        """How many addresses were met and not taken, each once a crawl."""
        return sum(count.number for count in self.reasons)

    def groups(self) -> Iterator[tuple[ReasonGroup, int, list[ReasonCount]]]:
        """The groups that have any, with their number and their reasons."""
        for group in ReasonGroup:
            counts = [count for count in self.reasons if count.reason.group is group]
            if counts:
                yield group, sum(count.number for count in counts), counts


def summarise(
    crawls: Sequence[Crawl], choice: AddressChoice = ALL, examples: int = EXAMPLES
) -> LeftOutSummary:
    """The chosen addresses by reason, each with its most promising `examples`."""
    counts = {reason.id: ReasonCount(reason) for reason in REASONS.values()}
    besides = Exceptions.of(crawls)
    # By all columns, as the index has them, so that the database need not sort the rows.
    by_code = _by(failed_or_excluded(crawls, choice), "crawl", "state", "reason")
    for _, _, code, number, best in by_code:
        count = counts[reason_of(code).id]
        _add(count, number, best)
        if code:
            count.kinds[code] = count.kinds.get(code, 0) + number
    for reason in (HOST_OUT, JAVASCRIPT):
        if choice.reason not in (None, reason):
            continue
        rows = entries(crawls, _with(choice, reason), besides)
        measured = rows.aggregate(number=Count("pk"), best=Max("priority"))
        _add(counts[reason.id], measured["number"], measured["best"] or 0.0)
    some = tuple(count for count in counts.values() if count.number)
    for count in some:
        if examples:
            rows = entries(crawls, _with(choice, count.reason), besides)
            count.examples = _examples(rows, count, examples)
    scripts = counts[JAVASCRIPT.id].number
    if choice != ALL:
        scripts = entries(crawls, AddressChoice(JAVASCRIPT), besides).count()
    return LeftOutSummary(sum(crawl.pages for crawl in crawls) - scripts, some)


def _examples(rows: QuerySet[FrontierEntry], count: ReasonCount, most: int) -> list[LeftOutRow]:
    """The most promising addresses among the rows of a reason that was counted. Each code that
    occurs is named: the index has its best addresses first, while a pattern of codes makes the
    database read all."""
    if count.reason.codes:
        rows = rows.filter(reason__in=["", *count.kinds])
    return left_out_rows(list(best_first(rows)[:most]))


def by_host(crawls: Sequence[Crawl], choice: AddressChoice, most: int) -> list[HostCount]:
    """The hosts of the chosen addresses, those with the most first."""
    rest = Substr("url", StrIndex("url", Value("://")) + 3)
    name = Substr(rest, 1, StrIndex(rest, Value("/")) - 1)
    rows = _by(entries(crawls, choice).annotate(name=name), "name")
    ordered = sorted(rows, key=lambda row: (-row[1], row[0]))
    return [HostCount(*row) for row in ordered[:most]]


def by_crawl(crawls: Sequence[Crawl], choice: AddressChoice) -> list[CrawlCount]:
    """The crawls that have chosen addresses, the newest first."""
    rows = {crawl: (number, best) for crawl, number, best in _by(entries(crawls, choice), "crawl")}
    ordered = sorted(crawls, key=lambda crawl: -crawl.pk)
    return [CrawlCount(crawl, *rows[crawl.pk]) for crawl in ordered if crawl.pk in rows]


def _by(rows: QuerySet[FrontierEntry], *columns: str) -> list[tuple[Any, ...]]:
    """(values of the columns, number, best priority) of each group of rows."""
    counted = rows.values(*columns).annotate(number=Count("pk"), best=Max("priority"))
    return list(counted.values_list(*columns, "number", "best"))


def _with(choice: AddressChoice, reason: LeftOutReason) -> AddressChoice:
    return AddressChoice(reason, choice.part, choice.least, choice.host)


def _add(count: ReasonCount, number: int, best: float) -> None:
    count.number += number
    count.best = max(count.best, best)
