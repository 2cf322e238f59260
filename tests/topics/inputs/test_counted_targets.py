"""Targets that lie in a background drawn without regard to labels are not counted."""

from __future__ import annotations

import json

import pytest

from apps.engine.codes import Need
from apps.topics.inputs.counted_targets import COUNTED_TARGETS, NoCountedTargets, hold_out_of
from apps.topics.inputs.freezing import expected_origins, freeze, origin_words, origins, supply
from apps.topics.models import Topic
from apps.topics.services import choose_background
from apps.topics.snapshots import engine_topic, snapshot


def crawled(topic: Topic, needs: frozenset[Need] = frozenset()):
    frozen = json.loads(json.dumps(freeze(topic, needs)))
    return supply(engine_topic(snapshot(topic)), topic.pk, frozen), frozen


@pytest.fixture
def inside(topic: Topic, monkeypatch) -> str:
    """The one target that the sample draws."""
    url: str = topic.targets.first().url

    def first(seed: int, other: str) -> tuple[bool, bool]:
        return other != url, topic.targets.filter(url=other).exists()

    monkeypatch.setattr("apps.topics.inputs.background.sampling_key", first)
    monkeypatch.setattr("apps.topics.inputs.background.SAMPLE", 20)
    return url


def test_by_address_every_target_is_counted(topic: Topic) -> None:
    engine, frozen = crawled(topic)
    assert COUNTED_TARGETS.id not in frozen and hold_out_of(frozen) == "addresses"
    assert engine.targets == {*topic.targets.values_list("url", flat=True)}


def test_every_crawler_counts_the_targets_outside_the_background_alone(
    topic: Topic, inside: str
) -> None:
    choose_background(topic, None, hold_out=Topic.HoldOut.REGARDLESS)
    every = {*topic.targets.values_list("url", flat=True)}
    learner, frozen = crawled(topic, frozenset({Need.BACKGROUND}))
    assert frozen["counted_targets"]["inside"] == [inside]
    assert learner.targets == every - {inside} < every
    breadth_first, of_it = crawled(topic)
    assert "background" not in of_it and breadth_first.targets == learner.targets
    assert hold_out_of(origins(of_it)) == "regardless"
    words = origin_words(origins(of_it))["counted_targets"]
    assert words == f"counted targets: {len(every) - 1} of {len(every)}, 1 in its background"


def test_a_background_that_has_all_targets_is_refused_with_what_to_do(
    topic: Topic, inside: str
) -> None:
    choose_background(topic, None, hold_out=Topic.HoldOut.REGARDLESS)
    topic.targets.exclude(url=inside).delete()
    with pytest.raises(NoCountedTargets) as refusal:
        freeze(topic, set())
    assert refusal.value.field == "hold_out"
    assert refusal.value.message == (
        "Its only target lies in the background (drawn), and none that does is counted. Have"
        " targets taken out by their addresses, choose a background of fewer pages, or add targets."
    )
    topic.targets.all().delete()
    assert freeze(topic, set())["counted_targets"]["rows"] == 0, "it has none to lose"


def test_without_a_background_all_are_counted(topic: Topic) -> None:
    choose_background(topic, None, Topic.BackgroundUse.NONE, Topic.HoldOut.REGARDLESS)
    engine, frozen = crawled(topic)
    assert frozen["counted_targets"]["inside"] == []
    assert engine.targets == {*topic.targets.values_list("url", flat=True)}


def test_before_the_start_no_number_is_shown(topic: Topic) -> None:
    assert COUNTED_TARGETS.id not in expected_origins(topic, set())
    topic.hold_out = Topic.HoldOut.REGARDLESS
    words = origin_words(expected_origins(topic, set()))["counted_targets"]
    assert words == "counted targets: those outside its background"
