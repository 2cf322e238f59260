"""Kill -9 at random instants: nothing lost, nothing committed fetched twice."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections.abc import Iterator

import pytest

from apps.jobs.process import this_system
from tests.crawls.kill_site import KillSite, kill_site, quick_or_long, seed_of_the_day
from tests.made_documents import DocumentWeb
from tests.running_site import kill, other_machines, wait_for

pytestmark = [pytest.mark.tree, pytest.mark.kills, pytest.mark.soak]

SIZE = quick_or_long(
    {"pages": 280, "kills": 3, "pauses": 3}, {"pages": 3000, "kills": 20, "pauses": 13}
)
AGAIN = """
from apps.crawls.models import Crawl
from apps.crawls.tasks import run_slice
from django_q.tasks import async_task
from django.conf import settings
crawl = Crawl.objects.get(pk={crawl})
for epoch in range(crawl.epoch + 1):
    for _ in range(3):
        async_task("apps.crawls.tasks.run_slice", crawl.pk, epoch, cluster=settings.CRAWL_CLUSTER)
"""
ASK = """
from apps.crawls.commands.lifecycle.{what} import {what}
from apps.crawls.models import Crawl
{what}(Crawl.objects.get(pk={crawl}))
"""
CAN_WRITE = """
import sqlite3
from django.db import connection
try:
    if connection.vendor == "sqlite":
        with sqlite3.connect(connection.settings_dict["NAME"], timeout=1) as other:
            other.execute("BEGIN IMMEDIATE")
    print(True)
except sqlite3.OperationalError:
    print(False)
"""
EXPERIMENT = """
from apps.experiments.design.schema import Design
from apps.experiments.services import create_experiment, start
from apps.topics.models import Topic
experiment = create_experiment(Topic.objects.get(name="bread").owner, Design.read({{
    "name": "killed", "web": "made", "topics": ["bread"], "pages": {pages}, "repetitions": 3,
    "crawlers": [{{"strategy": name}} for name in ("full_page", "breadth_first", "apprentice")],
}}))
start(experiment)
print(experiment.pk)
"""
CELLS = """
import json
from apps.experiments.models import Experiment
experiment = Experiment.objects.get(pk={experiment})
print(json.dumps([experiment.state, list(
    experiment.cells.values_list("job_state", "digest", "job_worker"))]))
"""

TRY_AGAIN = """
from apps.experiments.cells.tasks import LOST
from apps.experiments.models import Cell
from apps.experiments.services import try_again
lost = Cell.objects.filter(experiment={experiment}, job_state="failed", reason=LOST)
print(try_again(lost))
"""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[KillSite]:
    with kill_site(tmp_path_factory.mktemp("kills"), DocumentWeb(SIZE["pages"])) as lab:
        yield lab


@pytest.fixture
def fresh_log(lab: KillSite) -> None:
    lab.log.write_text("")


def reference(lab: KillSite) -> dict[str, str]:
    """The pages of an uninterrupted crawl, with their bodies' digests."""
    crawl = lab.start()
    pages = lab.wait_for_end(crawl)["pages"]
    lab.log.write_text("")
    return {url: digest for _, url, digest in pages}


def test_kills_at_random_instants_lose_nothing_and_repeat_nothing(lab: KillSite, fresh_log):
    rng = random.Random(seed_of_the_day())
    expected = reference(lab)
    instants = sorted(rng.randrange(5, len(expected) - 20) for _ in range(SIZE["kills"]))
    crawl = lab.start()
    kills = 0
    for number, instant in enumerate(instants):
        lab.wait_for_pages(crawl, instant + kills)
        time.sleep(rng.random() * 0.3)
        lab.kill_converters()
        if number % 3 == 2:
            lab.kill_everything_and_start_again()
        elif not lab.kill_runner(crawl):
            continue
        kills += 1
        lab.balanced_books(crawl)
    books = lab.wait_for_end(crawl)
    assert books["summary"]["reason"] == "frontier_empty"
    assert {url: digest for _, url, digest in books["pages"]} == expected
    documents = {*lab.web.documents()} & set(expected)
    assert len(documents) > SIZE["pages"] // 8, "documents were in work"
    assert kills >= 2
    # What was in flight at a kill (at most 8 at once) may be asked again, nothing else.
    again = {url: n for url, n in lab.hits().items() if n > 1}
    assert max(again.values(), default=1) <= 1 + kills
    in_flight_and_uncommitted = 8 + 25
    assert len(again) <= kills * in_flight_and_uncommitted


@pytest.mark.skipif(not os.environ.get("REDIS_URL"), reason="lent workers need Redis")
def test_a_crawl_goes_on_when_the_machine_that_runs_it_is_killed(lab: KillSite, fresh_log):
    if not other_machines():
        pytest.skip("a process namespace may not be made here")
    with lab.site.lent_workers() as lent:
        wait_for(lambda: f"Workers for {lab.site.address}/" in lent.log_text(), 60, lent.log_text)
        crawl = lab.start(budget=200)
        lab.wait_for_pages(crawl, 20)
        wait_for(lambda: lab.books(crawl)["runner"], 10)
        on_site = lab.books(crawl)["runner"].startswith(f"{this_system()}:")
        if on_site:
            lab.site.kill_everything()
        else:
            lent.kill()
        try:
            books = lab.wait_for_end(crawl)
            assert books["summary"]["pages"] == 200
            others = lent.log_text() if on_site else lab.site.output()
            assert f"crawl {crawl}: its runner is gone, queued again" in others
        finally:
            if on_site:
                lab.site.start("--no-demo")
    again = sum(n - 1 for n in lab.hits().values())
    assert again <= 8 + 25  # in flight and not yet committed


