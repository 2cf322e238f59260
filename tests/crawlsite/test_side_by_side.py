"""What `make test` runs side by side, and what its report counts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import set_ups
from tests.set_ups import SetUp

FILE = """
import pytest
def test_one(): pass
def test_two(): assert False
@pytest.mark.skip
def test_three(): pass
"""


def names(planned: list[SetUp]) -> list[str]:
    return [set_up.name for set_up in planned]


def test_the_whole_runs_in_chromium_apart_and_again_on_stores_that_are_here() -> None:
    assert names(set_ups.set_ups(True, True)) == ["SQLite", "Chromium", "PostgreSQL and Redis"]
    assert names(set_ups.set_ups(True, False)) == ["SQLite", "Chromium"]
    assert names(set_ups.set_ups(False, True)) == ["SQLite", "PostgreSQL and Redis"]


def test_its_lines_are_named_and_its_tests_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "test_it.py").write_text(FILE)
    outcome = set_ups.run(SetUp("Here", ("--rootdir", str(tmp_path))), [str(tmp_path)])
    assert (outcome.passed, outcome.failed, outcome.skipped) == (1, 1, 1)
    assert outcome.failures == ["test_it::test_two"]
    assert all(line.startswith("Here | ") for line in capsys.readouterr().out.splitlines())


def test_a_run_that_breaks_off_counts_as_failed(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("import there_is_no_such_module")
    assert set_ups.run(SetUp("Here"), [str(tmp_path)]).failed == 1
