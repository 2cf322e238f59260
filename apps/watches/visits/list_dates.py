"""The dates that sitemaps give to pages, as hints of what has changed since its last visit.

They are never believed: a date in the future is none, one that most pages of a sitemap have is that
of the sitemap, and of each host the watch counts how often a page with a later date had changed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.db import transaction

from apps.crawls.models import Crawl
from apps.engine.codes import Failure
from apps.engine.parsing.site_lists.site_list import SiteList
from apps.watches.addresses import key_of
from apps.watches.models import PageState, Watch, WatchedPage, WatchVisit

DAY = timedelta(days=1)
CHUNK = 500
LEAST_DATED = 5
"""Pages that a sitemap must date before the date of most of them is taken for its own."""
LEAST_TRUST = 0.25
"""A host whose dates are thought to be right less often is ignored."""
FIRST_HINTS = 2
"""Pages of a host that a visit brings forward, before any of its dates was right."""
HINTS_A_RIGHT_ONE = 2


@dataclass(frozen=True, slots=True)
class DateRecord:
    """How often a page with a later date had changed (`right`), and how often it had not."""

    right: int = 0
    wrong: int = 0

    @property
    def trust(self) -> float:
        """The chance that the next date is right: the mean of a beta distribution whose prior is
        even."""
        return (1 + self.right) / (2 + self.right + self.wrong)

    @property
    def room(self) -> int:
        """The pages that a visit may bring forward by these dates."""
        if self.trust < LEAST_TRUST:
            return 0
        return FIRST_HINTS + HINTS_A_RIGHT_ONE * self.right


def is_dated_later(page: WatchedPage) -> bool:
    """Whether a sitemap dates a page later than its last visit."""
    return (
        page.is_watched
        and page.missing_since is None
        and page.listed_at is not None
        and page.visited_at is not None
        and page.listed_at > page.visited_at
    )


def chances_by_date(pages: Iterable[WatchedPage]) -> Mapping[int, float]:
    """The pages that are brought forward by their dates, by primary key, with the chance that they
    have changed; the latest dates of a host first."""
    right: Counter[str] = Counter()
    wrong: Counter[str] = Counter()
    by_host: defaultdict[str, list[WatchedPage]] = defaultdict(list)
    for page in pages:
        right[page.host] += page.dates_right
        wrong[page.host] += page.dates_wrong
        if is_dated_later(page):
            by_host[page.host].append(page)
    chances = {}
    for name, dated in by_host.items():
        record = DateRecord(right[name], wrong[name])
        dated.sort(key=lambda page: (page.listed_date, -page.pk), reverse=True)
        chances.update({page.pk: record.trust for page in dated[: record.room]})
    return chances


def learn_date(page: WatchedPage, state: PageState) -> None:
    """Notes whether a page whose date is later than its last visit has changed since; before that
    visit's moment is overwritten. The caller saves the page."""
    if not is_dated_later(page):
        return
    if state == PageState.CHANGED:
        page.dates_right += 1
    elif state == PageState.SAME:
        page.dates_wrong += 1


def take_dates(visit: WatchVisit, crawl: Crawl) -> None:
    """Stores the dates that the sitemaps of a visit give to watched pages. The second time for a
    visit it does nothing."""
    dates = dict(_read_dates(crawl))
    keys = list(dates)
    for start in range(0, len(keys), CHUNK):
        with transaction.atomic():
            _store_dates(visit.watch, keys[start : start + CHUNK], dates, visit.began_at)


def _read_dates(crawl: Crawl) -> Iterator[tuple[str, str]]:
    rows = crawl.failed_requests.filter(kind=Failure.SITE_LIST, site_list__isnull=False)
    for row in rows.order_by("request"):
        if row.site_list is None:
            continue
        for url, day in own_dates(SiteList.of_plain(row.site_list).dated):
            yield key_of(url), day


def own_dates(dated: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """The dates of a sitemap without one that more than half of its pages have, which says when
    the sitemap was written."""
    if len(dated) < LEAST_DATED:
        return list(dated)
    day, count = Counter(day for _, day in dated).most_common(1)[0]
    common = day if 2 * count > len(dated) else None
    return [entry for entry in dated if entry[1] != common]


def _store_dates(
    watch: Watch, keys: Sequence[str], dates: Mapping[str, str], now: datetime
) -> None:
    changed = []
    for page in watch.pages.filter(key__in=keys, is_watched=True):
        day = dates[page.key]
        moment = _latest_moment(day, now)
        if day != page.listed_date and moment is not None:
            page.listed_date, page.listed_at = day, moment
            changed.append(page)
    WatchedPage.objects.bulk_update(changed, ["listed_date", "listed_at"])


def _latest_moment(day: str, now: datetime) -> datetime | None:
    """The latest moment that a date can mean which a sitemap gave at `now`; None of one in the
    future."""
    began = datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC)
    return min(began + DAY, now) if began <= now else None
