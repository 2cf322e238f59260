"""Vectors in an installed package, made by the test or real, that nobody imports."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from apps.engine.representation.vectors.installed import installed_package
from apps.engine.representation.vectors.reading import BadVectors, read_package
from tests.engine.representation.vectors.made_package import install_vectors, install_without


def test_the_vectors_of_an_installed_package_are_read(tmp_path: Path, monkeypatch) -> None:
    install_vectors(tmp_path, "made-vectors")
    monkeypatch.syspath_prepend(str(tmp_path))
    package = installed_package("made-vectors")
    assert package is not None
    assert (package.name, package.licence) == ("made-vectors 1.2", "MIT")
    assert read_package(package).near("heat", 5) == ["warmth"]
    assert "made_vectors" not in sys.modules


@pytest.mark.parametrize(
    ("stated", "licence"),
    [
        ("License-Expression: CC-BY-4.0\nLicense: other", "CC-BY-4.0"),
        ("Classifier: License :: OSI Approved :: BSD License", "BSD"),
        ("License: MIT License\n        \n        Copyright somebody", "MIT"),
        ("Summary: nothing", ""),
    ],
)
def test_the_licence_is_what_the_package_states(
    tmp_path: Path, monkeypatch, stated: str, licence: str
) -> None:
    install_vectors(tmp_path, "made-vectors", stated)
    monkeypatch.syspath_prepend(str(tmp_path))
    package = installed_package("made-vectors")
    assert package is not None and package.licence == licence


def test_a_package_without_both_files_is_refused_by_its_name(tmp_path: Path, monkeypatch) -> None:
    install_without(tmp_path, "made-vectors")
    monkeypatch.syspath_prepend(str(tmp_path))
    package = installed_package("made-vectors")
    assert package is not None
    with pytest.raises(BadVectors, match=r"made-vectors 1\.2 is neither .* installed package"):
        read_package(package)


def test_what_is_not_installed_is_none() -> None:
    assert installed_package("there-is-no-such-package") is None
    assert installed_package("/a/path") is None


def test_wordllamas_package_is_read_without_its_loader() -> None:
    """The package of the extra, in a process that has imported nothing else."""
    if installed_package("wordllama") is None:
        pytest.skip("the extra vectors is not installed")
    code = (
        "import sys\n"
        "from apps.engine.representation.vectors.installed import installed_package\n"
        "from apps.engine.representation.vectors.reading import read_package\n"
        "package = installed_package('wordllama')\n"
        "vectors = read_package(package)\n"
        "loaded = {'wordllama', 'tokenizers', 'safetensors', 'huggingface_hub'} & {*sys.modules}\n"
        "print(package.licence, vectors.rows.shape[1], len(vectors.listed) > 10_000, loaded,"
        " 'vehicle' in vectors.near('car', 5))\n"
    )
    run = [sys.executable, "-c", code]
    done = subprocess.run(run, capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "MIT 256 True set() True", done.stderr
