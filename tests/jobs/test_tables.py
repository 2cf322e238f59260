"""The database's tables are made once, whoever starts first."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

import pytest

from apps.jobs import tables


@pytest.mark.django_db
def test_migrations_are_applied_by_one_process_of_a_data_folder_at_a_time(
    settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.DATA_DIR = tmp_path
    taken: list[bool] = []

    def migrate(*names: str, **options: int) -> None:
        with pytest.raises(BlockingIOError):
            other = os.open(tmp_path, os.O_RDONLY)
            fcntl.flock(other, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.close(other)
        taken.append(True)

    monkeypatch.setattr(tables.MigrationExecutor, "migration_plan", lambda *given: ["pending"])
    monkeypatch.setattr(tables, "call_command", migrate)
    tables.make_tables()
    tables.make_tables()
    assert taken == [True, True] and list(tmp_path.iterdir()) == []
