from __future__ import annotations

import json

from apps.experiments.studies.study import of_plain, subject
from tests.experiments.figures.made_study import NOTHING, STUDY
from tests.experiments.made_outcomes import made

VALUES = {(topic, crawler): {"target_recall": [0.5]} for topic in range(9) for crawler in range(2)}
TOPICS = tuple(f"topic {n}" for n in range(9))


def test_what_is_kept_as_json_is_what_was_measured() -> None:
    for study in (STUDY, NOTHING):
        assert of_plain(json.loads(json.dumps(study.as_plain()))) == study


def test_its_subject_are_the_baselines_cells_alone() -> None:
    results = made(topics=TOPICS, values=VALUES, every=1)
    before = subject(results)
    results.cells[8, 1][0].cell.digest = "another"
    assert subject(results) == before
    results.cells[8, 0][0].cell.digest = "another"
    assert subject(results) != before
