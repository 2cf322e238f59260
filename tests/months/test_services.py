from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from apps.jobs import queue
from apps.jobs.models import Job
from apps.months.models import MonthRun
from apps.months.schema import MonthDesign
from apps.months.services import begin_months, delete_months
from apps.schemas.refused import Refused
from tests.people import person

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return person("owner")


def test_the_same_design_is_one_run(owner: User) -> None:
    run, begins = begin_months(owner, MonthDesign())
    same, begins_again = begin_months(owner, MonthDesign())
    other, _ = begin_months(owner, MonthDesign(days=9))
    theirs, _ = begin_months(person("ben"), MonthDesign())
    assert (begins, begins_again) == (True, False)
    assert same == run and len({run.pk, other.pk, theirs.pk}) == 3
    assert run.job_state == Job.State.WAITING


def test_one_that_failed_goes_on_with_what_it_has(owner: User) -> None:
    run, _ = begin_months(owner, MonthDesign())
    queue.claim_here(run, results={"7": {"adaptive": {}}}, visits=4)
    queue.fail(run, "The disk is full.")
    again, begins = begin_months(owner, MonthDesign())
    again.refresh_from_db()
    assert begins and (again.pk, again.job_state, again.visits) == (run.pk, "waiting", 0)
    assert again.results == {"7": {"adaptive": {}}} and again.job_problem == ""


def test_what_contradicts_itself_is_not_begun(owner: User) -> None:
    with pytest.raises(Refused, match="a host for 10 pages"):
        begin_months(owner, MonthDesign(pages=40, hosts=5))
    assert not MonthRun.objects.exists()


def test_a_deleted_run_is_no_longer_wanted(owner: User) -> None:
    run, _ = begin_months(owner, MonthDesign())
    queue.claim_here(run)
    delete_months(MonthRun.objects.get(pk=run.pk))
    assert not queue.heartbeat(run) and not MonthRun.objects.exists()
