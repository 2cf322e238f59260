"""Models kept between starts: the same bit for bit, and nobody else's."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from apps.engine.intelligence.classifying.classifiers import KINDS
from apps.engine.intelligence.classifying.trained import TrainedModels
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.model import TokenRows
from apps.engine.representation.weightings import WEIGHTINGS
from apps.engine.topics import Topic


def model_of(topic: Topic, folder: Path, *, afresh: bool = False) -> TopicModel:
    return TopicModel(topic, trained=TrainedModels(folder, afresh=afresh))


def texts_of(topic: TopicModel) -> TokenRows:
    """Pages, single terms and a text without any."""
    single = [np.array([token], np.int32) for token in range(0, len(topic.vocabulary), 7)]
    return TokenRows.of([*map(topic.rows().row, range(len(topic.rows()))), *single, single[0][:0]])


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_a_kept_model_scores_bit_for_bit_as_the_trained_one(kind, weighting, make_topic, tmp_path):
    made = TopicModel(make_topic(), seed=1).classifier(kind, weighting)
    first, second = (model_of(make_topic(), tmp_path).classifier(kind, weighting) for _ in range(2))
    texts = texts_of(TopicModel(make_topic()))
    for model in (first, second):
        assert model.margins(texts).tobytes() == made.margins(texts).tobytes()
        assert model.probabilities(texts).tobytes() == made.probabilities(texts).tobytes()
        assert model.held_out_.tolist() == made.held_out_.tolist()
        assert model.top_terms(9) == made.top_terms(9)
    assert hasattr(first, "_fold_models") and not second._fold_models


def test_the_committee_judges_as_it_did(make_topic, tmp_path):
    texts = texts_of(TopicModel(make_topic()))
    verdicts = [model_of(make_topic(), tmp_path).committee().judge(texts) for _ in range(2)]
    assert verdicts[0] == verdicts[1]
    assert len(files(tmp_path)) == 3


def test_every_random_seed_has_the_same_models(make_topic, tmp_path):
    for seed in (1, 2):
        model = TopicModel(make_topic(), seed=seed, trained=TrainedModels(tmp_path))
        model.classifier(), model.committee()
    assert len(files(tmp_path)) == 4


def test_models_trained_afresh_are_kept_with_those_of_their_folds(make_topic, tmp_path):
    topic = make_topic()
    for _ in range(2):
        assert model_of(topic, tmp_path, afresh=True).classifier()._fold_models
    assert len(files(tmp_path)) == 1
    assert not model_of(topic, tmp_path).classifier()._fold_models


def test_whatever_makes_another_model_has_another_name(make_topic, tmp_path):
    topic = make_topic()

    def other(**changed) -> set[str]:
        folder = tmp_path / str(len(files(tmp_path)))
        model_of(replace(topic, **changed), folder).classifier()
        return files(folder)

    last = topic.training[-1]
    words = [*last.document.words[:-1], "unheard"]
    document = replace(last.document, words=words, visible=len(words))
    names = [
        other(),
        other(training=topic.training[:-1]),
        *(
            other(training=(*topic.training[:-1], replace(last, **changed)))
            for changed in (
                {"relevant": not last.relevant},
                {"weight": 0.5},
                {"document": document},
            )
        ),
    ]
    assert len(set.union(*names)) == len(names)
    assert other() == names[0]


@pytest.mark.parametrize(
    "damage",
    [
        lambda whole: b"",
        lambda whole: whole[:-40],
        lambda whole: whole[:200],
        lambda whole: whole.replace(b"sigmoid", b"sigmoit"),
        lambda whole: whole[:1000] + b"\7" * 64 + whole[1064:],
    ],
)
def test_a_torn_or_foreign_file_is_made_again(damage, make_topic, tmp_path):
    made = model_of(make_topic(), tmp_path).classifier()
    (path,) = tmp_path.iterdir()
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    again = model_of(make_topic(), tmp_path).classifier()
    assert again.held_out_.tolist() == made.held_out_.tolist()
    assert path.read_bytes() == whole and len(files(tmp_path)) == 1


def test_a_folder_that_cannot_be_written_only_costs_the_training(make_topic, tmp_path):
    (tmp_path / "file").write_text("no folder")
    assert model_of(make_topic(), tmp_path / "file" / "models").classifier().sigmoid_.slope > 0


def test_the_models_used_last_are_kept(make_topic, tmp_path, monkeypatch):
    monkeypatch.setattr("apps.engine.intelligence.classifying.trained.MOST_FILES", 2)
    topic = make_topic()
    for left_out in (1, 2, 3):
        model_of(replace(topic, training=topic.training[:-left_out]), tmp_path).classifier()
    assert len(files(tmp_path)) == 2


def test_kept_models_need_no_scikit_learn(make_topic, tmp_path):
    code = f"""
import sys
from pathlib import Path
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.intelligence.classifying.trained import TrainedModels
from tests.made_web import MadeWeb, bread_topic
topic = TopicModel(bread_topic(MadeWeb()), seed=1, trained=TrainedModels(Path({str(tmp_path)!r})))
topic.classifier().probabilities(topic.rows())
topic.committee().judge(topic.rows())
print([name for name in ("sklearn", "scipy") if name in sys.modules])
"""
    output = [
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        ).stdout.strip()
        for _ in range(2)
    ]
    assert output == ["['sklearn', 'scipy']", "[]"]
