"""What topics lack is looked up no further than it is asked, and for all topics at once."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.crawls.inputs.needs import strategy_needs
from apps.engine.codes import Need
from apps.screens.new_experiment import needs
from apps.screens.new_experiment.needs import Lacking
from apps.topics.copying import copy_topic
from apps.topics.models import Topic

TEA, RYE, OATS = (Topic(pk=n, name=name) for n, name in enumerate(("tea", "rye", "oats"), 1))
# Each topic is looked at alone for these: their files and their owners' crawls are read.
ALONE = {Need.INLINKS, Need.CRAWL}


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the topics that were asked; only the first one lacks the need."""
    names: list[str] = []

    def met_by(topics: Sequence[Topic]) -> set[Topic]:
        names.extend(topic.name for topic in topics)
        return set(topics) - {TEA}

    monkeypatch.setattr(
        needs, "strategy_needs", lambda: {Need.INLINKS: SimpleNamespace(met_by=met_by)}
    )
    return names


def test_one_topic_that_lacks_is_enough(asked) -> None:
    lacking = Lacking([TEA, RYE, OATS])
    assert lacking.is_lacked(Need.INLINKS)
    assert lacking.is_lacked(Need.INLINKS)
    assert asked == ["tea"]
    assert lacking.of(Need.INLINKS) == [TEA]


def test_what_no_topic_lacks_is_not_lacked(asked) -> None:
    assert not Lacking([RYE]).is_lacked(Need.INLINKS)
    assert asked == ["rye"]


def test_what_was_looked_up_for_all_is_not_looked_up_again(asked) -> None:
    lacking = Lacking([RYE, TEA])
    assert lacking.of(Need.INLINKS) == [TEA] and lacking.is_lacked(Need.INLINKS)
    assert asked == ["rye", "tea"]


def test_without_topics_nothing_is_lacked(asked) -> None:
    assert not Lacking([]).is_lacked(Need.INLINKS)


@pytest.mark.parametrize("need", sorted(set(Need) - ALONE), ids=str)
def test_more_topics_take_no_more_queries(need, topics, owner) -> None:
    more = [*topics, *(copy_topic(topic, owner) for topic in topics)]
    met_by = strategy_needs()[need].met_by
    taken = []
    for some in (topics, more):
        with CaptureQueriesContext(connection) as queries:
            met = met_by(some)
        taken.append(len(queries))
        assert met == {topic for topic in some if strategy_needs()[need].is_met(topic)}
    assert taken[1] <= taken[0]
