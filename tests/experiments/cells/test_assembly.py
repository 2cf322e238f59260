"""The models of a cell's topic."""

from __future__ import annotations

from typing import Any

import pytest

from apps.experiments.cells import assembly
from apps.topics.examples import page_store
from tests.experiments.run_experiment import started

pytestmark = pytest.mark.django_db


def test_the_next_worker_parses_no_page_of_a_topic_that_one_has_read(owner, topics, monkeypatch):
    topic = started(owner).topics.first()
    first = assembly.topic_model(topic, 1)
    assembly._topic_model.cache_clear()

    def refuse(*_: Any) -> Any:
        raise AssertionError("a page is parsed")

    monkeypatch.setattr(page_store, "parse_judged", refuse)
    again = assembly.topic_model(topic, 1)
    assert again is not first
    assert again.rows().ids.tolist() == first.rows().ids.tolist()
    assert [e.document.url for e in again.topic.training] == [
        e.document.url for e in first.topic.training
    ]


def test_a_topics_model_is_kept_for_its_next_cell(owner, topics):
    topic = started(owner).topics.first()
    first = assembly.topic_model(topic, 1)
    assert assembly.topic_model(topic, 1) is first
    assert assembly.topic_model(topic, 1, main_text=True) is not first
