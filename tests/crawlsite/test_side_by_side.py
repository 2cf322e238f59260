"""What `make test` runs side by side, and what its report counts."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Barrier

import pytest

from tests import set_ups
from tests.set_ups import Outcome, SetUp

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
    assert "assert False" in outcome.tracebacks["test_it::test_two"]
    assert all(line.startswith("Here | ") for line in capsys.readouterr().out.splitlines())


def test_a_run_that_breaks_off_counts_as_failed(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text("import there_is_no_such_module")
    assert set_ups.run(SetUp("Here"), [str(tmp_path)]).failed == 1


def test_all_run_at_once_the_rules_too(monkeypatch: pytest.MonkeyPatch) -> None:
    together = Barrier(3, timeout=60)

    def meet(*given: object) -> Outcome:
        together.wait()
        return Outcome("met", 0.0)

    monkeypatch.setattr(set_ups, "rules", meet)
    monkeypatch.setattr(set_ups, "run", meet)
    monkeypatch.delenv("CRAWLSITE_SOAK", raising=False)
    planned = [SetUp("one"), SetUp("other")]
    assert [each.name for each in set_ups.run_all(planned, [])] == ["met"] * 3


def test_of_a_part_of_the_tests_the_rules_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(set_ups, "run", lambda set_up, arguments: Outcome(set_up.name, 0.0))
    outcomes = set_ups.run_all([SetUp("one"), SetUp("other")], ["tests/exports"])
    assert [each.name for each in outcomes] == ["one", "other"]


def test_a_broken_rule_is_counted_and_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "javascript.sh").write_text("echo broken\nexit 1\n")
    monkeypatch.setattr(set_ups, "JAVASCRIPT", tmp_path / "javascript.sh")
    monkeypatch.setattr(set_ups, "RULES", (("ruff", "--version"),))
    outcome = set_ups.rules()
    assert (outcome.passed, outcome.failed) == (1, 1)
    assert outcome.failures == [f"sh {tmp_path / 'javascript.sh'}"]
    assert "Rules | broken\n" in capsys.readouterr().out


def test_what_has_two_processes_gives_way_to_what_has_one() -> None:
    several = {set_up.name: set_up.niceness for set_up in set_ups.set_ups(True, True)}
    assert several["SQLite"] > several["Chromium"] == several["PostgreSQL and Redis"] == 0


def test_a_run_gives_way_as_much_as_it_is_to(tmp_path: Path) -> None:
    wanted = min(os.nice(0) + 3, 19)
    (tmp_path / "test_it.py").write_text(f"import os\ndef test(): assert os.nice(0) == {wanted}")
    options = ("--rootdir", str(tmp_path))
    assert set_ups.run(SetUp("Here", options, niceness=3), [str(tmp_path)]).passed == 1
