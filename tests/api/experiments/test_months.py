"""Months of a watch by the API."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from apps.jobs import queue
from apps.months.models import MonthRun
from tests.months.made_months import GOOD, ended_months
from tests.people import Program, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner() -> User:
    return person("owner")


def test_months_are_begun_once_and_show_how_far_they_are(owner: User) -> None:
    program = Program(owner)
    sent = {"pages": 60, "days": 3, "seeds": [2, 4], "policies": ["uniform"]}
    begun = program.send("POST", "months", sent)
    assert begun.status_code == 201 and begun.json()["state"] == "waiting"
    assert begun.json()["design"]["seeds"] == [2, 4]
    run = MonthRun.objects.get()
    queue.claim_here(run, visits=2, results={"2": {"uniform": GOOD.model_dump()}})
    again = program.send("POST", "months", sent)
    assert again.status_code == 200 and again.json()["state"] == "running"
    now = again.json()["progress"]
    assert (now["months"], now["ended"], now["seed"], now["visits"]) == (2, 1, 4, 2)
    assert program.get(f"months/{run.pk}").json() == again.json()
    assert program.get("months").json()["count"] == 1


def test_the_figures_of_each_policy_are_there(owner: User) -> None:
    run = ended_months(owner, seeds=(3,))
    shown = Program(owner).get(f"months/{run.pk}").json()
    assert shown["state"] == "ended" and shown["ended_at"]
    assert shown["results"]["3"]["adaptive"] == GOOD.model_dump()
    assert [each["recall"] for each in shown["means"]] == [0.99] * 5


@pytest.mark.parametrize(
    ("sent", "field"),
    [
        ({"pages": 10}, "pages"),
        ({"seeds": [1, 1]}, "seeds"),
        ({"policies": ["hourly"]}, "policies"),
        ({"pages": 40, "hosts": 9}, "hosts"),
        ({"speed": 1}, "speed"),
    ],
)
def test_nonsense_is_refused_at_its_field(owner: User, sent: object, field: str) -> None:
    answer = Program(owner).send("POST", "months", sent)
    assert answer.status_code == 422 and answer.json()["field"] == field
    assert not MonthRun.objects.exists()


def test_they_are_deleted_by_their_owner_alone(owner: User) -> None:
    run = ended_months(owner)
    other = Program(person("ben"))
    assert other.get(f"months/{run.pk}").status_code == 404
    assert other.send("DELETE", f"months/{run.pk}").status_code == 404
    assert Program(owner).send("DELETE", f"months/{run.pk}").status_code == 204
    assert not MonthRun.objects.exists()
