"""scripts/set_up.sh in an environment that only pretends: its steps, and pip where uv fails."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.running_site import ROOT

PYTHON = """#!/bin/sh
case "$*" in
    -*pip*install*) echo "$@" >>pip.log ;;
    "- "*) exec {python} "$@" ;;
esac
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A folder with the project's file and an environment whose Python installs nothing."""
    (tmp_path / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
    write_program(tmp_path / ".venv/bin/python", PYTHON.format(python=sys.executable))
    return tmp_path


def write_program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


def steps(checkout: Path) -> list[str]:
    done = subprocess.run(
        ["sh", str(ROOT / "scripts/set_up.sh"), "test"],
        cwd=checkout,
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stderr.splitlines()


def test_each_step_has_a_line_and_so_has_what_uv_does(checkout: Path) -> None:
    write_program(checkout / ".venv/bin/uv", "#!/bin/sh\necho Downloading numpy\n")
    assert steps(checkout) == [
        "set-up: 2 of 4: installing uv, which installs the packages",
        "set-up: 3 of 4: installing the packages for test",
        "Downloading numpy",
        "set-up: 4 of 4: compiling, so that the first start is quick",
        "set-up: ready",
    ]
    assert (checkout / ".venv/installed-base").exists()


def test_where_uv_fails_pip_installs_the_packages_and_not_the_project(checkout: Path) -> None:
    write_program(checkout / ".venv/bin/uv", "#!/bin/sh\nexit 1\n")
    assert "set-up: uv does not work here; installing with pip, which takes longer" in steps(
        checkout
    )
    assert "--requirement .venv/requirements.txt" in (checkout / "pip.log").read_text()
    names = (checkout / ".venv/requirements.txt").read_text().split("\n")
    assert {"django>=5.2,<5.3", "psycopg[binary,pool]>=3.2", "ruff>=0.6"} <= set(names)
