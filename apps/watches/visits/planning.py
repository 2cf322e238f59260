"""What a visit asks for under its budget.

Pages by the chance that they have changed, by their own rate or by a sitemap's date; sources by
Thompson sampling over the new relevant pages that a visit to them yields; the rest is for links on
these pages, which the crawl ranks as any other crawl does. Policies of the literature are here too,
to be compared with.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from django.db.models import Sum

from apps.watches.models import PageState, Watch, WatchedPage, WatchVisit
from apps.watches.visits.list_dates import chances_by_date
from apps.watches.visits.rates import Exposure, HostRates, chance_of_change, days_until, rate_of

DAY = timedelta(days=1)
VALUE_OF_NEW = 3.0
"""What a new relevant page counts for, against a change of a page that is watched."""
LEAST_VALUE = 0.04
"""An address that is worth less is left for later, even if the budget would do."""
LEAST_LINKS = 0.15
MOST_LINKS = 0.6
"""Shares of the budget for new links."""
REQUESTS_A_PAGE, PRIOR_PAGES = 3.0, 5
"""Requests for new links for each new relevant page, before so many have come."""
DUE_CHANCE = 0.25
"""A page is due when a change is so probable."""
YIELDS = {"page": 0.02, "front": 0.3, "list": 0.2, "feed": 0.6, "sitemap": 0.5}
"""New relevant pages a day that come by a source, by kind, before any visit."""
YIELD_DAYS = 2.0


@dataclass(frozen=True, slots=True)
class RankedAddress:
    """An address, its value at this visit, and the new relevant pages it is expected to show."""

    page: WatchedPage
    value: float
    expected: float = 0.0


@dataclass(frozen=True, slots=True)
class VisitPlan:
    """The addresses to ask for in order, and the most requests of the visit, links included."""

    due: tuple[WatchedPage, ...]
    requests: int


Policy = Callable[[Sequence[WatchedPage], datetime, random.Random], Sequence[RankedAddress]]


def plan_visit(
    watch: Watch, visit: WatchVisit, now: datetime, policy: Policy | None = None
) -> VisitPlan:
    """What the visit asks for; the same again for the same rows."""
    rows = watch.pages.filter(is_watched=True) | watch.pages.filter(is_source=True)
    pages = list(rows.select_related("crawl").order_by("pk"))
    draw = random.Random(f"watch {watch.pk} visit {visit.number}")
    ranked = (policy or estimate)(pages, now, draw)
    links = _room_for_links(watch, sum(each.expected for each in ranked))
    due = tuple(each.page for each in ranked[: watch.requests - links])
    # What the pages leave of the budget is for links too, within reason.
    return VisitPlan(due, min(watch.requests, len(due) + 2 * links))


def _room_for_links(watch: Watch, expected: float) -> int:
    """Requests that are for new links: what the pages that are expected have cost so far."""
    sums = watch.visits_made.aggregate(
        requests=Sum("requests"), planned=Sum("planned"), new=Sum("new_pages")
    )
    links = max(0, (sums["requests"] or 0) - (sums["planned"] or 0))
    seen = PRIOR_PAGES + (sums["new"] or 0)
    wanted = ceil(expected * (PRIOR_PAGES * REQUESTS_A_PAGE + links) / seen)
    budget = watch.requests
    return min(max(wanted, ceil(LEAST_LINKS * budget)), int(MOST_LINKS * budget))


def days_between(earlier: datetime | None, later: datetime) -> float:
    """The days from one moment to another; one if the first is unknown."""
    return max(0.0, (later - earlier) / DAY) if earlier else 1.0


def estimate(
    pages: Sequence[WatchedPage], now: datetime, draw: random.Random
) -> Sequence[RankedAddress]:
    """The addresses by value, greatest first: the probability of a change plus a sampled value of
    new pages."""
    return _rank(pages, chances_by_date(pages), now, draw)


def _rank(
    pages: Sequence[WatchedPage], dated: Mapping[int, float], now: datetime, draw: random.Random
) -> Sequence[RankedAddress]:
    rates = host_rates(pages)
    candidates = [_candidate(page, rates, dated.get(page.pk, 0.0), now, draw) for page in pages]
    worth = [each for each in candidates if each.value >= LEAST_VALUE]
    return sorted(worth, key=lambda each: (-each.value, each.page.pk))


def _candidate(
    page: WatchedPage, rates: HostRates, by_date: float, now: datetime, draw: random.Random
) -> RankedAddress:
    value, expected = 0.0, 0.0
    days = days_between(page.visited_at, now)
    if page.is_watched:
        value = max(by_date, _value_of_page(page, rates, days, now))
    if page.is_source:
        value += VALUE_OF_NEW * sampled_yield(page, draw) * days
        expected = mean_yield(page) * days
    return RankedAddress(page, value, expected)


def _value_of_page(page: WatchedPage, rates: HostRates, days: float, now: datetime) -> float:
    if page.missing_since is not None and page.state != PageState.GONE:
        return 1.0 if now - page.missing_since >= DAY else 0.0
    return chance_of_change(page_rate(page, rates), days)


def sampled_yield(page: WatchedPage, draw: random.Random) -> float:
    """New relevant pages a day, drawn from what is believed of the source (a gamma distribution:
    the conjugate prior of counts over time)."""
    shape, days = _belief(page)
    return draw.gammavariate(shape, 1.0 / days)


def mean_yield(page: WatchedPage) -> float:
    """The new relevant pages a day that are expected of a source."""
    shape, days = _belief(page)
    return shape / days


def _belief(page: WatchedPage) -> tuple[float, float]:
    prior = YIELDS[page.kind]
    return prior * YIELD_DAYS + page.yields, YIELD_DAYS + page.asked_days


def exposure(page: WatchedPage) -> Exposure:
    """What the visits have seen of a page's changes."""
    return Exposure(page.changes, page.changed_days, page.same_days)


