"""Experiments for programs, by API and on the command line."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.sharing import share
from apps.experiments.design.toml_file import write_design
from apps.experiments.figures import FIGURES
from apps.experiments.models import Experiment
from apps.experiments.results.outcomes import outcomes
from tests.experiment_fixtures import owner, topics, web  # noqa: F401
from tests.experiments.run_experiment import design, ended, prepared, started, work_through
from tests.people import Program, person

pytestmark = pytest.mark.django_db


def sent(**values) -> dict:
    return json.loads(design(**values).model_dump_json())


def test_a_program_makes_runs_and_reads_an_experiment(owner, topics):
    ada = Program(owner)
    made = ada.send("POST", "experiments?start=true", sent(pages=20))
    assert made.status_code == 201, made.content
    pk = made.json()["experiment"]
    assert made.json()["state"] == "preparing"
    assert made.json()["preparation"] == {"topics": 2, "prepared": 0}
    assert prepared(Experiment.objects.get(pk=pk)).state == Experiment.State.RUNNING
    assert ada.get(f"experiments/{pk}").json()["preparation"] is None
    assert ada.send("POST", f"experiments/{pk}/pause").json()["state"] == "paused"
    assert ada.send("POST", f"experiments/{pk}/pause").status_code == 409
    assert ada.send("POST", f"experiments/{pk}/continue").json()["state"] == "running"
    work_through(Experiment.objects.get(pk=pk))
    detail = ada.get(f"experiments/{pk}").json()
    assert (detail["state"], detail["progress"]["done"]) == ("finished", 4)
    cells = ada.get(f"experiments/{pk}/cells").json()
    assert cells["count"] == 4
    assert {cell["state"] for cell in cells["items"]} == {"done"}
    results = ada.get(f"experiments/{pk}/results", at="10").json()
    assert [row["crawler"] for row in results["crawlers"]] == ["Full page", "Breadth-first"]
    assert (results["at"], results["baseline"], results["topics"]) == ("10", "Full page", 2)
    recipe = ada.get(f"experiments/{pk}/recipe").json()
    again = ada.send("POST", "experiments/recipes", recipe)
    assert again.status_code == 201, again.content
    assert ada.get("experiments").json()["count"] == 2


def test_topics_and_crawlers_are_added_and_failed_cells_tried_again(owner, topics):
    ada = Program(owner)
    pk = ada.send("POST", "experiments", sent(topics=["bread 0"])).json()["experiment"]
    more = ada.send("POST", f"experiments/{pk}/topics", {"topics": ["bread 1"]})
    assert [topic["name"] for topic in more.json()["topics"]] == ["bread 0", "bread 1"]
    added = ada.send(
        "POST", f"experiments/{pk}/crawlers", {"crawlers": [{"strategy": "best_first"}]}
    )
    assert added.json()["progress"]["cells"] == 6
    assert ada.send("POST", f"experiments/{pk}/failed/again").json() == {"cells": 0}
    assert ada.send("DELETE", f"experiments/{pk}").status_code == 204
    assert not Experiment.objects.exists()


@pytest.mark.parametrize(
    "wrong, field",
    [
        ({"web": "moon"}, "web"),
        ({"pages": 1}, "pages"),
        ({"topics": ["none"]}, "topics"),
        ({"crawlers": [{"strategy": "magic"}]}, "crawlers"),
        ({"speed": 3}, "speed"),
    ],
)
def test_wrong_input_is_refused_at_its_field(owner, topics, wrong, field):
    body = {**sent(), **wrong}
    answer = Program(owner).send("POST", "experiments", body)
    assert answer.status_code == 422
    assert answer.json()["field"] == field
    assert not Experiment.objects.exists()


def test_the_experiment_of_another_person_is_not_found(owner, topics):
    experiment = started(owner)
    eve, pk = Program(person("eve")), experiment.pk
    for path in ("", "/cells", "/results", "/recipe"):
        anothers = eve.get(f"experiments/{pk}{path}")
        missing = eve.get(f"experiments/999999{path}")
        assert anothers.status_code == missing.status_code == 404
        assert anothers.content == missing.content
    assert eve.send("POST", f"experiments/{pk}/stop").status_code == 404
    share(experiment, "eve")
    assert eve.get(f"experiments/{pk}").status_code == 200
    assert eve.send("POST", f"experiments/{pk}/stop").status_code == 404
    assert eve.send("DELETE", f"experiments/{pk}").status_code == 404
    share(experiment, "eve", may_edit=True)
    assert eve.send("POST", f"experiments/{pk}/stop").status_code == 200


def command(*words: object) -> str:
    output = StringIO()
    call_command(*map(str, words), "--processes", 1, stdout=output)
    return output.getvalue()


@pytest.mark.alike
def test_the_command_runs_a_design_and_names_which_is_better(owner, topics, tmp_path: Path):
    file = tmp_path / "two.toml"
    file.write_text(write_design(design(pages=20)))
    output = command("experiment", file, "--owner", "ada")
    assert "finished" in output
    assert "Full page" in output and "Breadth-first" in output
    plain = json.loads(command("experiment", file, "--owner", "ada", "--json"))
    assert plain["state"] == "finished"
    assert [cell["state"] for cell in plain["cells"]] == ["done"] * 4
    assert plain["results"]["topics"] == 2


@pytest.mark.alike
def test_the_command_runs_a_recipe_to_the_same_numbers(owner, topics, tmp_path: Path):
    experiment = ended(owner)
    file = tmp_path / "recipe.json"
    file.write_text(json.dumps(Program(owner).get(f"experiments/{experiment.pk}/recipe").json()))
    plain = json.loads(command("experiment", file, "--owner", "ada", "--json"))
    assert plain["same_as_recipe"] == {"same": 4, "of": 4}


@pytest.mark.parametrize(
    "text, words",
    [
        ("name = a", "line 1"),
        ('name = "a"\nweb = "moon"', "There is no web moon"),
    ],
)
def test_the_command_refuses_a_wrong_file(owner, topics, tmp_path: Path, text, words):
    file = tmp_path / "wrong.toml"
    file.write_text(text)
    with pytest.raises(CommandError, match=words):
        command("experiment", file)
    with pytest.raises(CommandError, match="no active account"):
        command("experiment", file, "--owner", "nobody")


@pytest.mark.alike
def test_the_leaderboard_runs_every_strategy_that_fits(owner, topics, web):
    plain = json.loads(command("leaderboard", "made", "--pages", 10, "--owner", "ada", "--json"))
    assert plain["state"] == "finished"
    assert len(plain["crawlers"]) > 15
    assert plain["crawlers"][0]["strategy"] == "full_page"


@pytest.mark.alike
def test_a_program_reads_the_figures_and_their_values(owner, topics):
    experiment = ended(owner)
    ada, pk = Program(owner), experiment.pk
    listed = {each["id"]: each for each in ada.get(f"experiments/{pk}/figures").json()}
    assert [*listed] == [figure.id for figure in FIGURES]
    assert listed["trajectories"]["can_be_drawn"]
    assert {"id": "harvest_rate", "title": "Harvest rate"} in listed["trajectories"]["views"]
    assert listed["n_and_k"]["sentence"].startswith("Needs HCLA with N varied")
    figure = f"experiments/{pk}/figures/trajectories"
    drawn = ada.get(figure, view="harvest_rate").json()
    assert drawn["view"] == "harvest_rate"
    assert drawn["head"] == ["series", "pages fetched", "harvest rate", "standard error"]
    last = [row for row in drawn["rows"] if row[0] == "Full page"][-1]
    mean = outcomes(experiment).values("harvest_rate", 40)[:, 0].mean()
    assert last[1] == 40 and last[2] == pytest.approx(mean)
    assert ada.get(f"experiments/{pk}/figures/alpha").json()["rows"] == []
    assert ada.get(figure, pages="0").status_code == 422
    assert ada.get(f"experiments/{pk}/figures/no_such").status_code == 404
    assert Program(person("bob")).get(figure).status_code == 404
