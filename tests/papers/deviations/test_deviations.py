"""The departures from the papers are listed with reasons, and the code they name has them too."""

from __future__ import annotations

import inspect
import pydoc

import pytest

from apps.papers import deviations as listed
from apps.papers.deviations import KINDS, Deviation, deviations
from apps.papers.papers import PAPERS
from apps.schemas.refused import Refused

MARKS = {"choice": "**Choice", "erratum": "**Erratum"}
EVERY = [(paper, each) for paper, every in deviations().items() for each in every]


def test_every_paper_has_its_departures_and_none_is_listed_twice():
    assert [*deviations()] == [*PAPERS]
    assert {each.kind for _, each in EVERY} == {*KINDS}
    listed_once = {(paper, each.where, each.paper) for paper, each in EVERY}
    assert len(listed_once) == len(EVERY)


@pytest.mark.parametrize(
    ("paper", "each"), EVERY, ids=[f"{paper} {n}" for n, (paper, _) in enumerate(EVERY)]
)
def test_the_code_that_departs_exists_and_marks_choices_and_errata(paper: str, each: Deviation):
    if not each.code:
        assert each.kind == "left out"
        return
    code = pydoc.locate(each.code)
    assert code is not None, each.code
    if mark := MARKS.get(each.kind):
        assert mark in (inspect.getdoc(code) or ""), each.code


@pytest.mark.parametrize(
    ("text", "field", "words"),
    [
        ("deviations = []", "lc.toml: deviations", ""),
        ("deviations = [{kind = 'whim'}]", "lc.toml: deviations", ""),
        ("deviations = ", "", "lc.toml is not TOML"),
    ],
)
def test_a_wrong_file_is_refused_with_its_name(tmp_path, monkeypatch, text, field, words):
    (tmp_path / "lc.toml").write_text(text)
    monkeypatch.setattr(listed, "FOLDER", tmp_path)
    with pytest.raises(Refused) as refused:
        deviations.__wrapped__()
    assert refused.value.field.startswith(field) and words in refused.value.message
