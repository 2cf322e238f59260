"""Filters by the day of publication, with the years of the pages, of any list of pages."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar

from django.db.models import Q

from apps.schemas.misread import Misread
from apps.search.days import first_day, last_day, shortest_first, shortest_last
from apps.search.filter import Field, Filter, Parameters
from apps.search.panels import DateBar, Dates, Option
from apps.search.values import any_of

FROM, TO, WITHOUT, UNREAD = "dated_from", "dated_to", "undated", "unread"
UNDATED = 0
"""The month of pages without a date."""
MONTHS = 12
FEW_YEARS = 3
"""A range of fewer years is shown by months."""
MOST_BARS = 40
MONTH_NAMES = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


@dataclass(frozen=True, slots=True)
class Period:
    """From one day to another, both included; with `undated` pages without a date pass as well,
    with `unread` those not read yet, and without any day only they do."""

    low: date | None = None
    high: date | None = None
    undated: bool = False
    unread: bool = False

    @property
    def has_days(self) -> bool:
        return self.low is not None or self.high is not None


class PublicationDay(Filter[Period]):
    """Filters by the day on which the page was published, as far as it names one; pages are counted
    by month (`month_number`), those without a date under UNDATED."""

    id = "published"
    title = "Date of the page"
    sentence = (
        "From one day, month or year of publication to another, both included; pages in which no "
        "date was found are left out unless they are ticked."
    )
    unknown = "is not a day, a month or a year; write 2026-05-01, 2026-05 or 2026"
    fields: ClassVar[tuple[Field, ...]] = (
        Field(FROM, "A day, month or year, as in 2026-05.", str | None),
        Field(TO, "A day, month or year, as in 2026-05.", str | None),
        Field(
            WITHOUT,
            "1 for pages without a date: with days as well, else alone.",
            bool | None,
            "is not 1",
        ),
    )
    example = "dated_from=2022&dated_to=2026-05&undated=1"
    nothing = Period()

    @abstractmethod
    def within_days(self, low: date | None, high: date | None) -> Q:
        """The condition that a page was published between these days, of which one may be open."""

    @abstractmethod
    def without_date(self) -> Q:
        """The condition for a page to name no date."""

    def read(self, query: Parameters) -> Period:
        low, high = first_day(query.get(FROM, "")), last_day(query.get(TO, ""))
        return Period(low, high, query.get(WITHOUT, "") == "1")

    def pairs(self, value: Period) -> Iterator[tuple[str, str]]:
        if value.low is not None:
            yield FROM, shortest_first(value.low)
        if value.high is not None:
            yield TO, shortest_last(value.high)
        if value.undated:
            yield WITHOUT, "1"

    def understands(self, field: str, text: str) -> bool:
        return first_day(text) is not None if field in (FROM, TO) else text == "1"

    def contradictions(self, value: Period) -> Iterator[Misread]:
        if value.low and value.high and value.low > value.high:
            low, high = shortest_first(value.low), shortest_last(value.high)
            yield Misread(FROM, f"No day is from {low} on and until {high}.")

    def condition(self, value: Period) -> Q:
        ways = [self.within_days(value.low, value.high)] if value.has_days else []
        return any_of([*ways, *([self.without_date()] if value.undated else [])])

    def chips(self, value: Period) -> Iterator[tuple[str, Period]]:
        yield period_words(value), Period()

    def panel(self, value: Period, counts: Mapping[Any, int]) -> Dates | None:
        months = {month: pages for month, pages in counts.items() if month}
        if not months and value == self.nothing:
            return None
        texts = dict(self.pairs(value))
        return Dates(
            self.title,
            (FROM, TO),
            (texts.get(FROM, ""), texts.get(TO, "")),
            _range_words(value),
            tuple(_bars(value, months)),
            tuple(self.ticks(value, counts)),
        )

    def ticks(self, value: Period, counts: Mapping[Any, int]) -> Sequence[tuple[str, Option]]:
        """The check boxes below the bars, by their parameters."""
        return [(WITHOUT, Option("1", "no date found", counts.get(UNDATED, 0), value.undated))]


def month_number(day: date) -> int:
    """Months since the year 0."""
    return MONTHS * day.year + day.month - 1


def period_words(value: Period) -> str:
    """`dated 2022–2026 or not at all`."""
    parts = [f"dated {_range_words(value)}"] if value.has_days else []
    if value.undated:
        parts.append("not at all" if parts else "no date found")
    return " or ".join([*parts, "not read yet"] if value.unread else parts)


def _range_words(value: Period) -> str:
    low = shortest_first(value.low) if value.low else ""
    high = shortest_last(value.high) if value.high else ""
    if low and high:
        return low if low == high else f"{low}–{high}"
    return f"since {low}" if low else f"until {high}" if high else ""


def _bars(value: Period, months: Mapping[int, int]) -> Iterator[DateBar]:
    """A bar for each year of the pages, or for each month of a short range."""
    if value.low and value.high and value.high.year - value.low.year < FEW_YEARS:
        first, last = value.low.year * MONTHS, value.high.year * MONTHS + MONTHS - 1
        counts, step = Counter(months), 1
    else:
        counts, step = _by_year(months), MONTHS
        first, last = min(counts, default=0), max(counts, default=-1)
        first = max(first, last - (MOST_BARS - 1) * MONTHS)
    highest = max((counts[month] for month in range(first, last + 1, step)), default=0)
    for month in range(first, last + 1, step):
        yield _bar(value, month, step, counts[month], max(1, highest))


def _by_year(months: Mapping[int, int]) -> Counter[int]:
    years = Counter[int]()
    for month, pages in months.items():
        years[month - month % MONTHS] += pages
    return years


def _bar(value: Period, month: int, step: int, pages: int, highest: int) -> DateBar:
    year, of_year = divmod(month, MONTHS)
    text = f"{year:04}" if step == MONTHS else f"{year:04}-{of_year + 1:02}"
    words = f"{year}" if step == MONTHS else f"{MONTH_NAMES[of_year]} {year}"
    low, high = first_day(text), last_day(text)
    assert low is not None and high is not None
    passes = (value.low is None or value.low <= high) and (value.high is None or low <= value.high)
    return DateBar(text, words, pages, pages / highest, passes)
