"""The expected cost of a crawl: requests, time and disk, estimated from the topic's earlier crawls,
or else from the owner's other crawls of the web."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Avg
from django.template.defaultfilters import filesizeformat

from apps.crawls import alike
from apps.crawls.models import Crawl, Page
from apps.crawls.most import REQUESTS_A_PAGE
from apps.engine.codes import StopReason
from apps.figures.quantities import count, join_names, number_of, range_words, roughly
from apps.screens.new_crawl.forms import NewCrawlForm
from apps.webs.selectors import live_web

MEASURED = 1_000
"""So many of the first pages of an earlier crawl tell how large a page is."""


@dataclass(frozen=True, slots=True)
class CostLine:
    """One cost of a crawl, its amount, and the `basis` of that."""

    what: str
    amount: str
    basis: str


def costs(form: NewCrawlForm) -> tuple[CostLine, ...]:
    """The costs of the form as it is now; empty before it has a budget."""
    budget = form.cleaned_data.get("budget")
    if not budget:
        return ()
    last = last_alike(form)
    return (_requests(form, last, budget), _time(form, last, budget), _disk(last, budget))


def last_alike(form: NewCrawlForm) -> list[Crawl]:
    """The earlier crawls that the costs are estimated by."""
    web, delay = form.chosen_web or live_web(), form.cleaned_data.get("delay")
    return alike.last_alike(form.topic.owner, web, form.source, delay, form.topic)


def pause_of(form: NewCrawlForm) -> float:
    """Seconds between two requests to one host; 0 if no requests are sent."""
    if not form.source.sends_requests:
        return 0.0
    chosen = form.cleaned_data.get("delay")
    return form.source.delay if chosen is None else float(chosen)


def _requests(form: NewCrawlForm, last: Sequence[Crawl], budget: int) -> CostLine:
    if not form.source.sends_requests:
        return CostLine("Requests", "none", "pages are read from this machine’s disk")
    if not last:
        most = f"{count(budget)} to {count(REQUESTS_A_PAGE * budget)}"
        return CostLine("Requests", most, f"it ends at {REQUESTS_A_PAGE} requests a page")
    ratios = sorted(crawl.requests / crawl.pages for crawl in last)
    amount = range_words([count(r * budget) for r in ratios])
    return CostLine("Requests", amount, _as_last(form, last) + _ended(form, budget))


def _time(form: NewCrawlForm, last: Sequence[Crawl], budget: int) -> CostLine:
    least, why = _least_time(form, budget)
    if last:
        times = sorted(max(least, crawl.seconds / crawl.pages * budget) for crawl in last)
        basis = why if times[-1] <= least else _as_last(form, last)
        return CostLine("Time", range_words([roughly(time) for time in times]), basis)
    if least:
        return CostLine("Time", f"at least {roughly(least)}", why)
    return CostLine("Time", "not known yet", "the first crawl there measures it")


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


def _disk(last: Sequence[Crawl], budget: int) -> CostLine:
    free = filesizeformat(shutil.disk_usage(settings.DATA_DIR).free)
    first = Page.objects.filter(crawl__in=last, seq__lte=MEASURED)
    size = first.aggregate(mean=Avg("length"))["mean"]
    if last and not size:
        return CostLine("Disk", "little", f"the pages are the web’s own; {free} are free")
    taken = f"about {filesizeformat(size * budget)}" if size else "not known yet"
    return CostLine("Disk", taken, f"{free} are free")


def _as_last(form: NewCrawlForm, last: Sequence[Crawl]) -> str:
    """`by crawl #12 of this topic, of 306 pages`: the amounts are those a page, times the
    budget."""
    pages = [count(size) for size in sorted(crawl.pages for crawl in last)]
    numbers = join_names([f"#{crawl.pk}" for crawl in last])
    crawls = f"crawl{'' if len(last) == 1 else 's'} {numbers}"
    lengths = f"of {range_words(pages)} pages"
    if last[0].topic_id == form.topic.pk:
        return f"by {crawls} of this topic, {lengths}"
    return f"no long crawl of this topic there yet: by your {crawls} there, {lengths}"


def _ended(form: NewCrawlForm, budget: int) -> str:
    """A note that the topic's last crawl there ran out of links before so many pages."""
    ended = Crawl.objects.filter(
        topic=form.topic, web=form.chosen_web or live_web(), reason=StopReason.FRONTIER_EMPTY
    )
    last = ended.order_by("-pk").first()
    if last is None or last.pages >= budget:
        return ""
    return f"; crawl #{last.pk} ended at {number_of(last.pages, 'page')}: frontier empty"
