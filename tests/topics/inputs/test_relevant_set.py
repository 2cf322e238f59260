"""LC's judges learn from the entire relevant set: the pages of the targets too (LC §6)."""

from __future__ import annotations

import json

import pytest

from apps.engine.intelligence.topic_model import TopicModel
from apps.topics import services, tasks
from apps.topics.definition.schemas import Definition
from apps.topics.inputs.freezing import freeze, origin_words, origins, supply
from apps.topics.inputs.relevant_set import pages_at_hand, want_target_pages
from apps.topics.models import Topic
from apps.topics.services import create_topic
from apps.topics.snapshots import engine_topic, snapshot
from tests.made_once import made_once
from tests.topic_fixtures import bread, stars


def as_crawled(topic: Topic, judge: str):
    """The engine's topic of a crawl with that judge, through JSON and back."""
    frozen = json.loads(json.dumps(freeze(topic, set(), judge)))
    return supply(engine_topic(snapshot(topic)), topic.pk, frozen), frozen


@pytest.fixture
def split(owner, web) -> Topic:
    """A topic as LC splits a category: positives and targets, nothing for judging; and another
    that lends negatives."""
    lists = {"seeds": bread(0, 1), "positives": bread(*range(4)), "targets": bread(*range(5, 9))}
    other = Definition(name="Stars", web_id=web.pk, lists={"positives": stars(*range(20))})

    def make() -> Topic:
        tasks.run_here(create_topic(owner, other).topic)
        topic = create_topic(owner, Definition(name="Bread", web_id=web.pk, lists=lists)).topic
        tasks.run_here(topic)
        return topic

    return made_once(("split as in LC", web.pk), make, owner)


def test_the_targets_are_among_what_lc_s_judges_learn_from(split: Topic) -> None:
    engine, frozen = as_crawled(split, "lc")
    learnt = {e.url for e in engine.relevant_set if e.relevant}
    assert learnt == set(bread(*range(5, 9)).split())
    # Two negatives for each of the eight positives, eight of which the topic has itself.
    assert sum(not e.relevant for e in (*engine.training, *engine.relevant_set)) == 16
    committee = TopicModel(engine).committee("lc")
    assert committee is not None and committee.judged_by == "lc_committee"
    assert len(committee.members[0].fold_) == 24
    words = origin_words(origins(frozen))["relevant_set"]
    assert words == "judges: 4 of 4 targets learned from, besides the examples"


def test_no_crawl_with_another_judge_is_given_the_targets_pages(split: Topic) -> None:
    engine, frozen = as_crawled(split, "separate")
    assert "relevant_set" not in frozen and engine.relevant_set == ()


def test_on_the_live_web_the_pages_are_fetched_when_asked_and_counted(split: Topic) -> None:
    Topic.objects.filter(pk=split.pk).update(web=None)
    live = Topic.objects.get(pk=split.pk)
    assert pages_at_hand(live) == (0, 4)
    want_target_pages(live)
    live.target_pages.filter(url=bread(5)).delete()
    Topic.objects.filter(pk=split.pk).update(web=split.web)
    tasks.run_here(split)
    Topic.objects.filter(pk=split.pk).update(web=None)
    assert pages_at_hand(Topic.objects.get(pk=split.pk)) == (3, 4)


def test_a_former_target_judges_no_more(split: Topic) -> None:
    as_crawled(split, "lc")
    lists = {"seeds": bread(0), "positives": bread(*range(4)), "targets": bread(5)}
    services.edit_topic(split, Definition(name="Bread", web_id=split.web_id, lists=lists))
    engine, _ = as_crawled(split, "lc")
    assert [e.url for e in engine.relevant_set if e.relevant] == [bread(5)]


def test_targets_named_for_judging_stay_however_often_they_are_saved(owner, web) -> None:
    lists = {
        "positives": bread(*range(4)),
        "targets": bread(5, 6),
        "evaluation_positives": bread(5, 6),
        "evaluation_negatives": stars(5, 6),
    }
    definition = Definition(name="Bread", web_id=web.pk, lists=lists)
    topic = create_topic(owner, definition).topic
    for _ in range(3):
        services.edit_topic(topic, definition)
        judging = topic.examples.filter(role="evaluate", relevant=True)
        assert sorted(judging.values_list("url", flat=True)) == sorted(bread(5, 6).split())
