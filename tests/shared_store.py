"""A store of files in this process's memory, and machines that share it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.files.storage import InMemoryStorage

On = Callable[[str], Path]
"""Makes this process the machine of that name; returns its data folder."""


class Store(InMemoryStorage):
    """A store of this process, shared by all that name it; while `down` it refuses everything."""

    faults = (ConnectionError,)
    down = False

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return name

    def _ask(self) -> None:
        if Store.down:
            raise ConnectionError("nobody is there.")

    def _open(self, name, mode="rb"):
        self._ask()
        try:
            return super()._open(name, mode)
        except IsADirectoryError as error:  # a store proper has no directories
            raise FileNotFoundError from error

    def _save(self, name, content):
        self._ask()
        if self.exists(name):
            self.delete(name)
        return super()._save(name, content)

    def delete(self, name):
        self._ask()
        if self.exists(name):
            super().delete(name)

    def listdir(self, path):
        self._ask()
        try:
            return super().listdir(path)
        except FileExistsError:
            return [], []


@pytest.fixture
def on(settings, tmp_path: Path, monkeypatch) -> On:
    """Machines with a data folder each, and one store."""
    settings.STORAGES = {**settings.STORAGES, "data": {"BACKEND": f"{__name__}.Store"}}
    monkeypatch.setattr(Store, "down", False)

    def become(machine: str) -> Path:
        settings.DATA_DIR = tmp_path / machine
        settings.DATA_DIR.mkdir(exist_ok=True)
        return settings.DATA_DIR

    return become
