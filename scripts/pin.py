"""Writes constraints.txt: the versions installed here of every package that pyproject.toml needs.

Run it in .venv after a dependency was added or upgraded: `.venv/bin/python -m scripts.pin`. The
installer reads the file, so that two people who set up the same commit have the same packages.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import distribution, version
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
FILE = ROOT / "constraints.txt"
HEAD = "# The tested versions, written by scripts/pin.py. What may be used is in pyproject.toml.\n"


def required() -> list[Requirement]:
    """What the project itself names, with all extras, and what installs and builds it."""
    extras = _project()["optional-dependencies"].values()
    return [*base(), *(Requirement(line) for lines in extras for line in lines)]


def base() -> list[Requirement]:
    """What the project names without an extra."""
    return [Requirement(line) for line in _project()["dependencies"]]


def _project() -> dict[str, Any]:
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return project


def pinned() -> dict[str, str]:
    """The versions in the file, by canonical name."""
    lines = FILE.read_text().splitlines()
    pairs = (line.split("==") for line in lines if line and not line.startswith("#"))
    return {canonicalize_name(name): number for name, number in pairs}


def installed() -> dict[str, str]:
    """The versions here of what is required, and of what that requires in turn."""
    names = dict.fromkeys(closure(required()))
    return {name: version(name) for name in sorted(names)}


def closure(wanted: Iterable[Requirement]) -> Iterator[str]:
    """The packages required, and those that they require in turn, by canonical name."""
    waiting, done = list(wanted), set[tuple[str, frozenset[str]]]()
    while waiting:
        requirement = waiting.pop()
        name, extras = canonicalize_name(requirement.name), frozenset(requirement.extras)
        if (name, extras) in done:
            continue
        done.add((name, extras))
        yield name
        for line in distribution(name).requires or ():
            below = Requirement(line)
            if below.marker is None or _applies(below, extras):
                waiting.append(below)


def _applies(requirement: Requirement, extras: Iterable[str]) -> bool:
    marker = requirement.marker
    assert marker is not None
    return any(marker.evaluate({"extra": extra}) for extra in ("", *extras))


def main() -> None:
    FILE.write_text(HEAD + "".join(f"{name}=={number}\n" for name, number in installed().items()))


if __name__ == "__main__":
    main()
