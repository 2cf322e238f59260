"""A month of a watch in simulated time, over a made web that changes by a script."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from django.contrib.auth.models import User

from apps.crawls.commands.lifecycle.start import start_here
from apps.crawls.lifecycle.lease import claim
from apps.crawls.models import Crawl
from apps.crawls.running.runner import Runner
from apps.crawls.services import create_crawl
from apps.months.changing_web import DAY, ChangingWeb, ScriptedPage
from apps.months.freshness import freshness
from apps.topics import tasks
from apps.topics.definition.schemas import Definition
from apps.topics.models import Topic
from apps.topics.services import create_topic
from apps.watches import services
from apps.watches.foreground import run_visit
from apps.watches.models import Observation, PageState, Watch, WatchVisit
from apps.watches.visits import scheduling
from apps.watches.visits.planning import Policy
from apps.webs.importing import import_web
from apps.webs.models import Web
from apps.webs.serving import keep_port

POLITENESS = {"delay": 0.0, "concurrent": 1}
"""One request at a time, so that the month is the same again."""
MOST_EXAMPLES = 20
AFTER_FIRST = timedelta(hours=1)
"""The first visit is so long after the crawl."""


@dataclass
class MonthResult:
    """The result of a month. `recall` is the share of the new relevant pages that were seen within
    a day of their birth; `full` are the requests of a daily recrawl of the whole web. `false` are
    pages called changed that were not, `missed` those that had changed since the visit before and
    were called the same. `freshness` is of the relevant pages that there were at the start, None
    without any."""

    policy: str
    visits: int = 0
    requests: int = 0
    full: int = 0
    born: int = 0
    in_a_day: int = 0
    seen: int = 0
    changes: int = 0
    false: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    freshness: float | None = None
    gone: int = 0
    false_gone: list[str] = field(default_factory=list)

    @property
    def recall(self) -> float | None:
        """None if no relevant page was born."""
        return self.in_a_day / self.born if self.born else None

    @property
    def share(self) -> float:
        """Requests against those of a full daily recrawl."""
        return self.requests / self.full if self.full else 0.0


class Month:
    """A topic of a changing web that is crawled once, and then watched."""

    def __init__(self, web: ChangingWeb, port: int, owner: User, folder: Path) -> None:
        self.web = web
        self._row = _imported(web, folder)
        keep_port(self._row, port)
        self._row.refresh_from_db()
        self.topic = _topic(web, self._row, owner)
        self.crawl = self._crawl_once()

    def _crawl_once(self) -> Crawl:
        """The first crawl, which gets the whole web."""
        crawl = create_crawl(
            self.topic.owner,
            self.topic,
            self._row,
            strategy="adaptive_utility",
            over="http",
            budget=20 * len(self.web.pages),
            politeness=POLITENESS,
            random_seed=1,
        )
        start_here(crawl)
        claimed = claim(crawl.pk, crawl.epoch)
        assert claimed is not None
        Runner(claimed, keep=True).run()
        crawl.refresh_from_db()
        # It was made when the script starts, which may be before today.
        crawl.pages_fetched.update(fetched_at=self.web.start)
        return crawl

    def watch(self, requests: int, hours: int = 24) -> Watch:
        """Watches the topic from an hour after its crawl on."""
        return services.start_watch(
            self.topic,
            self.topic.owner,
            self.web.start + AFTER_FIRST,
            rhythm=Watch.Rhythm.HOURS.value,
            hours=hours,
            requests=requests,
        )

    def run(
        self,
        watch: Watch,
        name: str,
        policy: Policy | None = None,
        report: Callable[[WatchVisit], None] = lambda visit: None,
    ) -> MonthResult:
        """Visits until the script ends, each at its moment."""
        outcome = MonthResult(name)
        while (moment := self._next(watch)) is not None:
            self.web.now = moment
            scheduling.tick(moment)
            visit = watch.visits_made.get(ended_at=None)
            report(run_visit(visit, policy))
            outcome.visits += 1
            watch.refresh_from_db()
        self.web.now = self.web.start + self.web.shape.days * DAY
        return self._measure(watch, outcome)

    def _next(self, watch: Watch) -> datetime | None:
        end = self.web.start + self.web.shape.days * DAY
        moment = watch.next_visit_at
        return moment if moment is not None and moment <= end else None

    # Measuring ---------------------------------------------------------------------------------

    def _measure(self, watch: Watch, outcome: MonthResult) -> MonthResult:
        outcome.requests = sum(watch.visits_made.values_list("requests", flat=True))
        outcome.full = self._full_requests()
        seen = dict(watch.pages.filter(is_watched=True).values_list("url", "first_seen_at"))
        last = max(watch.visits_made.values_list("began_at", flat=True))
        for page in self.web.pages:
            birth = self.web.start + page.born * DAY
            # What was born less than a day before the last visit may be seen after it.
            if page.on_topic and page.born > 0 and birth + DAY <= last + DAY / 24:
                outcome.born += 1
                moments = [seen.get(self.web.url(page))]
                if moments[0] is not None:
                    outcome.seen += 1
                    outcome.in_a_day += moments[0] - birth <= DAY
        self._measure_states(watch, outcome)
        outcome.freshness = self._freshness(watch)
        return outcome

    def _freshness(self, watch: Watch) -> float | None:
        read = {page.number: days for page, days in self._observed(watch)}
        first = [page for page in self.web.pages if page.on_topic and page.born < 0]
        reached = [
            (
                page,
                [day for day, state in read.get(page.number, ()) if state != PageState.NOT_REACHED],
            )
            for page in first
        ]
        return freshness(reached, self.web.shape.days)

    def _full_requests(self) -> int:
        """Requests of a recrawl of all pages on each day."""
        pages = self.web.pages
        return sum(page.lives(day) for day in range(self.web.shape.days) for page in pages)

    def _measure_states(self, watch: Watch, outcome: MonthResult) -> None:
        for page, days in self._observed(watch):
            before, *later = days
            day_before = before[0]
            for day, state in later:
                changed = page.version(day) != page.version(day_before)
                is_alive = page.lives(day)
                label = f"{self.web.url(page)} on day {day:.1f}"
                if state == PageState.GONE:
                    outcome.gone += 1
                    outcome.false_gone += [] if not is_alive else [label]
                elif state in (PageState.CHANGED, PageState.SAME):
                    outcome.changes += state == PageState.CHANGED and changed
                    if state == PageState.CHANGED and not changed:
                        outcome.false.append(label)
                    if state == PageState.SAME and changed:
                        outcome.missed.append(label)
                    day_before = day

    def _observed(self, watch: Watch) -> Iterator[tuple[ScriptedPage, list[tuple[float, str]]]]:
        """Each page with the days of its observations, from its first copy on."""
        rows = Observation.objects.filter(page__watch=watch).order_by("page_id", "at")
        by_url: dict[str, list[tuple[float, str]]] = {}
        # The web stands still during a visit: its moment counts, not that of the request.
        for url, began, state in rows.values_list("page__url", "visit__began_at", "state"):
            by_url.setdefault(url, []).append(((began - self.web.start) / DAY, state))
        for url, days in by_url.items():
            page = self.web.by_url.get(url)
            if page is not None:
                yield page, days if days[0][1] == PageState.NEW else [(0.0, ""), *days]


def _imported(web: ChangingWeb, folder: Path) -> Web:
    """The web as it is at the start, as a recorded web."""
    path = folder / "changing.jsonl"
    urls = [(web.address(page), page) for page in web.living()]
    fronts = [f"http://{host}/" for host in web.hosts]
    lines = [_line(web, url, "bread" if page.on_topic else "stars") for url, page in urls]
    path.write_text("\n".join([*lines, *(_line(web, url, "front") for url in fronts)]))
    return import_web("changing", path)[0]


def _line(web: ChangingWeb, url: str, label: str) -> str:
    host, _, path = url.removeprefix("http://").partition("/")
    html = web.answer(host, f"/{path}", {}).body.decode()
    return json.dumps({"url": url, "html": html, "topics": [label]})


def _topic(web: ChangingWeb, row: Web, owner: User) -> Topic:
    bread = [web.url(page) for page in web.living() if page.on_topic]
    stars = [web.url(page) for page in web.living() if not page.on_topic]
    most = min(MOST_EXAMPLES, len(bread) // 2)
    lists = {
        "positives": bread[:most],
        "negatives": stars[: 2 * most],
        "evaluation_positives": bread[most : 2 * most],
        "evaluation_negatives": stars[2 * most : 4 * most],
        "seeds": [f"http://{host}/" for host in web.hosts],
    }
    definition = Definition(
        name="bread",
        keywords=("bread", "dough", "flour"),
        language="en",
        web_id=row.pk,
        lists={name: "\n".join(urls) for name, urls in lists.items()},
    )
    topic = create_topic(owner, definition).topic
    tasks.run_here(topic)
    topic.refresh_from_db()
    return topic
