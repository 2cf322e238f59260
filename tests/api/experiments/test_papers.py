"""The papers' protocols by the API."""

from __future__ import annotations

import pytest

from apps.experiments.models import Experiment
from apps.papers.models import PaperRun
from tests.background import work_on
from tests.experiment_fixtures import labelled, owner  # noqa: F401
from tests.papers.made_protocols import make_small
from tests.people import Program, person

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    make_small(monkeypatch, "slc-crawlers")


@pytest.fixture
def program(owner):
    return Program(owner)


def test_each_protocol_has_its_claims_with_their_figures(program) -> None:
    listed = {row["id"]: row for row in program.get("papers").json()}
    assert listed["hcla-table-3"]["is_table"] and not listed["lc-contexts"]["is_table"]
    assert all(claim["published"] for row in listed.values() for claim in row["claims"])


def test_a_protocol_is_begun_once_and_shows_its_state(program, labelled) -> None:
    wanted = {"web": "labelled", "topics": 2, "pages": 60}
    begun = program.send("POST", "papers/slc-crawlers/runs", wanted)
    assert begun.status_code == 201 and begun.json()["state"] == "running"
    (run,) = PaperRun.objects.all()
    work_on(run)
    again = program.send("POST", "papers/slc-crawlers/runs", wanted)
    assert again.status_code == 200
    assert again.json()["experiment"] == Experiment.objects.get().pk
    assert program.get(f"papers/runs/{run.pk}").json() == again.json()
    assert program.get("papers/runs").json()["count"] == 1


def test_what_cannot_be_repeated_is_refused(program, labelled) -> None:
    for address, wanted, words in (
        ("papers/hcla-table-3/runs", {"web": "labelled"}, "the label department"),
        ("papers/nothing/runs", {"web": "labelled"}, "no protocol nothing"),
        ("papers/slc-crawlers/runs", {"web": "nowhere"}, "no web nowhere"),
        ("papers/slc-crawlers/runs", {"web": "labelled", "pages": 0}, ""),
    ):
        answer = program.send("POST", address, wanted)
        assert answer.status_code == 422 and words in answer.json()["message"]
    assert not PaperRun.objects.exists()


def test_the_run_of_another_person_is_not_found(program, labelled) -> None:
    run = PaperRun.objects.create(owner=person("ben"), protocol="slc-crawlers", web=labelled)
    assert program.get(f"papers/runs/{run.pk}").status_code == 404
