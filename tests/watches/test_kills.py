"""Kill -9 at drawn instants of a visit: nothing twice, every state right, one digest, with what a
watched search matches."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.months.changing_web import (
    DAY,
    ChangingWeb,
    ScriptedAnswer,
    ScriptedPage,
    WebScript,
)
from apps.months.serving import serve
from tests.crawls.kill_site import QUICK, Shell, quick_or_long, seed_of_the_day, shell_of
from tests.running_site import ROOT, RunningSite, kill, running_site, wait_for

pytestmark = [pytest.mark.tree, pytest.mark.kills, pytest.mark.soak]

SIZE = quick_or_long({"pages": 60, "kills": 3}, {"pages": 500, "kills": 15})
SCRIPT = WebScript(
    hosts=3, pages=SIZE["pages"], on_topic=0.5, new=4.0, days=3, lively=0.4, deleted=0.2, moved=0.1
)
IN_FLIGHT = 1 + 25
"""Requests that a kill of the crawl may repeat: the one that is out, and what is not committed."""
LATENCY = 0.05
MAKE = """
from datetime import datetime, timedelta
from pathlib import Path
from django.contrib.auth.models import User
from django.db.models import F
from apps.months.changing_web import ChangingWeb, WebScript
from apps.months.month import Month
web = ChangingWeb(WebScript(**{script!r}), datetime.fromisoformat({start!r}))
month = Month(web, {port}, User.objects.order_by("pk")[0], Path({folder!r}))
month.crawl.pages_fetched.update(fetched_at=F("fetched_at") - timedelta(days=2))
"""
WATCH = """
from datetime import datetime
from apps.collection.models import SavedSearch
from apps.topics.models import Topic
from apps.watches import services
topic = Topic.objects.get(name="bread")
now = datetime.fromisoformat({now!r})
watch = services.start_watch(topic, topic.owner, now, requests=5000, rhythm="hours", hours=700)
SavedSearch.objects.create(
    owner=topic.owner, name="Bread", topic=topic, query="q=bread+OR+dough", is_watched=True,
    looked_at=now, looked_pages=0)
print(watch.pk)
"""
DIES = """
import os, signal
import django
django.setup()
from django.utils import timezone
from apps.jobs import queue
from apps.watches.visits import scheduling
from apps.watches.models import Watch
def die(*given, **named):
    os.kill(os.getpid(), signal.SIGKILL)
queue.{at} = die
scheduling.tick(timezone.now())
print("alive")
"""
BOOKS = """
import json
from apps.watches.models import Digest, Observation, PageVersion, SearchNews, WatchVisit
visits = list(WatchVisit.objects.order_by("number").values_list(
    "number", "stage", "job_state", "job_worker", "crawl__runner", "problem"))
crawls = WatchVisit.objects.order_by("number").values(
    "planned", "job_attempt", "crawl__state", "crawl__reason", "crawl__requests", "crawl__epoch")
print(json.dumps({
    "visits": visits,
    "crawls": list(crawls),
    "seen": list(Observation.objects.values_list("page__url", "state", "visit__number")),
    "versions": list(PageVersion.objects.values_list("page__url", "number")),
    "digests": list(Digest.objects.values_list("key", "contains", "job_state")),
    "matched": list(SearchNews.objects.values_list("name", "seen")),
    "new": list(Observation.objects.filter(state="new").order_by("pk").values_list(
        "pk", flat=True)),
    "counts": list(WatchVisit.objects.order_by("number").values(
        "new_pages", "changed_pages", "gone_pages", "same_pages", "not_reached_pages")),
}))
"""


class SlowWeb(ChangingWeb):
    """A changing web that takes a moment for each answer and counts the requests by address."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.hits: Counter[str] = Counter()

    def answer(self, host: str, path: str, conditions: Mapping[str, str]) -> ScriptedAnswer:
        time.sleep(LATENCY)
        if path != "/robots.txt":
            self.hits[f"http://{host}{path}"] += 1
        return super().answer(host, path, conditions)


