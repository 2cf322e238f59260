"""People, a small recorded web and topics of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User

from apps.topics import tasks
from apps.topics.definition.schemas import Definition
from apps.topics.models import Topic
from apps.topics.services import create_topic
from apps.webs.importing import import_web
from apps.webs.models import Web
from tests.made_once import made_once
from tests.made_web import MadeWeb

MADE = MadeWeb(pages=120, hosts=6)


def bread(*numbers: int) -> str:
    """URLs of pages about bread, a line each."""
    return "\n".join(MADE.url(4 * i) for i in numbers)


def stars(*numbers: int) -> str:
    """URLs of pages about stars, a line each."""
    return "\n".join(MADE.url(4 * i + 1) for i in numbers)


@pytest.fixture
def owner(db) -> User:
    return get_user_model().objects.create_user("ada")


@pytest.fixture
def stranger(db) -> User:
    return get_user_model().objects.create_user("eve")


@pytest.fixture
def web_file(tmp_path: Path) -> Path:
    path = tmp_path / "made.jsonl"
    path.write_text(MADE.json_lines())
    return path


@pytest.fixture
def redirects_file(tmp_path: Path) -> Path:
    path = tmp_path / "made.redirects.json"
    path.write_text(json.dumps({"http://h0.test/old": MADE.url(0), "http://h1.test/gone": "no"}))
    return path


@pytest.fixture
def web(db, data_dir: Path, web_file: Path) -> Web:
    redirects = data_dir / "redirects.json"
    redirects.write_text(json.dumps({"http://h0.test/old": MADE.url(0)}))
    return made_once("small made web", lambda: import_web("made", web_file, redirects)[0])


@pytest.fixture
def topic(owner: User, web: Web) -> Topic:
    """Eight positives and twelve negatives of the made web, fetched and trained."""
    definition = Definition(
        name="Bread",
        keywords=("dough", "flour"),
        web_id=web.pk,
        web_label="bread",
        lists={
            "seeds": bread(0, 1),
            "positives": bread(*range(8)),
            "negatives": stars(*range(12)),
            "evaluation_positives": bread(*range(10, 16)),
            "evaluation_negatives": stars(*range(15, 22)),
            "targets": bread(20, 21),
            "inlinks": f"{MADE.url(0)},7\n{MADE.url(4)},3",
        },
    )

    def make() -> Topic:
        saved = create_topic(owner, definition)
        tasks.run_here(saved.topic)
        return saved.topic

    return made_once(("topic of the small made web", web.pk), make, owner)
