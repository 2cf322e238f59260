"""Which of several people's labels counts: for the topic, for a crawl, and at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User

from apps.crawls.commands.labelling import labels
from apps.crawls.commands.labelling.retrain import pending, retrain
from apps.crawls.errors import CrawlRefused
from apps.crawls.labels.counted import CountingRule, count_labels
from apps.crawls.models import Crawl, Label
from apps.topics.models import Example, Topic
from tests.crawls import run_here
from tests.crawls.commands.labelling.test_labels import paused, teachable

RULES = Topic.LabelRule


@pytest.mark.parametrize(
    ("rule", "answers", "value"),
    [
        (CountingRule(), {1: True}, True),
        (CountingRule(), {1: True, 2: False}, None),
        (CountingRule(), {1: True, 2: False, 3: False}, False),
        (CountingRule(), {}, None),
        (CountingRule(RULES.AGREED), {1: True}, None),
        (CountingRule(RULES.AGREED), {1: True, 2: True}, True),
        (CountingRule(RULES.AGREED), {1: True, 2: False, 3: False}, None),
        (CountingRule(RULES.FIRST, 2), {1: True, 2: False, 3: True}, False),
        (CountingRule(RULES.FIRST, 2), {1: True}, True),
        (CountingRule(RULES.FIRST, 2), {1: True, 3: False}, None),
        (CountingRule(RULES.FIRST, None), {None: True, 3: False}, None),
    ],
    ids=lambda value: "",
)
def test_the_label_that_counts_by_each_rule(rule, answers, value):
    assert rule.value(answers) is value


@pytest.fixture
def topic(transactional_db, data_dir: Path) -> Topic:
    owner = get_user_model().objects.create_user("ada")
    return run_here.bread(owner, run_here.made_web(data_dir))


@pytest.fixture
def crawl(topic: Topic) -> Crawl:
    return paused(topic, "learner")


@pytest.fixture
def mate(topic: Topic) -> User:
    return get_user_model().objects.create_user("mate")


@pytest.fixture
def third(topic: Topic) -> User:
    return get_user_model().objects.create_user("third")


def values(crawl: Crawl) -> dict[int, bool]:
    return {seq: label.relevant for seq, label in count_labels(crawl).items()}


def taught(crawl: Crawl) -> list[bool]:
    examples = crawl.topic.examples.filter(source=Example.Source.LABEL)
    return list(examples.values_list("relevant", flat=True))


def heeded(crawl: Crawl) -> list[bool | None]:
    changes = crawl.changes.filter(kind="label_heeded").order_by("id")
    return [row[3] for change in changes for row in change.payload["labels"]]


def test_a_second_label_stands_beside_the_first_and_a_tie_trains_nothing(crawl, mate, third):
    (seq,) = teachable(crawl, 1)
    labels.label(crawl, seq, True, crawl.owner)
    assert (values(crawl), taught(crawl)) == ({seq: True}, [True])
    labels.label(crawl, seq, False, mate)
    assert (values(crawl), taught(crawl)) == ({}, [])
    own = [labels.labels_of(crawl, [seq], person) for person in (crawl.owner, mate)]
    assert own == [{seq: True}, {seq: False}]
    labels.label(crawl, seq, False, third)
    assert (values(crawl), taught(crawl)) == ({seq: False}, [False])
    assert heeded(crawl) == [True, None, False]
    assert Label.objects.filter(undone_at=None).count() == 3


def test_a_second_label_that_agrees_changes_nothing(crawl, mate):
    (seq,) = teachable(crawl, 1)
    labels.label(crawl, seq, True, crawl.owner)
    version = Topic.objects.get().version
    labels.label(crawl, seq, True, mate)
    assert (values(crawl), pending(crawl), heeded(crawl)) == ({seq: True}, 1, [True])
    assert Topic.objects.get().version == version
    labels.label(crawl, seq, True, crawl.owner)  # the first takes theirs back
    assert (values(crawl), taught(crawl)) == ({seq: True}, [True])


def test_a_label_that_overruled_an_example_gives_it_back_in_a_tie(crawl, mate):
    page = crawl.pages_fetched.get(seq=teachable(crawl, 1)[0])
    crawl.topic.examples.filter(url=page.final_url).delete()
    crawl.topic.examples.create(
        url=page.final_url, relevant=True, source=Example.Source.NAMED, fetch="fetched"
    )
    labels.label(crawl, page.seq, False, crawl.owner)
    assert taught(crawl) == [False]
    labels.label(crawl, page.seq, True, mate)
    example = crawl.topic.examples.get(url=page.final_url)
    assert (example.source, example.relevant, example.overruled) == ("named", True, None)


def test_a_crawl_learns_from_what_counts_and_an_undo_takes_back_ones_own_labels(crawl, mate):
    seqs = teachable(crawl, 6)
    for seq in seqs[:5]:
        labels.label(crawl, seq, True, crawl.owner)
    first = crawl.changes.get(kind="labels")
    assert len(first.payload["labels"]) == 5 and "given" not in first.payload
    first.applied = True
    first.save()
    for seq in seqs[:2]:
        labels.label(crawl, seq, False, mate)
    retrain(crawl, mate)
    last = crawl.changes.filter(kind="labels").last()
    assert len(last.payload["labels"]) == 3 and last.payload["withdrawn"] == 2
    assert len(last.payload["given"]) == 7
    with pytest.raises(CrawlRefused, match="labels of others"):
        labels.go_back(crawl, last.payload["given_before"], last.payload["given"], crawl.owner)
    labels.go_back(crawl, last.payload["given_before"], last.payload["given"], mate)
    assert values(crawl) == dict.fromkeys(seqs[:5], True)
    assert labels.labels_of(crawl, seqs, mate) == {}


def test_the_same_page_in_two_crawls_is_one_page_of_the_topic(topic, mate):
    one, two = paused(topic, "learner"), paused(topic, "breadth_first")
    url = one.pages_fetched.get(seq=teachable(one, 1)[0]).final_url
    here = one.pages_fetched.get(final_url=url).seq
    there = two.pages_fetched.get(final_url=url).seq
    labels.label(one, here, True, one.owner)
    labels.label(two, there, False, mate)
    assert (values(one), values(two), taught(one)) == ({}, {}, [])
    assert heeded(one) == [True, None] and heeded(two) == []
    labels.label(two, there, False, mate)
    assert (values(one), values(two), taught(one)) == ({here: True}, {}, [True])


def test_one_persons_labels_in_two_crawls_count_each_in_its_crawl(topic):
    one, two = paused(topic, "learner"), paused(topic, "breadth_first")
    url = one.pages_fetched.get(seq=teachable(one, 1)[0]).final_url
    here = one.pages_fetched.get(final_url=url).seq
    there = two.pages_fetched.get(final_url=url).seq
    labels.label(one, here, True, one.owner)
    labels.label(two, there, False, one.owner)
    assert (values(one), values(two), taught(one)) == ({here: True}, {there: False}, [False])