class VisitSite:
    """A site whose topic of a changing web was crawled two days ago, and is to be watched."""

    def __init__(self, site: RunningSite, shell: Shell, web: SlowWeb, port: int) -> None:
        self.site, self._shell, self.web = site, shell, web
        start = web.start.isoformat()
        folder = str(site.folder)
        given = {"script": asdict(web.shape), "start": start, "port": port, "folder": folder}
        shell.run(MAKE.format(**given))
        self.web.now = web.start + 2 * DAY
        self.web.hits.clear()

    def watch(self) -> None:
        self._shell.run(WATCH.format(now=datetime.now(UTC).isoformat()))

    def books(self) -> dict[str, Any]:
        """What the rows say."""
        return json.loads(self._shell.run(BOOKS).splitlines()[-1])

    def visits(self) -> list[list[Any]]:
        return self.books()["visits"]

    def worker(self) -> int | None:
        """The process that does the visit now: its worker, or the runner of its crawl."""
        for _, _, state, worker, runner, _ in self.visits():
            if state == "working" and worker:
                return int(worker.split(":")[1])
            if runner:
                return int(runner.split(":")[1])
        return None

    def die_in(self, at: str) -> None:
        """Has a supervisor die where it calls that function of the queue."""
        done = subprocess.run(
            [sys.executable, "-c", DIES.format(at=at)],
            env=self._shell.environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        assert done.returncode == -9, done.stderr

    def is_over(self) -> bool:
        """Whether the visit is settled and its digest composed."""
        books = self.books()
        settled = [stage for _, stage, *_ in books["visits"]] == ["settled"]
        return settled and [state for _, _, state in books["digests"]] == ["done"]

    # What is right -----------------------------------------------------------------------------

    def check(self, kills: int) -> None:
        """Every state is that of the web's script, and nothing was done twice."""
        books = self.books()
        seen = {url: state for url, state, _ in books["seen"]}
        assert len(seen) == len(books["seen"]), "each page has one observation"
        assert len(set(map(tuple, books["versions"]))) == len(books["versions"])
        counts = Counter(seen.values())
        for page in self.web.pages:
            if page.on_topic and page.born < 2:
                state = seen.get(self.web.url(page), "none")
                assert state in self._right(page), (page, books["crawls"], counts)
        (columns,) = books["counts"]
        assert {name.removesuffix("_pages"): n for name, n in columns.items() if n} == counts
        assert counts["new"] and counts["changed"] and counts["gone"]
        assert [(key, kind) for key, kind, _ in books["digests"]] == [("visit-1", "news")]
        assert books["matched"] == [["Bread", books["new"]]], "the watched search, once"
        again = sum(number - 1 for number in self.web.hits.values())
        assert again <= self._asked_twice() + kills * IN_FLIGHT

    def _right(self, page: ScriptedPage) -> tuple[str, ...]:
        if page.born > 0:
            return ("new",) if page.lives(2) else ("none",)
        if not page.lives(2):
            return ("gone",) if page.soft else ("not_reached",)
        return ("changed",) if page.version(2) else ("same",)

    def _asked_twice(self) -> int:
        """Requests that an undisturbed visit repeats: redirects to a page that is asked for too."""
        return sum(not page.lives(2) or page.moved is not None for page in self.web.pages)


@pytest.fixture
def lab(tmp_path) -> Iterator[VisitSite]:
    web = SlowWeb(SCRIPT, datetime.now(UTC) - timedelta(days=2))
    with (
        serve(web) as port,
        running_site(tmp_path, "--no-demo", environment=QUICK) as site,
        shell_of(site) as shell,
    ):
        yield VisitSite(site, shell, web, port)


def test_a_visit_goes_on_over_kills_of_whoever_does_it(lab: VisitSite) -> None:
    rng = random.Random(seed_of_the_day())
    lab.watch()
    kills = 0
    for number in range(SIZE["kills"]):
        wait_for(lambda: lab.worker() or lab.is_over(), 90, lab.site.output)
        time.sleep(rng.random() * 2)
        if lab.is_over():
            break
        if number % 3 == 2:
            lab.site.kill_everything()
            lab.site.start("--no-demo")
        elif worker := lab.worker():
            kill(worker)
        kills += 1
    wait_for(lab.is_over, 180, lambda: f"{lab.site.output()}\n{lab.visits()}")
    assert kills >= 2
    lab.check(kills)


@pytest.mark.parametrize("at", ["enqueue", "_deliver"])
def test_a_supervisor_that_dies_between_opening_a_visit_and_its_start_is_made_up_for(
    lab: VisitSite, at: str
) -> None:
    lab.site.kill_everything()
    lab.watch()
    lab.die_in(at)
    # Either nothing of the visit is there, or all of it but the task.
    assert len(lab.visits()) == (0 if at == "enqueue" else 1)
    lab.site.start("--no-demo")
    wait_for(lab.is_over, 180, lambda: f"{lab.site.output()}\n{lab.visits()}")
    lab.check(1)
