"""Which other crawlers an interpreter has."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from apps.research.bench import others


def test_each_crawler_has_a_program_and_a_name_of_its_own() -> None:
    programs = Path(others.__file__).parent
    assert all((programs / each.program).is_file() for each in others.CRAWLERS)
    assert len({each.name for each in others.CRAWLERS}) == len(others.CRAWLERS)


def test_an_interpreter_has_the_crawlers_whose_module_it_has(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho crawlee\n")
    python.chmod(0o755)
    assert [each.name for each in others.installed_crawlers(str(python))] == ["crawlee"]


def test_an_interpreter_is_really_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    here = others.OtherCrawler("pytest", "pytest", "none.py")
    elsewhere = others.OtherCrawler("none", "no_such_crawler", "none.py")
    monkeypatch.setattr(others, "CRAWLERS", (here, elsewhere))
    assert others.installed_crawlers(sys.executable) == [here]


def test_an_interpreter_that_fails_is_no_interpreter_without_crawlers(tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nexit 3\n")
    python.chmod(0o755)
    with pytest.raises(subprocess.CalledProcessError):
        others.installed_crawlers(str(python))
