"""Which topics an experiment can have, and what is said of them."""

from __future__ import annotations

import pytest

from apps.experiments.selectors import ready_topics, unready
from apps.topics.models import Example, Seed, Topic
from apps.webs.models import Web
from tests.crawl_rows import made_topic
from tests.people import person

pytestmark = pytest.mark.django_db
QUERIES = 4


@pytest.fixture
def owner(data_dir):
    return person("ada")


@pytest.fixture
def web() -> Web:
    return Web.objects.create(name="meadow", source=Web.Source.FOLDER, folder="meadow", pages=12)


def on_web(owner, web: Web, name: str) -> Topic:
    topic = made_topic(owner, name)
    Topic.objects.filter(pk=topic.pk).update(web=web)
    return topic


@pytest.mark.parametrize("topics", [3, 12])
def test_the_choices_take_the_same_queries_for_any_number_of_topics(
    owner, web, topics, django_assert_max_num_queries
):
    for number in range(topics):
        on_web(owner, web, f"Topic {number:02}")
    with django_assert_max_num_queries(QUERIES):
        choices = ready_topics(owner, web)
    assert [(one.topic.name, one.seeds, one.examples, one.targets) for one in choices] == [
        (f"Topic {number:02}", 3, 8, 4) for number in range(topics)
    ]


def test_only_examples_that_are_learnt_from_count(owner, web):
    topic = on_web(owner, web, "Sourdough")
    first, second, third, *_ = topic.examples.all()
    Example.objects.filter(pk=first.pk).update(left_out=True)
    Example.objects.filter(pk=second.pk).update(fetch=Example.Fetch.FAILED)
    Example.objects.filter(pk=third.pk).update(role=Example.Role.EVALUATE)
    (choice,) = ready_topics(owner, web)
    assert choice.examples == 5


def test_what_is_missing_is_said_alike_of_a_choice_and_of_the_topic(owner, web):
    on_web(owner, web, "A")
    no_seeds, no_examples = on_web(owner, web, "B"), on_web(owner, web, "C")
    Seed.objects.filter(topic=no_seeds).delete()
    Example.objects.filter(topic=no_examples).update(left_out=True)
    Topic.objects.filter(pk=no_examples.pk).update(keywords=[])
    choices = ready_topics(owner, web)
    assert [one.problem for one in choices] == [
        "",
        "It has no seeds.",
        "It has neither examples nor keywords.",
    ]
    assert [unready(one.topic) for one in choices] == [one.problem for one in choices]
    assert choices[0].warning == "4 targets are few to measure recall with."
    choices[0].topic.targets.all().delete()
    assert ready_topics(owner, web)[0].warning == "It has no targets, so recall is not measured."


@pytest.mark.parametrize(
    ("keeps", "message"),
    [
        ({"relevant": True}, ""),  # texts of its background stand in for negatives
        (
            {"url": "http://example0.test/"},
            "2 positive and 2 negative examples train a classifier; it has 1 and 0.",
        ),
        (
            {"url__in": [f"http://example{i}.test/" for i in (0, 1, 7)]},
            "2 positive and 2 negative examples train a classifier; it has 2 and 1.",
        ),
    ],
)
def test_a_topic_whose_classifier_cannot_be_trained_is_not_ready(owner, web, keeps, message):
    topic = on_web(owner, web, "Sourdough")
    topic.examples.exclude(**keeps).delete()
    (choice,) = ready_topics(owner, web)
    assert choice.problem == unready(choice.topic) == message


def test_a_classifier_that_failed_is_reported_and_keywords_alone_are_warned_of(owner, web):
    failed, bare = on_web(owner, web, "A"), on_web(owner, web, "B")
    Topic.objects.filter(pk=failed.pk).update(quality={"failure": "a stored page is gone"})
    bare.examples.all().delete()
    choices = ready_topics(owner, web)
    assert [one.problem for one in choices] == [
        "Its classifier could not be trained: a stored page is gone.",
        "",
    ]
    assert unready(choices[0].topic) == choices[0].problem
    assert "It has no examples" in choices[1].warning
