"""Word vectors as an input of crawls: given to topics that begin with words, and kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from apps.engine import topics
from apps.engine.errors import BadWebFile
from apps.topics import tasks
from apps.topics.definition.schemas import Definition
from apps.topics.examples.page_store import topic_file
from apps.topics.inputs.freezing import expected_origins, freeze, origin_words, origins, supply
from apps.topics.models import Topic
from apps.topics.services import create_topic
from apps.topics.snapshots import engine_topic, snapshot
from apps.webs.models import Web
from tests.topic_fixtures import bread, stars

TEXT = "heat 1 0 0.1\nwarmth 1 0 0.2\npump 0 1 0\n"


@pytest.fixture
def vectors(tmp_path: Path, settings: Any) -> Path:
    path = tmp_path / "small.txt"
    path.write_text(TEXT)
    settings.WORD_VECTORS, settings.WORD_VECTORS_LICENCE = str(path), "CC0"
    return path


def begun(owner: Any, web: Web, name: str = "Heat", **lists: str) -> Topic:
    topic = create_topic(
        owner, Definition(name=name, keywords=("heat",), web_id=web.pk, lists=lists)
    ).topic
    tasks.run_here(topic)
    return topic


def given(topic: Topic, frozen: dict[str, Any]) -> topics.Topic:
    """The engine's topic with what was frozen, through JSON and back."""
    return supply(engine_topic(snapshot(topic)), topic.pk, json.loads(json.dumps(frozen)))


def test_a_crawl_goes_on_with_the_vectors_it_began_with(
    owner, web: Web, data_dir: Path, vectors: Path, settings
) -> None:
    topic = begun(owner, web)
    assert expected_origins(topic, set())["word_vectors"]["name"] == "small.txt, licence CC0"
    frozen = freeze(topic, set())
    words = origin_words(origins(frozen))["word_vectors"]
    assert words == "word vectors: small.txt, licence CC0, 3 words"
    vectors.unlink()
    settings.WORD_VECTORS = "none"
    table = given(topic, frozen).vectors
    assert table is not None and list(table.words) == ["heat", "warmth", "pump"]
    assert table.rows[2].tolist() == [0.0, 1.0, 0.0]
    topic_file(topic.pk, frozen["word_vectors"]["file"]).unlink()


def test_topics_share_one_file(owner, web: Web, data_dir: Path, vectors: Path) -> None:
    one, other = begun(owner, web), begun(owner, web, "Warmth")
    files = [
        topic_file(topic.pk, freeze(topic, set())["word_vectors"]["file"]) for topic in (one, other)
    ]
    assert files[0] != files[1] and files[0].samefile(files[1])


def test_a_topic_with_examples_of_both_kinds_has_none(
    owner, web: Web, data_dir: Path, vectors: Path
) -> None:
    topic = begun(owner, web, positives=bread(0, 1), negatives=stars(1, 2))
    assert "word_vectors" not in freeze(topic, set())
    assert "word_vectors" not in expected_origins(topic, set())


def test_without_named_vectors_nothing_changes(owner, web: Web, data_dir: Path) -> None:
    topic = begun(owner, web)
    assert "word_vectors" not in freeze(topic, set())
    assert given(topic, freeze(topic, set())).vectors is None


def test_vectors_that_cannot_be_read_fail_the_crawl_by_a_sentence(
    owner, web: Web, data_dir: Path, vectors: Path
) -> None:
    topic = begun(owner, web)
    vectors.write_text("no numbers here\n")
    with pytest.raises(BadWebFile, match=r"CRAWLSITE_WORD_VECTORS: small\.txt is neither"):
        freeze(topic, set())
