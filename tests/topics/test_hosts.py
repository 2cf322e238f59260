"""Decisions on hosts are carried in the topic's file, in copies and in recipes."""

from __future__ import annotations

import pytest

from apps.recipes.topics import topic_for, topic_part
from apps.schemas.refused import Refused
from apps.topics.copying import copy_topic
from apps.topics.definition.schemas import TopicFile
from apps.topics.exporting import topic_file_of
from apps.topics.hosts import decide, decisions_on, parse_names, replace_all
from apps.topics.importing import import_topic
from tests.crawl_rows import made_crawl, made_topic
from tests.people import person

DECISIONS = {"a.test": True, "*.b.test": False, "u.test/~ann": True}


@pytest.fixture
def topic(db):
    topic = made_topic(person("ada"))
    decide(topic, ["a.test", "u.test/~ann"], "in", topic.owner)
    decide(topic, ["*.b.test"], "out", topic.owner)
    return topic


def test_a_file_carries_them_and_replaces_those_of_a_topic(topic):
    file = TopicFile.read(topic_file_of(topic))
    other = person("ben")
    made = import_topic(other, file, fetch=lambda topic: None).topic
    assert decisions_on(made) == DECISIONS
    decide(made, ["c.test"], "in", other)
    import_topic(other, file, replace=True, fetch=lambda topic: None)
    assert decisions_on(made) == DECISIONS
    without = TopicFile.read({"name": made.name})
    import_topic(other, without, replace=True, fetch=lambda topic: None)
    assert decisions_on(made) == DECISIONS


def test_a_copy_has_them_with_their_people(topic):
    copy = copy_topic(topic, person("ben"))
    assert decisions_on(copy) == DECISIONS
    assert copy.host_decisions.get(name="a.test").by == topic.owner


def test_a_recipe_carries_them_and_distinguishes_topics_by_them(topic):
    part = topic_part(made_crawl(topic))
    other = person("ben")
    made, is_new = topic_for(other, part, None)
    assert is_new and decisions_on(made) == DECISIONS
    assert topic_for(other, part, None) == (made, False)
    decide(made, ["a.test"], "out", other)
    again, is_new = topic_for(other, part, None)
    assert is_new and again != made


def test_decisions_that_stay_keep_their_date_when_all_are_replaced(topic):
    at = topic.host_decisions.get(name="a.test").at
    replace_all(topic, {"a.test": "in", "d.test": "out"}, None)
    assert decisions_on(topic) == {"a.test": True, "d.test": False}
    assert topic.host_decisions.get(name="a.test").at == at


@pytest.mark.parametrize("texts", [[], ["not a host"], ["a.test", ""]])
def test_what_names_no_host_is_refused(texts):
    with pytest.raises(Refused):
        parse_names(texts)
