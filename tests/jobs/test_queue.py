"""Background work is done once, by one worker, and nothing that was lost stays lost."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from apps.jobs import queue, tasks
from apps.jobs.models import Job
from apps.topics.models import Topic
from apps.uploads.models import Upload
from tests.background import work_on
from tests.ended_process import ENDED

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked(monkeypatch) -> list[tuple]:
    """The tasks that workers are asked for."""
    calls: list[tuple] = []
    monkeypatch.setattr(queue, "async_task", lambda *task, cluster: calls.append((*task, cluster)))
    return calls


@pytest.fixture
def done(monkeypatch) -> list[Job]:
    """The jobs that were done, instead of their work."""
    jobs: list[Job] = []
    monkeypatch.setattr("apps.jobs.tasks.import_string", lambda name: jobs.append)
    return jobs


@pytest.fixture
def owner(django_user_model):
    return django_user_model.objects.create_user("ada")


@pytest.fixture
def topic(owner) -> Topic:
    return Topic.objects.create(owner=owner, name="Bread")


def an_upload(owner, name: str) -> Upload:
    return Upload.objects.create(owner=owner, kind="web", name=name, folder=name, size=1)


def test_work_is_asked_for_once_it_is_committed(
    topic, asked, django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        queue.enqueue(topic, work_wanted=Topic.Work.TRAINING)
        assert asked == []
    assert asked == [(queue.TASK, "topics.topic", topic.pk, 1, settings.BACKGROUND_CLUSTER)]
    assert topic.is_waiting and topic.work == "training"


def test_work_is_done_once_however_often_it_is_delivered(topic, done) -> None:
    queue.enqueue(topic)
    assert work_on(topic) == "done"
    assert work_on(topic) == "no longer wanted"
    topic.refresh_from_db()
    assert done == [topic] and topic.job_state == "done" and not topic.is_under_way


def test_only_one_of_two_workers_claims_it(topic) -> None:
    queue.enqueue(topic)
    assert queue.claim(Topic, topic.pk, 1) == topic
    assert queue.claim(Topic, topic.pk, 1) is None


def test_work_asked_for_anew_while_it_is_claimed_is_not_done_by_the_old_task(topic) -> None:
    queue.enqueue(topic)
    again = Topic.objects.get(pk=topic.pk)
    statements: list[str] = []

    def ask_anew_after_the_claim(execute, sql, params, many, context):
        result = execute(sql, params, many, context)
        statements.append(sql)
        if len(statements) == 1:
            queue.enqueue(again)
        return result

    with connection.execute_wrapper(ask_anew_after_the_claim):
        assert queue.claim(Topic, topic.pk, 1) is None
    assert statements[0].startswith("UPDATE")
    assert queue.claim(Topic, topic.pk, 2) == topic


def test_work_asked_for_anew_voids_the_old(topic) -> None:
    queue.enqueue(topic, work_wanted=Topic.Work.FETCHING)
    old = queue.claim(Topic, topic.pk, 1)
    assert old is not None and queue.heartbeat(old)
    queue.enqueue(topic, work_wanted=Topic.Work.TRAINING)
    assert not queue.heartbeat(old)
    assert not queue.finish(old) and not queue.fail(old, "too late", name="spoilt")
    assert queue.claim(Topic, topic.pk, 1) is None
    topic.refresh_from_db()
    assert (topic.name, topic.work, topic.job_problem) == ("Bread", "training", "")


def test_cancelled_work_stops_at_its_next_step_and_is_not_asked_for_again(topic, asked) -> None:
    queue.enqueue(topic)
    claimed = queue.claim(Topic, topic.pk, 1)
    queue.cancel(topic)
    assert claimed is not None and not queue.heartbeat(claimed)
    assert queue.requeue_unfinished() == []


def test_what_was_not_foreseen_fails_the_job_and_reports_it(topic, monkeypatch) -> None:
    monkeypatch.setattr(Topic, "job_task", "operator.index")
    queue.enqueue(topic)
    work_on(topic)
    topic.refresh_from_db()
    assert (topic.job_state, topic.job_problem) == ("failed", tasks.UNEXPECTED)
    assert not topic.is_under_way


def test_a_worker_that_is_gone_is_noticed_at_once_and_its_late_word_not_taken(topic) -> None:
    queue.enqueue(topic)
    claimed = queue.claim(Topic, topic.pk, 1)
    assert claimed is not None and queue.requeue_lost() == []
    Topic.objects.update(job_worker=ENDED)
    assert len(queue.requeue_lost()) == 1
    topic.refresh_from_db()
    assert topic.is_waiting and topic.job_attempt == 2
    assert not queue.finish(claimed)


@pytest.mark.parametrize("state", queue.UNFINISHED)
def test_work_that_nobody_takes_or_brings_forward_for_ten_minutes_is_asked_for_again(
    topic, state
) -> None:
    queue.enqueue(topic)
    if state == Job.State.WORKING:
        queue.claim(Topic, topic.pk, 1)
    for seconds, lost in ((0, 0), (599, 0), (601, 1), (0, 0)):
        ago = timezone.now() - timedelta(seconds=seconds)
        Topic.objects.update(job_asked_at=ago)
        Topic.objects.exclude(job_touched_at=None).update(job_touched_at=ago)
        assert len(queue.requeue_lost()) == lost, seconds


def test_long_work_that_still_comes_forward_is_not_lost(topic) -> None:
    queue.enqueue(topic)
    claimed = queue.claim(Topic, topic.pk, 1)
    Topic.objects.update(job_asked_at=timezone.now() - timedelta(hours=3))
    assert claimed is not None and queue.heartbeat(claimed)
    assert queue.requeue_lost() == []
    assert queue.finish(claimed)


def test_it_is_known_since_when_work_waits(topic, owner) -> None:
    assert queue.waiting_since() is None
    upload = an_upload(owner, "coast")
    for job in (topic, upload):
        queue.enqueue(job)
    earlier = timezone.now() - timedelta(minutes=3)
    Upload.objects.update(job_asked_at=earlier)
    assert queue.waiting_since() == earlier
    queue.claim(Upload, upload.pk, 1)
    topic.refresh_from_db()
    assert queue.waiting_since() == topic.job_asked_at
    queue.cancel(topic)
    assert queue.waiting_since() is None


def test_before_any_worker_has_started_all_that_is_unfinished_is_asked_for(topic, owner) -> None:
    queue.enqueue_all([topic, Topic.objects.create(owner=owner, name="Rye")])
    queue.enqueue(an_upload(owner, "coast"))
    queue.finish(queue.claim(Topic, topic.pk, 1))
    assert len(queue.requeue_unfinished()) == 2


def test_what_a_worker_of_another_machine_does_is_left_to_it(topic, settings) -> None:
    queue.enqueue(topic)
    queue.claim(Topic, topic.pk, 1)
    settings.REDIS_URL = "redis://shared.test"
    assert queue.requeue_unfinished() == []
    Topic.objects.update(job_worker=ENDED)
    settings.REDIS_URL = ""
    assert len(queue.requeue_unfinished()) == 1


def test_jobs_done_singly_wait_for_each_other_and_the_next_one_follows(
    owner, done, asked, django_capture_on_commit_callbacks
) -> None:
    first, second = an_upload(owner, "coast"), an_upload(owner, "shore")
    queue.enqueue(first)
    queue.enqueue(second)
    assert queue.claim(Upload, first.pk, 1) == first
    assert work_on(second) == "no longer wanted"
    with django_capture_on_commit_callbacks(execute=True):
        queue.enqueue(first)
        work_on(first)
    assert done == [first]
    assert asked[-1][1:4] == ("uploads.upload", second.pk, 2)


def test_a_lost_one_holds_up_none_of_those_done_singly(owner) -> None:
    first, second = an_upload(owner, "coast"), an_upload(owner, "shore")
    queue.enqueue(first)
    queue.enqueue(second)
    queue.claim(Upload, first.pk, 1)
    Upload.objects.filter(pk=first.pk).update(job_worker=ENDED)
    assert queue.claim(Upload, second.pk, 1) == second


def test_every_kind_of_job_names_what_does_it() -> None:
    from django.utils.module_loading import import_string

    kinds = {model._meta.label_lower: import_string(model.job_task) for model in queue.models()}
    assert set(kinds) >= {
        "topics.topic",
        "topics.inputtable",
        "uploads.upload",
        "jobs.deletion",
        "collection.progress",
    }
    assert all(map(callable, kinds.values()))