def test_a_crawl_resumes_by_itself_within_a_minute_of_a_restart(lab: KillSite, fresh_log):
    crawl = lab.start(budget=200)
    lab.wait_for_pages(crawl, 30)
    lab.site.kill_everything()
    before = sum(lab.hits().values())
    begun = time.monotonic()
    lab.site.start("--no-demo")
    wait_for(lambda: sum(lab.hits().values()) > before, 60, lab.site.output)
    print(f"first fetch {time.monotonic() - begun:.1f} s after `up`")
    assert lab.wait_for_end(crawl)["summary"]["pages"] == 200


def test_tasks_delivered_three_times_change_nothing(lab: KillSite, fresh_log):
    crawl = lab.start(budget=120)
    for pages in (20, 60):
        lab.wait_for_pages(crawl, pages)
        lab.shell.run(AGAIN.format(crawl=crawl))
    assert lab.wait_for_end(crawl)["summary"]["pages"] == 120
    assert max(lab.hits().values()) == 1


def test_pauses_and_stops_change_nothing(lab: KillSite, fresh_log):
    crawl = lab.start(budget=200)
    for number in range(SIZE["pauses"]):
        lab.wait_for_pages(crawl, 20 + number * 160 // SIZE["pauses"])
        begun = time.monotonic()
        lab.shell.run(ASK.format(what="stop" if number % 4 == 1 else "pause", crawl=crawl))
        wait_for(lambda: lab.ended(crawl), 15, lab.site.output)
        print(f"paused within {time.monotonic() - begun:.1f} s, asking included")
        hits = sum(lab.hits().values())
        lab.balanced_books(crawl)
        time.sleep(1)
        assert sum(lab.hits().values()) == hits, "paused stays paused"
        lab.shell.run(ASK.format(what="resume", crawl=crawl))
    books = lab.wait_for_end(crawl)
    assert books["summary"]["pages"] == 200
    assert max(lab.hits().values()) == 1


def test_a_recorded_web_is_crawled_in_the_same_order_over_kills(lab: KillSite):
    rng = random.Random(seed_of_the_day())
    budget = SIZE["pages"] * 2 // 3
    whole = lab.start("adaptive_utility", budget, over="record")
    expected = lab.wait_for_end(whole)
    crawl = lab.start("adaptive_utility", budget, over="record")
    killed = 0
    for _ in range(SIZE["kills"]):
        time.sleep(rng.random() * 1.5)
        killed += lab.kill_runner(crawl)
    books = lab.wait_for_end(crawl)
    assert books["order"] == expected["order"]
    assert books["summary"]["metrics"] == expected["summary"]["metrics"]


def test_a_runner_stopped_past_its_lease_can_write_nothing_more(lab: KillSite, fresh_log):
    """P14: the zombie wakes up after another has taken the crawl."""
    crawl = lab.start(budget=200)
    lab.wait_for_pages(crawl, 30)
    zombie = suspend_runner(lab, crawl)

    def another_has_it() -> bool:
        runner = lab.books(crawl)["runner"]
        return runner.split(":")[1:2] not in ([], [str(zombie)]) or lab.ended(crawl)

    wait_for(another_has_it, 30, lambda: f"{lab.site.output()}\n{lab.books(crawl)['summary']}")
    os.kill(zombie, signal.SIGCONT)
    books = lab.wait_for_end(crawl)
    assert books["summary"]["pages"] == 200
    assert max(lab.hits().values()) <= 2


def suspend_runner(lab: KillSite, crawl: int) -> int:
    """Its process. On SQLite it does not hold the file's one lock, which nobody could take away."""
    runner = int(lab.books(crawl)["runner"].split(":")[1])
    while True:
        os.kill(runner, signal.SIGSTOP)
        if lab.shell.run(CAN_WRITE).strip() == "True":
            return runner
        os.kill(runner, signal.SIGCONT)


def test_an_experiment_has_the_same_numbers_over_kills(lab: KillSite):
    rng = random.Random(seed_of_the_day())
    expected = experiment_to_its_end(lab, start_experiment(lab))
    experiment = start_experiment(lab)
    for number in range(SIZE["kills"]):
        time.sleep(rng.random())
        workers = [worker for state, _, worker in cells(lab, experiment)[1] if state == "working"]
        if number % 3 == 2:
            lab.kill_everything_and_start_again()
        elif workers:
            kill(int(rng.choice(workers).split(":")[1]))
    assert experiment_to_its_end(lab, experiment) == expected


def start_experiment(lab: KillSite) -> int:
    return int(lab.shell.run(EXPERIMENT.format(pages=SIZE["pages"] // 2)).split()[-1])


def cells(lab: KillSite, experiment: int) -> tuple[str, list[tuple[str, str, str]]]:
    """The state of an experiment, and state, digest and worker of each cell."""
    state, of_cells = json.loads(
        lab.shell.run(CELLS.format(experiment=experiment)).splitlines()[-1]
    )
    return state, of_cells


def experiment_to_its_end(lab: KillSite, experiment: int) -> list[str]:
    """The digests of its cells, all of them done; those whose worker was killed too often for
    anybody's patience are tried again, as a person would."""
    again = 1
    while again:
        wait_for(lambda: cells(lab, experiment)[0] == "finished", 180, lab.site.output)
        again = int(lab.shell.run(TRY_AGAIN.format(experiment=experiment)).split()[-1])
        print(f"{again} cells tried again")
    states = cells(lab, experiment)[1]
    assert {state for state, _, _ in states} == {"done"}
    return [digest for _, digest, _ in states]
