"""Results of a study in files."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.research.effectiveness.strategies.result import WebResult
from apps.schemas.refused import Refused
from tests.research.effectiveness.made_results import result


def test_what_is_saved_is_read_again(tmp_path: Path):
    webs = [result("heath", 0.51236, 0.4), result("dune", 0.5, 0.4)]
    for each in webs:
        each.save(tmp_path)
    assert WebResult.read_all(tmp_path) == [webs[1], webs[0]]
    assert len(WebResult.path(tmp_path, "dune").read_text().splitlines()) == 10


def test_a_wrong_file_and_an_empty_folder_are_refused(tmp_path: Path):
    with pytest.raises(Refused, match="no saved result"):
        WebResult.read_all(tmp_path)
    (tmp_path / "dune.json").write_text('{"web": "dune"}')
    with pytest.raises(Refused, match=r"dune\.json"):
        WebResult.read_all(tmp_path)
