"""The plan of a study in a TOML file."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.research.effectiveness.schema import OWN, read_plan
from apps.schemas.refused import Refused


def test_the_plan_of_the_project_leaves_out_each_part_once():
    plan = read_plan(OWN)
    left_out = [each.weights for each in plan.ablations if each.weights]
    assert [list(each.values()) for each in left_out] == [[0.0]] * 7
    assert plan.candidates[0].weights != plan.candidates[1].weights


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("candidates = 3", "candidates"),
        ("[[candidates]]\nname = 'a'\n[[candidates]]\nname = 'a'", "one name"),
        ("[[candidates]]\nname = 'a'\nweights = {moon = 1}", "no part moon"),
        ("pages =", "not TOML"),
    ],
)
def test_a_wrong_plan_is_refused(tmp_path: Path, text: str, words: str):
    file = tmp_path / "plan.toml"
    file.write_text(text)
    with pytest.raises(Refused, match=words):
        read_plan(file)
