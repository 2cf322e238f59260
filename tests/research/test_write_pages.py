"""`manage.py write_pages` writes each page that has results, and refuses what is not a result."""

from __future__ import annotations

import io
import shutil
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from apps.research.pages import PAGES
from tests.running_site import ROOT


def write_pages(docs: Path) -> str:
    out = io.StringIO()
    call_command("write_pages", docs=docs, stdout=out)
    return out.getvalue()


def test_the_pages_of_the_project_are_written_of_their_results(tmp_path: Path) -> None:
    for name in PAGES:
        shutil.copytree(ROOT / "docs" / name, tmp_path / name)
    out = write_pages(tmp_path)
    for name in (*(f"{page}.md" for page in PAGES), "deviations.md"):
        assert (tmp_path / name).read_text("utf-8") == (ROOT / "docs" / name).read_text("utf-8")
        assert name in out


def test_a_page_without_results_is_not_written(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "docs" / "reproduction", tmp_path / "reproduction")
    write_pages(tmp_path)
    written = sorted(path.name for path in tmp_path.glob("*.md"))
    assert written == ["deviations.md", "reproduction.md"]


def test_a_file_that_is_not_a_result_is_refused(tmp_path: Path) -> None:
    (tmp_path / "reproduction").mkdir()
    (tmp_path / "reproduction" / "bad.json").write_text("{}", "utf-8")
    with pytest.raises(CommandError, match=r"bad\.json"):
        write_pages(tmp_path)
