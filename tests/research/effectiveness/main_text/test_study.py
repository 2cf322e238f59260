"""Pages judged by their main text and by all that is visible, on a labelled web."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.management import call_command

from apps.experiments.management.progress import prepare_topics
from apps.research.effectiveness.crawling import CrawlStudy
from apps.research.effectiveness.main_text.result import TextResult
from apps.research.effectiveness.main_text.study import (
    CLASSIFIER,
    classified_pages,
    f1_of,
    run_figure,
    text_experiment,
)
from apps.research.effectiveness.schema import StudyPlan
from apps.webs.opening import open_web
from tests.made_once import made_once

pytestmark = [pytest.mark.django_db, pytest.mark.alike]


@pytest.fixture
def studies(owner, labelled) -> tuple[CrawlStudy, CrawlStudy]:
    plan = StudyPlan.read({"pages": 40, "topics": 2, "candidates": [{"name": "plain"}]})
    experiment = made_once(
        ("text study", labelled.pk),
        lambda: text_experiment(owner, labelled, plan, prepare_topics),
        owner,
    )
    return CrawlStudy(experiment, plan), CrawlStudy(experiment, plan, main_text=True)


def test_the_second_study_reads_main_text_alone(studies) -> None:
    whole, main = ([*study.topics] for study in studies)
    assert not whole[0].model.topic.main_text and main[0].model.topic.main_text
    assert [topic.name for topic in whole] == [topic.name for topic in main]


def test_no_example_is_classified_and_both_studies_classify_the_same(studies, labelled) -> None:
    urls = [*open_web(labelled).urls()]
    drawn = [classified_pages(study.topics[0], urls) for study in studies]
    assert drawn[0] == drawn[1] and len(drawn[0]) == len({*drawn[0]}) > 0
    examples = {each.url for each in studies[0].topics[0].model.topic.training}
    assert not examples & {*drawn[0]}


def test_f1_has_precision_and_recall() -> None:
    assert f1_of([True, True, False, False], [True, False, True, False]) == 0.5
    assert f1_of([True], [True]) == 1.0 and f1_of([True], [False]) == 0.0
    assert f1_of([False], [False]) == 1.0


def test_figures_are_of_each_topic(studies, labelled) -> None:
    both = run_figure("Harvest, Full page", *studies, labelled)
    assert len(both.whole) == len(both.main) == 2
    f1 = run_figure(CLASSIFIER, *studies, labelled)
    assert all(0 <= value <= 1 for value in (*f1.whole, *f1.main)) and max(f1.whole) > 0


def test_the_command_saves_each_figure_and_goes_on_where_it_was_left(
    labelled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = "apps.research.management.commands.effectiveness"
    monkeypatch.setattr(f"{command}.FIGURES", (CLASSIFIER,))
    monkeypatch.setattr(f"{command}.TEXT_PAGES", 30)
    file, folder = tmp_path / "plan.toml", tmp_path / "results"
    file.write_text("topics = 2\n[[candidates]]\nname = 'plain'\n")
    asked = ["effectiveness", str(file), "--web", "labelled", "--main-text", "--save", str(folder)]
    written = [io.StringIO(), io.StringIO()]
    for stream in written:
        call_command(*asked, stderr=stream)
    (result,) = TextResult.read_all(folder)
    assert set(result.figures) == {CLASSIFIER} and result.pages == 30
    assert [stream.getvalue().count(CLASSIFIER) for stream in written] == [1, 0]
