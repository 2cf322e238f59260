"""The version of the code that machines compare."""

from __future__ import annotations

from pathlib import Path

from apps.jobs.code_version import code_version


def test_the_version_of_the_code_follows_every_file(settings, tmp_path: Path) -> None:
    settings.BASE_DIR = tmp_path
    file = tmp_path / "apps" / "loop.py"
    file.parent.mkdir()
    versions = set()
    for text in ("a = 1", "a = 2"):
        file.write_text(text)
        versions.add(code_version.__wrapped__())
    file.rename(file.with_name("other.py"))
    versions.add(code_version.__wrapped__())
    assert len(versions) == 3
