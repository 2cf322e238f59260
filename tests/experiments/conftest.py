from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.contrib.auth.models import AbstractUser

from apps.engine.networking.virtual_web import VirtualWeb
from apps.engine.networking.web_import import import_json_lines
from apps.experiments.reproduce.parted_web import PartedWeb
from apps.topics.models import Topic
from apps.webs.importing import import_web
from apps.webs.models import Web
from tests.crawls.run_here import made_web
from tests.experiments.made_labelled import write_labelled
from tests.experiments.made_webkb import write_web
from tests.experiments.run_experiment import part_of_bread
from tests.made_once import made_once
from tests.people import person


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


@pytest.fixture
def owner(db) -> AbstractUser:
    return person("ada")


@pytest.fixture
def web(db, data_dir: Path) -> Web:
    return made_web(data_dir)


@pytest.fixture
def topics(owner: AbstractUser, web: Web) -> list[Topic]:
    """Two topics of the made web."""
    return [part_of_bread(owner, web, number) for number in range(2)]


@pytest.fixture
def labelled(db, tmp_path: Path, data_dir: Path) -> Web:
    """A made web with labels, from which experiments draw topics."""
    return made_once("labelled", lambda: import_web("labelled", write_labelled(tmp_path))[0])
