"""A simulated person labels pages of a crawl."""

from __future__ import annotations

import io
import random
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from apps.engine.crawl.relearning.proposing import Candidate
from apps.engine.intelligence.classifying.calibration import log_odds
from apps.engine.intelligence.strategies.learner import Learner
from apps.experiments.management.progress import prepare_topics
from apps.research.effectiveness.crawling import CrawlStudy, experiment_of
from apps.research.effectiveness.labels import study as labelling
from apps.research.effectiveness.labels.result import ArmResult, LabelResult, Setting
from apps.research.effectiveness.labels.study import (
    ARMS,
    Arm,
    _changes,
    _Learner,
    arms_of,
    at_random,
    run_arm,
    topics_of,
    unsure_first,
)
from apps.research.effectiveness.schema import StudyPlan
from tests.made_once import made_once

pytestmark = [pytest.mark.django_db, pytest.mark.alike]
FULL, WEAK = Setting(at=28, labels=6), Setting(at=12, labels=6, positives=3)
RANDOM = next(arm for arm in ARMS if arm.name == "random")
CANDIDATES = [Candidate(page, page / 10, 1) for page in range(10)]


@pytest.fixture
def study(owner, labelled) -> CrawlStudy:
    plan = StudyPlan.read({"pages": 40, "topics": 2, "candidates": [{"name": "plain"}]})
    experiment = made_once(
        ("study", labelled.pk), lambda: experiment_of(owner, labelled, plan, prepare_topics), owner
    )
    return CrawlStudy(experiment, plan)


def test_a_repetition_changes_every_link_a_little_and_always_alike(study: CrawlStudy) -> None:
    assert _changes(1, 6)[:16].tolist() == _changes(1, 4).tolist() != _changes(2, 4).tolist()
    assert _Learner.build(_Learner({}, 2).values()).values() == {"repeat": 2}
    first, second = (_Learner({}, repeat).fit(study.topics[0].model) for repeat in (0, 2))
    urls, parts = np.array([3, 1]), np.zeros((2, 7))
    moved = log_odds(second._chances(urls, parts)) - log_odds(first._chances(urls, parts))
    assert moved == pytest.approx(_changes(2, 2)[urls])


