"""The expected cost of a crawl: requests, time and disk, estimated from earlier crawls of the
web."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Avg
from django.template.defaultfilters import filesizeformat

from apps.crawls.models import Crawl, Page
from apps.crawls.schemas import REQUESTS_A_PAGE
from apps.figures.quantities import count, roughly
from apps.screens.new_crawl.forms import NewCrawlForm
from apps.webs.selectors import live_web

LAST_CRAWLS = 5
LOOKED_AT = 50
LEAST_PAGES = 100  # of a crawl whose speed is used


@dataclass(frozen=True, slots=True)
class Cost:
    """One cost of a crawl, its amount, and how that is known."""

    what: str
    amount: str
    known: str


def costs(form: NewCrawlForm) -> tuple[Cost, ...]:
    """The costs of the form as it is now; empty before it has a budget."""
    budget = form.cleaned_data.get("budget")
    if not budget:
        return ()
    last = last_alike(form)
    return (_requests(form, last, budget), _time(form, last, budget), _disk(last, budget))


def last_alike(form: NewCrawlForm) -> list[Crawl]:
    """The owner's last crawls of that web with the same pause and at full speed."""
    source, web = form.source, form.chosen_web or live_web()
    alike = Crawl.objects.filter(
        owner=form.topic.owner, over=source.over, web=web, pages__gte=LEAST_PAGES
    )
    pause = form.cleaned_data.get("delay")
    found = (
        crawl for crawl in alike.order_by("-pk")[:LOOKED_AT]
        if not crawl.politeness.get("pages_per_second")
        and (not source.sends_requests or crawl.politeness.get("delay") == pause)
    )  # fmt: skip
    return list(found)[:LAST_CRAWLS]


def pause_of(form: NewCrawlForm) -> float:
    """Seconds between two requests to one host; 0 if no requests are sent."""
    if not form.source.sends_requests:
        return 0.0
    chosen = form.cleaned_data.get("delay")
    return form.source.delay if chosen is None else float(chosen)


def _requests(form: NewCrawlForm, last: Sequence[Crawl], budget: int) -> Cost:
    if not form.source.sends_requests:
        return Cost("Requests", "none", "pages are read from this machine’s disk")
    if not last:
        most = f"{count(budget)} to {count(REQUESTS_A_PAGE * budget)}"
        return Cost("Requests", most, f"it ends at {REQUESTS_A_PAGE} requests a page")
    ratios = sorted(crawl.requests / crawl.pages for crawl in last)
    return Cost("Requests", _range([count(r * budget) for r in ratios]), _as_last(last))


def _time(form: NewCrawlForm, last: Sequence[Crawl], budget: int) -> Cost:
    least, why = _least_time(form, budget)
    if last:
        times = sorted(max(least, crawl.seconds / crawl.pages * budget) for crawl in last)
        known = why if times[-1] <= least else _as_last(last)
        return Cost("Time", _range([roughly(time) for time in times]), known)
    if least:
        return Cost("Time", f"at least {roughly(least)}", why)
    return Cost("Time", "not known yet", "the first crawl there measures it")


def _least_time(form: NewCrawlForm, budget: int) -> tuple[float, str]:
    """The seconds that the pace or the pauses take at least, and which of them it is."""
    pace = form.cleaned_data.get("pages_per_second")
    hosts = len(form.scope()["allow_hosts"]) or (form.chosen_web.hosts if form.chosen_web else 0)
    pause = pause_of(form)
    paced = budget / pace if pace else 0.0
    polite = budget * pause / hosts if hosts else 0.0
    if paced >= polite:
        return paced, f"at {pace:g} pages a second" if pace else ""
    named = "1 host" if hosts == 1 else f"{count(hosts)} hosts"
    return polite, f"{named}, one request to each every {pause:g} s"


def _disk(last: Sequence[Crawl], budget: int) -> Cost:
    free = filesizeformat(shutil.disk_usage(settings.DATA_DIR).free)
    size = Page.objects.filter(crawl__in=last).aggregate(mean=Avg("length"))["mean"]
    if last and not size:
        return Cost("Disk", "little", f"the pages are the web’s own; {free} are free")
    taken = f"about {filesizeformat(size * budget)}" if size else "not known yet"
    return Cost("Disk", taken, f"{free} are free")


def _as_last(last: Sequence[Crawl]) -> str:
    crawls = "crawl" if len(last) == 1 else f"{len(last)} crawls"
    return f"as your last {crawls} there"


def _range(amounts: Sequence[str]) -> str:
    """`2 min to 6 min`; one amount where both ends read the same."""
    return " to ".join(dict.fromkeys((amounts[0], amounts[-1])))
