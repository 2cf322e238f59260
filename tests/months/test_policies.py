"""A month in a process of its own: nothing of it stays."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from django.conf import settings

from apps.crawls.models import Crawl
from apps.months.changing_web import WebScript
from apps.months.policies import FOLDERS, POLICIES, RUN, BrokenMonth, PolicyRun, _apart, _follow
from apps.screens.months.forms import POLICY_WORDS
from apps.topics.models import Topic
from apps.webs.models import Web
from tests.months.made_months import GOOD
from tests.tables import put_tables

TINY = PolicyRun("uniform", WebScript(hosts=2, pages=40, new=2.0, days=2, seed=3), 12)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


class FolderWithTables(tempfile.TemporaryDirectory[str]):
    """A temporary folder with tables, which take longer to make than such a month."""

    def __init__(self, prefix: str) -> None:
        super().__init__(prefix=prefix)
        put_tables(Path(self.name))


@pytest.mark.alike
def test_a_month_leaves_its_result_and_nothing_else(db: None, folder: Path) -> None:
    visits: list[int] = []
    result = TINY.run_apart(visits.append)
    assert visits == [1, 2] and (result.visits, result.false, result.missed) == (2, 0, 0)
    assert 0 < result.requests < 12 * 2 + 12
    assert not (Topic.objects.exists() or Web.objects.exists() or Crawl.objects.exists())
    assert [*folder.iterdir()] == []


@pytest.mark.alike
def test_a_month_ends_where_it_is_no_longer_wanted(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "TemporaryDirectory", FolderWithTables)

    def withdraw(visits: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        TINY.run_apart(withdraw)
    assert [*folder.iterdir()] == []


def begun(data: Path) -> subprocess.Popen[bytes]:
    """The process of a month on that data folder, which gets tables first."""
    put_tables(data)
    return subprocess.Popen(
        [*settings.COMMAND_LINE, "simulate_month", RUN.dump_json(TINY).decode()],
        env=_apart(os.environ, str(data)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


@pytest.mark.alike
def test_once_it_has_its_result_its_folder_is_left_to_who_began_it(tmp_path: Path) -> None:
    data = tmp_path / f"{FOLDERS}here"
    with begun(data) as process:
        assert process.stdout is not None and process.stdin is not None
        lines = [process.stdout.readline() for _ in range(3)]
        process.stdin.close()
        assert process.wait() == 0
    assert lines[:2] == [b"1\n", b"2\n"] and lines[2].startswith(b"{")
    assert [*tmp_path.iterdir()] == [data]


@pytest.mark.alike
def test_its_process_ends_with_the_one_that_began_it(tmp_path: Path) -> None:
    data = tmp_path / f"{FOLDERS}here"
    with begun(data) as process:
        assert process.stdout is not None and process.stdin is not None
        assert process.stdout.readline() == b"1\n" and data.is_dir()
        # As the kernel does when the other process is killed.
        process.stdin.close()
        assert process.wait() == 1
    assert [*tmp_path.iterdir()] == []


def test_a_process_without_a_result_is_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "COMMAND_LINE", ["false"])
    with pytest.raises(BrokenMonth, match=r"^uniform: the month ended with 1\.$"):
        TINY.run_apart()


def test_it_reads_visits_until_the_result() -> None:
    visits: list[int] = []
    assert _follow(["1\n", "2\n", GOOD.model_dump_json()], visits.append) == GOOD
    assert _follow(["1\n"], visits.append) is None
    assert visits == [1, 2, 1]


def test_it_has_no_store_of_the_site() -> None:
    site = {
        "PATH": "/bin",
        "DATABASE_URL": "postgres://x",
        "REDIS_URL": "redis://x",
        "CRAWLSITE_S3_BUCKET": "pages",
        "CRAWLSITE_DATA": "/data",
    }
    own = {"PATH": "/bin", "DATABASE_URL": "", "REDIS_URL": "", "CRAWLSITE_DATA": "/tmp/x"}
    assert _apart(site, "/tmp/x") == own


def test_a_full_recrawl_has_as_many_requests_as_it_needs() -> None:
    budgets = {name: PolicyRun(name, TINY.script, 12).budget for name in POLICIES}
    assert budgets.pop("full recrawl") == 800 and {*budgets.values()} == {12}


def test_each_policy_has_its_words() -> None:
    assert POLICY_WORDS.keys() == POLICIES.keys()
