"""What looks like a topic is no negative, whoever drew it."""

from __future__ import annotations

from apps.topics.definition.schemas import Definition
from apps.topics.inputs.likeness import leave_likest_out, likest_of
from apps.topics.models import Topic
from apps.topics.services import create_topic


def made_topic(owner, **more) -> Topic:
    return create_topic(owner, Definition(name="Rye", language="en", **more)).topic


def test_three_of_ten_texts_are_alike_the_most_alike_first(owner) -> None:
    topic = made_topic(owner, description="Rye bread from the oven.", keywords=("rye",))
    texts = [["rail", f"track{i}"] for i in range(6)]
    texts += [["rye", "oven"], ["bread", "rail"], ["rye"], ["oven", "rail"]]
    assert set(likest_of(topic, texts)[:2]) == {6, 8}
    assert len(likest_of(topic, texts)) == 3


def test_a_text_without_any_of_the_words_is_not_alike(owner) -> None:
    topic = made_topic(owner, keywords=("rye",))
    assert likest_of(topic, [["rail"], ["track"], ["steam"], ["boiler"]]) == []


def test_a_topic_without_gathered_pages_leaves_nothing_out(owner) -> None:
    assert leave_likest_out(made_topic(owner, keywords=("rye",))) == 0
