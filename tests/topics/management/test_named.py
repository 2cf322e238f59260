"""Topics that a command names."""

from __future__ import annotations

import pytest
from django.core.management.base import CommandError

from apps.topics.management.named import topic_named
from tests.crawl_rows import made_topic
from tests.people import person

pytestmark = pytest.mark.django_db


def test_a_topic_is_named_by_its_name_or_number() -> None:
    topic = made_topic(person("ada"), "Rye")
    assert topic_named("Rye") == topic_named(str(topic.pk)) == topic


def test_a_name_of_several_is_refused_with_their_numbers() -> None:
    topics = [made_topic(person(name), "Rye") for name in ("ada", "bea")]
    with pytest.raises(CommandError, match=f"give a number .{topics[1].pk}, {topics[0].pk}."):
        topic_named("Rye")


def test_an_unknown_one_is_refused_with_the_topics_there_are() -> None:
    with pytest.raises(CommandError, match=r"There is no topic Rye\. Topics: none yet"):
        topic_named("Rye")
    made_topic(person("ada"), "Oats")
    with pytest.raises(CommandError, match="Topics: Oats"):
        topic_named("Rye")