def host_rates(pages: Iterable[WatchedPage]) -> HostRates:
    """The prior rates of the hosts of these pages."""
    by_host: defaultdict[tuple[str, str], Exposure] = defaultdict(Exposure)
    for page in pages:
        key = page.host, page.kind
        by_host[key] = by_host[key].plus(exposure(page))
    return HostRates(by_host)


def page_rate(page: WatchedPage, rates: HostRates) -> float:
    """Changes a day of a page."""
    return rate_of(exposure(page), rates.prior(page.host, page.kind))


def due_at(page: WatchedPage, rates: HostRates, since: datetime) -> datetime:
    """When a page visited at `since` is due again."""
    if page.is_source:
        return since + DAY * min(30.0, 0.5 / max(mean_yield(page), 1e-3))
    return since + DAY * days_until(page_rate(page, rates), DUE_CHANCE)


def expected_events(watch: Watch) -> float:
    """The new relevant pages and the changes that are expected of a day."""
    pages = list(watch.pages.filter(is_watched=True) | watch.pages.filter(is_source=True))
    rates = host_rates(pages)
    changes = sum(page_rate(page, rates) for page in pages if page.is_watched)
    return changes + sum(mean_yield(page) for page in pages if page.is_source)


# Policies to compare with -------------------------------------------------------------------------


def estimate_undated(
    pages: Sequence[WatchedPage], now: datetime, draw: random.Random
) -> Sequence[RankedAddress]:
    """`estimate` without the dates of sitemaps."""
    return _rank(pages, {}, now, draw)


def uniform(
    pages: Sequence[WatchedPage], now: datetime, draw: random.Random
) -> Sequence[RankedAddress]:
    """All addresses in turn, those first that were visited longest ago."""
    return [
        RankedAddress(page, 1.0)
        for page in sorted(pages, key=lambda page: (-days_between(page.visited_at, now), page.pk))
    ]


def proportional(
    pages: Sequence[WatchedPage], now: datetime, draw: random.Random
) -> Sequence[RankedAddress]:
    """Visits each address as often as it changes: the most expected changes first."""
    rates = host_rates(pages)
    expected = [
        RankedAddress(page, page_rate(page, rates) * days_between(page.visited_at, now))
        for page in pages
    ]
    return sorted(expected, key=lambda each: (-each.value, each.page.pk))


POLICIES: dict[str, Policy] = {
    "estimated": estimate,
    "uniform": uniform,
    "proportional": proportional,
}
