"""The word vectors inside an installed package, by its list of files: nothing of it is imported."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

WORDLLAMA = "wordllama"
"""The package that the extra `vectors` installs. Its own loader would ask a server for files."""
_MOST_LICENCE = 80
_CLASSIFIER = "License :: "


@dataclass(frozen=True, slots=True)
class VectorPackage:
    """`name` with its version, the `licence` that it states (or nothing) and all its `files`."""

    name: str
    licence: str
    files: tuple[Path, ...]


def installed_package(name: str) -> VectorPackage | None:
    """The package of this name; None if it is not installed."""
    try:
        package = distribution(name)
    except (PackageNotFoundError, ValueError):
        return None
    files = tuple(Path(str(file.locate())) for file in package.files or ())
    return VectorPackage(f"{name} {package.version}", _licence(package), files)


def _licence(package: Distribution) -> str:
    """The first of its statements, without the word “License” at the end."""
    for statement in _statements(package):
        if text := statement.strip().split("\n")[0].removesuffix("License").strip():
            return text[:_MOST_LICENCE]
    return ""


def _statements(package: Distribution) -> Iterator[str]:
    for field in ("License-Expression", "License"):
        yield from map(str, package.metadata.get_all(field) or ())
    for line in package.metadata.get_all("Classifier") or ():
        if line.startswith(_CLASSIFIER):
            yield line.rsplit(" :: ", 1)[-1]
