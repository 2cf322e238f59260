"""Months run one after the other in the background, and what has ended is there after a kill."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User

from apps.jobs import queue
from apps.months.models import MonthRun
from apps.months.policies import BrokenMonth, PolicyRun
from apps.months.result import PolicyResult
from apps.months.schema import MonthDesign
from apps.months.services import begin_months, delete_months
from tests.background import work_on
from tests.months.made_months import GOOD
from tests.people import person

pytestmark = pytest.mark.django_db
DESIGN = MonthDesign(seeds=(3,), policies=("adaptive", "uniform"), days=3)


class Months:
    """The months that were run apart; `before` is called at the first visit of each."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.before: Callable[[PolicyRun], None] = lambda month: None

    def run_apart(self, month: PolicyRun, on_visit: Callable[[int], object]) -> PolicyResult:
        self.ran.append(month.policy)
        on_visit(1)
        self.before(month)
        on_visit(2)
        return GOOD


@pytest.fixture
def months(monkeypatch: pytest.MonkeyPatch) -> Months:
    months = Months()
    monkeypatch.setattr(
        PolicyRun, "run_apart", lambda self, on_visit: months.run_apart(self, on_visit)
    )
    return months


@pytest.fixture
def run() -> MonthRun:
    return begin_months(person("owner"), DESIGN)[0]


def worked(run: MonthRun) -> MonthRun:
    work_on(run)
    run.refresh_from_db()
    return run


def test_each_policy_runs_and_its_visits_are_counted(months: Months, run: MonthRun) -> None:
    visits: list[int] = []

    def read_visits(month: PolicyRun) -> None:
        visits.append(MonthRun.objects.get().visits)

    months.before = read_visits
    worked(run)
    assert months.ran == ["adaptive", "uniform"] and visits == [1, 1]
    assert (run.job_state, run.visits) == ("done", 0) and run.ended_at is not None
    assert run.results == {"3": {name: GOOD.model_dump() for name in months.ran}}


def test_after_a_kill_it_goes_on_with_the_month_that_was_under_way(
    months: Months, run: MonthRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    def kill(month: PolicyRun) -> None:
        if month.policy == "uniform":
            raise SystemExit

    months.before = kill
    with pytest.raises(SystemExit):
        work_on(run)
    run.refresh_from_db()
    assert run.job_state == "working" and run.results["3"].keys() == {"adaptive"}
    months.before = lambda month: None
    monkeypatch.setattr("apps.jobs.queue.is_gone", lambda worker: True)
    assert len(queue.requeue_lost()) == 1
    worked(run)
    assert months.ran == ["adaptive", "uniform", "uniform"] and run.job_state == "done"


def test_a_month_without_a_result_fails_the_run_which_keeps_the_others(
    months: Months, run: MonthRun
) -> None:
    def fail(month: PolicyRun) -> None:
        if month.policy == "uniform":
            raise BrokenMonth("uniform: the month ended with 1.")

    months.before = fail
    worked(run)
    assert run.job_state == "failed" and run.results["3"].keys() == {"adaptive"}
    assert run.job_problem.startswith("uniform: the month ended with 1. The site’s log")


def test_a_deleted_run_ends_after_its_visit(months: Months, run: MonthRun) -> None:
    months.before = lambda month: delete_months(MonthRun.objects.get())
    work_on(run)
    assert months.ran == ["adaptive"] and not MonthRun.objects.exists()


def test_runs_of_several_people_take_turns(months: Months, run: MonthRun) -> None:
    other = begin_months(User.objects.create_user("ben"), DESIGN)[0]
    answers: list[str] = []

    def begin_other(month: PolicyRun) -> None:
        if not answers:
            answers.append(work_on(other))

    months.before = begin_other
    worked(run)
    other.refresh_from_db()
    assert answers == ["no longer wanted"] and run.job_state == "done"
    assert other.job_state == "waiting" and worked(other).job_state == "done"
