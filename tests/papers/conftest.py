"""A made WebKB as a file and parted, and what experiments need."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from apps.engine.networking.web_import.importing import import_json_lines
from apps.engine.networking.webs.virtual_web import VirtualWeb
from apps.papers.tables.parted_web import PartedWeb
from tests.experiment_fixtures import labelled, owner, topics, web  # noqa: F401
from tests.papers.made_webkb import write_web


@pytest.fixture(scope="module")
def web_file(tmp_path_factory) -> Path:
    return write_web(tmp_path_factory.mktemp("made"))


@contextmanager
def opened(file: Path, folder: Path, redirects: Path | None = None) -> Iterator[PartedWeb]:
    """The web of a file, imported into a folder that need not exist."""
    import_json_lines(file, folder, redirects)
    web = VirtualWeb(folder)
    yield PartedWeb(web)
    web.close()


@pytest.fixture(scope="module")
def parted(web_file, tmp_path_factory):
    redirects = web_file.with_name("made.redirects.json")
    with opened(web_file, tmp_path_factory.mktemp("web") / "web", redirects) as web:
        yield web
