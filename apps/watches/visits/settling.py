"""What the crawl of a visit has seen, as the states, versions and yields of its addresses.

Each chunk is one transaction and passes over the addresses settled before, so a killed run goes on
where it stood.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Count, F
from django.utils import timezone

from apps.crawls.models import Crawl, FailedRequest, Page
from apps.crawls.pages.bodies import OpenBodies
from apps.engine.codes import State
from apps.jobs import queue
from apps.watches.addresses import key_of
from apps.watches.models import Observation, PageState, Watch, WatchedPage, WatchVisit
from apps.watches.versions import read_copy, write_version
from apps.watches.visits.crediting import credit_sources
from apps.watches.visits.gathering import add_sources, copy_of
from apps.watches.visits.inspecting import Inspector
from apps.watches.visits.list_dates import learn_date, take_dates
from apps.watches.visits.planning import days_between, due_at, host_rates
from apps.watches.visits.rates import HostRates
from apps.watches.visits.scheduling import adapt_rhythm, fail_visit
from apps.watches.visits.thinning import thin_page, thin_watch

CHUNK = 50
Answered = Page | FailedRequest


def settle(visit: WatchVisit) -> None:
    """Settles a visit whose crawl has ended; one whose crawl is gone has failed."""
    crawl = visit.crawl
    if crawl is None:
        fail_visit(visit, "Its crawl was deleted before the visit was settled.", visit.began_at)
        return
    with OpenBodies() as bodies:
        work = Settling(visit, crawl, bodies)
        for _ in work.steps():
            if not queue.heartbeat(visit) and visit.is_under_way:
                return
    work.close()


class Settling:
    """Settles one visit; `steps` yields after each transaction."""

    def __init__(self, visit: WatchVisit, crawl: Crawl, bodies: OpenBodies) -> None:
        self.visit = visit
        self.watch: Watch = visit.watch
        self.crawl = crawl
        self._bodies = bodies
        self._inspector = Inspector(visit, crawl, bodies)
        self._rates = self._host_rates()

    def _host_rates(self) -> HostRates:
        return host_rates(self.watch.pages.filter(is_watched=True).order_by("pk"))

    def moment(self, real: datetime) -> datetime:
        """A moment of the crawl in the time of the visit, which may be simulated."""
        begun = self.crawl.started_at or real
        return self.visit.began_at + max(timedelta(0), real - begun)

    def steps(self) -> Iterator[None]:
        """Settles the addresses that were due, then the new pages."""
        urls = [address[0] for address in self.crawl.revisit_plan.due]
        for start in range(0, len(urls), CHUNK):
            self._settle_due(urls[start : start + CHUNK])
            yield
        yield from self._take_new({key_of(url) for url in urls})
        credit_sources(self.visit, self.crawl)
        yield
        take_dates(self.visit, self.crawl)
        yield

    # Addresses that were due -------------------------------------------------------------------

    def _settle_due(self, urls: Sequence[str]) -> None:
        rows = self.watch.pages.filter(key__in=map(key_of, urls)).exclude(state_visit=self.visit)
        answers = self._answers(urls)
        pages = [page for page in rows.select_related("crawl") if page.url in answers]
        with transaction.atomic():
            for page in pages:
                self._settle_page(page, answers[page.url])

    def _answers(self, urls: Sequence[str]) -> dict[str, Answered]:
        """The last answer that each address gave; those that were not asked for have none."""
        failed = self.crawl.failed_requests.filter(url__in=urls).order_by("request")
        answers: dict[str, Answered] = {row.url: row for row in failed}
        return answers | {row.url: row for row in self.crawl.pages_fetched.filter(url__in=urls)}

    def _settle_page(self, page: WatchedPage, answer: Answered) -> None:
        at = self.moment(answer.fetched_at if isinstance(answer, Page) else answer.at)
        since = page.visited_at
        inspection = self._inspector.inspect(page, answer, at)
        page.state_visit, page.state, page.code = self.visit, inspection.state, inspection.code
        page.state_at, page.missing_since = at, inspection.missing_since
        if inspection.state != PageState.NOT_REACHED:
            _learn_rate(page, inspection.state, days_between(since, at))
            learn_date(page, inspection.state)
            page.visits += 1
            page.visited_at = at
            page.due_at = due_at(page, self._rates, at)
        if inspection.state == PageState.CHANGED:
            page.changed_at = at
        page.save()
        if page.is_watched:
            Observation.objects.create(
                page=page,
                visit=self.visit,
                at=at,
                state=inspection.state,
                code=inspection.code,
                version=inspection.version,
                new_links=inspection.new_links,
            )
            self._count_thinned(thin_page(page, self.watch.versions))

    def _count_thinned(self, number: int) -> None:
        if number:
            rows = WatchVisit.objects.filter(pk=self.visit.pk)
            rows.update(thinned=F("thinned") + number)

    # New pages ---------------------------------------------------------------------------------

    def _take_new(self, due: set[str]) -> Iterator[None]:
        """Takes the relevant pages under watch that the visit came by."""
        relevant = self.crawl.pages_fetched.filter(relevant=True).order_by("seq")
        pages = [page for page in relevant if key_of(page.url) not in due]
        for start in range(0, len(pages), CHUNK):
            chunk = pages[start : start + CHUNK]
            with transaction.atomic():
                for page in chunk:
                    self._take_page(page)
                add_sources(self.watch, self.crawl, chunk)
            yield

    def _take_page(self, page: Page) -> None:
        had = self.watch.pages.filter(key__in=(key_of(page.url), key_of(page.final_url)))
        if had.exists():
            return
        copy = read_copy(self._bodies, self.crawl, page)
        if copy is not None and self._is_copy(copy.digest):
            return
        at = self.moment(page.fetched_at)
        row: dict[str, Any] = copy_of(self.crawl, page)
        taken = WatchedPage.objects.create(
            watch=self.watch,
            is_watched=True,
            state=PageState.NEW,
            state_visit=self.visit,
            state_at=at,
            first_visit=self.visit,
            first_seen_at=at,
            visited_at=at,
            **row,
        )
        version = None
        if copy is not None:
            version = write_version(taken, copy, at, self.visit)
            taken.text_digest = copy.digest
        taken.due_at = due_at(taken, self._rates, at)
        taken.save()
        Observation.objects.create(
            page=taken, visit=self.visit, at=at, state=PageState.NEW, version=version
        )

    def _is_copy(self, digest: str) -> bool:
        """Whether a watched page has that text already, at an address that has moved."""
        return self.watch.pages.filter(is_watched=True, text_digest=digest).exists()

    # The end -----------------------------------------------------------------------------------

    def close(self) -> None:
        """Writes the counts of the visit, which is over then."""
        counts = dict(
            Observation.objects.filter(visit=self.visit)
            .order_by()
            .values_list("state")
            .annotate(Count("pk"))
        )
        ended = self.moment(self.crawl.finished_at or timezone.now())
        failed = self.crawl.state == State.FAILED
        values = {
            "stage": WatchVisit.Stage.FAILED if failed else WatchVisit.Stage.SETTLED,
            "ended_at": ended,
            "requests": self.crawl.requests,
            **{f"{state.value}_pages": counts.get(state, 0) for state in PageState},
        }
        problem = "The crawl of the last visit has failed." if failed else ""
        with transaction.atomic():
            self._count_thinned(thin_watch(self.watch))
            WatchVisit.objects.filter(pk=self.visit.pk, ended_at=None).update(**values)
            Watch.objects.filter(pk=self.watch.pk).update(problem=problem)
            adapt_rhythm(self.watch, self.visit)
        self.visit.refresh_from_db()


def _learn_rate(page: WatchedPage, state: PageState, days: float) -> None:
    if state == PageState.CHANGED:
        page.changes += 1
        page.changed_days += days
    elif state == PageState.SAME:
        page.same_days += days
