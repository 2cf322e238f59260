"""What topics lack is looked up no further than it is asked."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from apps.engine.codes import Need
from apps.screens.new_experiment import needs
from apps.screens.new_experiment.needs import Lacking
from apps.topics.models import Topic


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the topics that were asked; only the first one lacks the need."""
    names: list[str] = []

    def is_met(topic: Topic) -> bool:
        names.append(topic.name)
        return topic.name != "tea"

    monkeypatch.setattr(
        needs, "strategy_needs", lambda: {Need.INLINKS: SimpleNamespace(is_met=is_met)}
    )
    return names


def test_one_topic_that_lacks_is_enough(asked) -> None:
    lacking = Lacking([Topic(name="tea"), Topic(name="rye"), Topic(name="oats")])
    assert lacking.is_lacked(Need.INLINKS)
    assert lacking.is_lacked(Need.INLINKS)
    assert asked == ["tea"]
    assert [topic.name for topic in lacking.of(Need.INLINKS)] == ["tea"]


def test_what_no_topic_lacks_is_not_lacked(asked) -> None:
    assert not Lacking([Topic(name="rye")]).is_lacked(Need.INLINKS)
    assert asked == ["rye"]
