"""A study of a web: all strategies, the oracle and the learner with other weights."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from apps.experiments.management.progress import prepare_topics
from apps.experiments.models import Experiment
from apps.research.effectiveness.crawling import CrawlStudy, crawlers_of, experiment_of
from apps.research.effectiveness.schema import StudyPlan
from apps.research.effectiveness.strategies.result import WebResult
from apps.webs.importing import import_web
from apps.webs.services import demo_web_named
from tests.experiments.made_labelled import write_labelled
from tests.made_once import made_once

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
FEW = ("Oracle", "plain", "Full page, parents max", "Full page, parents mean", "Breadth-first")
PLAN = {
    "pages": 40,
    "topics": 2,
    "crawlers": [{"strategy": "full_page", "parent_policy": "mean"}],
    "candidates": [
        {"name": "plain"},
        {
            "name": "blind",
            "weights": dict.fromkeys(
                ("page", "window", "anchor", "address", "parents", "siblings", "place"), 0.0
            ),
        },
    ],
}


@pytest.fixture
def experiment(owner, labelled) -> Experiment:
    return made_once(
        ("study", labelled.pk),
        lambda: experiment_of(owner, labelled, StudyPlan.read(PLAN), prepare_topics),
        owner,
    )


def test_every_crawler_has_the_same_topics_and_the_learner_is_itself(experiment):
    plan = StudyPlan.read(PLAN)
    study = CrawlStudy(experiment, plan)
    crawlers = {each.name: each for each in crawlers_of(experiment, plan)}
    assert list(crawlers)[:3] == ["Oracle", "plain", "blind"]
    assert "Learner" not in crawlers
    recalls = {name: study.recall(crawlers[name]) for name in (*FEW, "blind")}
    assert all(
        len(recall) == 2 and 0 <= min(recall) <= max(recall) <= 1 for recall in recalls.values()
    )
    assert sum(recalls["Oracle"]) >= sum(recalls["Breadth-first"])
    # What is remembered of pages changes nothing.
    assert study.recall(crawlers["plain"]) == recalls["plain"]
    for topic in study.topics:
        topic.memory.clear()
    assert study.recall(crawlers["plain"]) == recalls["plain"]


def test_a_second_study_takes_the_same_topics(owner, labelled, experiment):
    assert experiment_of(owner, labelled, StudyPlan.read(PLAN), prepare_topics) == experiment
    assert Experiment.objects.count() == 1


def test_a_study_of_few_topics_leaves_a_later_one_its_own_number(
    owner, labelled, experiment, monkeypatch
):
    monkeypatch.setattr("apps.research.effectiveness.crawling.freeze_topics", lambda each: None)
    larger = experiment_of(
        owner, labelled, StudyPlan.read({**PLAN, "topics": 3}), lambda each: None
    )
    names = [[*each.topics.values_list("name", flat=True)] for each in (experiment, larger)]
    assert len(names[1]) == 3 and names[1][:2] == names[0]


def test_topics_of_two_demo_webs_have_different_names(owner, data_dir, monkeypatch):
    monkeypatch.setattr("apps.research.effectiveness.crawling.freeze_topics", lambda each: None)
    plan = StudyPlan.read(PLAN)
    webs = [demo_web_named(name) for name in ("demo-2", "demo-3")]
    experiments = [experiment_of(owner, web, plan, lambda each: None) for web in webs]
    names = [set(each.topics.values_list("name", flat=True)) for each in experiments]
    assert all(name.endswith("(demo-2)") for name in names[0])
    assert len(names[1]) == 2 and not names[0] & names[1]


def test_two_webs_of_the_same_labels_share_a_data_folder(owner, labelled, experiment, tmp_path):
    other, _ = import_web("other", write_labelled(tmp_path))
    plan = StudyPlan.read(PLAN)
    second = experiment_of(owner, other, plan, prepare_topics)
    names = {*second.topics.values_list("name", flat=True)}
    assert len(names) == 2 and all(name.endswith(" (other)") for name in names)
    assert {*second.topics.values_list("topic__web", flat=True)} == {other.pk}
    first = {each.name for each in CrawlStudy(experiment, plan).topics}
    assert {each.name for each in CrawlStudy(second, plan).topics} == first


def test_the_command_saves_each_crawler_and_goes_on_where_it_was_left(
    labelled, tmp_path: Path, monkeypatch
):
    monkeypatch.setattr(
        "apps.research.management.commands.effectiveness.crawlers_of",
        lambda *asked: (each for each in crawlers_of(*asked) if each.name in (*FEW, "Full page")),
    )
    file, folder = tmp_path / "plan.toml", tmp_path / "found"
    file.write_text("pages = 30\ntopics = 2\n[[candidates]]\nname = 'plain'\n")
    asked = ["effectiveness", str(file), "--web", "labelled", "--save", str(folder)]
    call_command(*asked, stderr=io.StringIO())
    (result,) = WebResult.read_all(folder)
    assert set(result.crawlers) == {"Oracle", "plain", "Full page", "Breadth-first"}
    kept = json.loads(WebResult.path(folder, "labelled").read_text())
    del kept["crawlers"]["Breadth-first"]
    kept["crawlers"]["Oracle"]["recall"] = [0.5, 0.5]
    WebResult.path(folder, "labelled").write_text(json.dumps(kept))
    output = io.StringIO()
    call_command(*asked, stderr=output)
    (again,) = WebResult.read_all(folder)
    assert again.crawlers["Oracle"].recall == (0.5, 0.5)
    assert again.crawlers["Breadth-first"] == result.crawlers["Breadth-first"]
    assert output.getvalue().count("labelled:") == 1


def test_a_run_without_a_web_or_of_other_topics_is_refused(labelled, tmp_path: Path):
    with pytest.raises(CommandError, match="Give a web"):
        call_command("effectiveness")
    (tmp_path / "labelled.json").write_text(
        json.dumps(
            {"web": "labelled", "command": "", "pages": 500, "topics": ["a"], "targets": [3]}
        )
    )
    with pytest.raises(CommandError, match="other topics"):
        call_command("effectiveness", "--web", "labelled", "--topics", "2", "--save", str(tmp_path))
