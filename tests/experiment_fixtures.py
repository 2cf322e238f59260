"""An owner, webs and topics for experiments."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth.models import User

from apps.topics.models import Topic
from apps.webs.importing import import_web
from apps.webs.models import Web
from tests.crawls.run_here import made_web
from tests.experiments.made_labelled import write_labelled
from tests.experiments.run_experiment import part_of_bread
from tests.made_once import made_once
from tests.people import person


@pytest.fixture
def owner(db) -> User:
    return person("ada")


@pytest.fixture
def web(db, data_dir: Path) -> Web:
    return made_web(data_dir)


@pytest.fixture
def topics(owner: User, web: Web) -> list[Topic]:
    """Two topics of the made web."""
    return [part_of_bread(owner, web, number) for number in range(2)]


@pytest.fixture
def labelled(db, tmp_path: Path, data_dir: Path) -> Web:
    """A made web with labels, from which experiments draw topics."""
    return made_once("labelled", lambda: import_web("labelled", write_labelled(tmp_path))[0])