def test_what_an_arm_finds_is_a_mean_over_its_repetitions(
    study: CrawlStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    class OneMoreEachTime:
        def __init__(self, *given: object) -> None:
            self.repeat = int(str(given[-1]))

        def run(self) -> tuple[list[int], int]:
            return [3, *range(29, 29 + self.repeat)], self.repeat

    monkeypatch.setattr(labelling, "_LabelledCrawl", OneMoreEachTime)
    targets = run_arm(study, FULL, ARMS[0], study.topics, 2)
    assert targets == ArmResult(targets=(1.5, 1.5), after=(0.5, 0.5), positives=(0.5, 0.5))
    assert run_arm(study, WEAK, arms_of(WEAK)[0], study.topics, 2).targets == (1.0, 1.0)


def test_pages_are_picked_by_chance_or_at_random() -> None:
    picked = unsure_first(CANDIDATES, 3, random.Random(1))
    assert {each.page for each in picked} == {4, 5, 6}
    assert len(set(at_random(CANDIDATES, 4, random.Random(1)))) == 4
    assert len(at_random(CANDIDATES, 40, random.Random(1))) == 10


@pytest.mark.parametrize("setting", [FULL, WEAK])
def test_all_arms_find_the_same_before_the_labels(study: CrawlStudy, setting: Setting) -> None:
    topics = topics_of(study, setting)
    arms = [arm for arm in arms_of(setting) if arm.name in ("no labels", "proposed")]
    targets = [run_arm(study, setting, arm, topics) for arm in arms]
    before = [[a - b for a, b in zip(each.targets, each.after, strict=True)] for each in targets]
    assert before[0] == before[1]
    none, proposed = targets
    assert none.positives == (0, 0) and 0 < sum(proposed.positives) <= 12
    assert run_arm(study, setting, arms[1], topics) == proposed


def test_a_person_who_is_always_wrong_labels_the_opposite(study: CrawlStudy) -> None:
    right = run_arm(study, FULL, RANDOM, study.topics)
    wrong = run_arm(study, FULL, Arm("wrong", at_random, 1.0), study.topics)
    assert all(a + b <= 6 for a, b in zip(right.positives, wrong.positives, strict=True))
    assert right.positives != wrong.positives


def test_with_the_truth_of_every_page_all_are_labelled_and_nothing_is_trained(
    study: CrawlStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: object) -> None:
        raise AssertionError("trained")

    knows = next(arm for arm in ARMS if arm.knows)
    none = run_arm(study, FULL, ARMS[0], study.topics)
    monkeypatch.setattr(labelling, "prepare_lesson", refuse)
    targets = run_arm(study, FULL, knows, study.topics)
    assert [a - b for a, b in zip(targets.targets, targets.after, strict=True)] == [
        a - b for a, b in zip(none.targets, none.after, strict=True)
    ]
    assert all(
        more > 6 for more in run_arm(study, Setting(at=39, labels=6), knows, study.topics).positives
    )


def test_each_label_counts_before_the_models_are_trained_again(
    study: CrawlStudy, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = []
    count_label, prepare = Learner.count_label, labelling.prepare_lesson
    monkeypatch.setattr(
        Learner, "count_label", lambda *given: (order.append("label"), count_label(*given))[1]
    )
    monkeypatch.setattr(
        labelling, "prepare_lesson", lambda *given: (order.append("train"), prepare(*given))[1]
    )
    run_arm(study, FULL, RANDOM, study.topics[:1])
    assert order == ["label"] * 6 + ["train"]


def test_a_weak_topic_has_few_positives_keywords_and_drawn_negatives_but_all_its_targets(
    study: CrawlStudy,
) -> None:
    for topic, weak in zip(study.topics, topics_of(study, WEAK), strict=True):
        training = weak.model.topic.training
        assert [each.relevant for each in training[:5]] == [True, True, True, True, False]
        assert list(training[3].document.words) == list(topic.model.topic.keywords)
        assert sum(each.relevant for each in training) == 4
        assert len(weak.model.topic.seeds) == 3
        assert {each.weight for each in training[4:]} == {0.5}
        assert weak.relevant == topic.relevant
        assert weak.model.topic.targets == topic.model.topic.targets


def test_the_command_saves_each_arm_and_goes_on_where_it_was_left(
    labelled, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    command = "apps.research.management.commands.effectiveness"
    monkeypatch.setattr(f"{command}.SETTINGS", {"full": FULL})
    monkeypatch.setattr(f"{command}.arms_of", lambda setting: ARMS[:2])
    file, folder = tmp_path / "plan.toml", tmp_path / "found"
    file.write_text("pages = 30\ntopics = 2\n[[candidates]]\nname = 'plain'\n")
    asked = ["effectiveness", str(file), "--web", "labelled", "--labels", "--save", str(folder)]
    output = [io.StringIO(), io.StringIO()]
    for stream in output:
        call_command(*asked, stderr=stream)
    (result,) = LabelResult.read_all(folder)
    assert set(result.settings["full"].arms) == {"no labels", "every page"}
    assert [stream.getvalue().count("full:") for stream in output] == [2, 0]
    text = LabelResult.path(folder, "labelled").read_text("utf-8")
    LabelResult.path(folder, "labelled").write_text(text.replace('"pages": 30', '"pages": 31'))
    with pytest.raises(CommandError, match="of other topics"):
        call_command(*asked, stderr=io.StringIO())
    with pytest.raises(CommandError, match="repeats"):
        call_command(*asked, "--repeats", "0", stderr=io.StringIO())
