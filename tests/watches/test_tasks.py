"""The steps of a visit, when its workers are killed between them or come back late."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from apps.crawls.inputs.revisits import write_plan
from apps.crawls.models import Crawl
from apps.engine.codes import State
from apps.engine.frontier.revisits import NO_REVISITS
from apps.jobs import queue
from apps.watches.models import Watch, WatchVisit
from apps.watches.tasks import advance
from apps.watches.visits.visiting import begin
from tests.crawl_rows import made_crawl
from tests.watch_fixtures import START, made_watch, made_watched

pytestmark = pytest.mark.alike
Stage = WatchVisit.Stage


@pytest.fixture
def watch(owner: User) -> Watch:
    return made_watch(owner)


def opened(watch: Watch, **values: object) -> WatchVisit:
    """The first visit, which no worker has claimed."""
    return WatchVisit.objects.create(watch=watch, number=1, due_at=START, began_at=START, **values)


@pytest.mark.parametrize("state", [State.QUEUED, State.RUNNING, State.STOPPING, State.PAUSED])
def test_a_visit_whose_worker_was_killed_after_it_started_the_crawl_waits_for_the_crawl(
    watch: Watch, state: State
) -> None:
    crawl = made_crawl(watch.topic, state=state)
    write_plan(crawl, NO_REVISITS)
    visit = opened(watch, stage=Stage.CRAWLING, crawl=crawl)
    advance(visit)
    visit.refresh_from_db()
    assert (visit.stage, visit.ended_at) == (Stage.CRAWLING, None)
    Crawl.objects.filter(pk=crawl.pk).update(state=State.FINISHED)
    advance(WatchVisit.objects.get(pk=visit.pk))
    visit.refresh_from_db()
    assert visit.stage == Stage.SETTLED


def test_a_late_attempt_does_not_end_a_visit_because_it_took_up_no_pages(watch: Watch) -> None:
    visit = opened(watch)
    queue.claim_here(visit)
    queue.enqueue(WatchVisit.objects.get(pk=visit.pk))
    assert begin(visit) is None
    visit.refresh_from_db()
    assert (visit.stage, visit.ended_at) == (Stage.PLANNED, None)


def test_a_visit_that_is_begun_twice_has_one_crawl(watch: Watch) -> None:
    made_watched(watch, "apply", "How to apply")
    watch.pages.update(is_source=True, kind="front")
    visit = opened(watch)
    again = WatchVisit.objects.get(pk=visit.pk)
    crawl = begin(visit)
    assert begin(again) is None
    assert crawl is not None
    assert visit.crawl == again.crawl == crawl
    assert Crawl.objects.filter(topic=watch.topic).exclude(visit=None).count() == 1
