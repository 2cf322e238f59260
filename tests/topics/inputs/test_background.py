"""The background of a topic that names its negatives: other topics' examples, or a sample."""

from __future__ import annotations

import json

import pytest

from apps.crawls.inputs.needs import met_needs
from apps.engine.codes import Need
from apps.engine.intelligence.strategies import strategy
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.representation.bags import BagsMaker, read_bags
from apps.topics import tasks
from apps.topics.definition.schemas import Definition
from apps.topics.examples.page_store import topic_folder
from apps.topics.inputs import background
from apps.topics.inputs.background import held_out_of, labelled_texts_of
from apps.topics.inputs.freezing import freeze, supply
from apps.topics.models import Topic
from apps.topics.services import create_topic
from apps.topics.snapshots import engine_topic, snapshot
from tests.topic_fixtures import bread, stars


def as_crawled(topic: Topic):
    frozen = json.loads(json.dumps(freeze(topic, {Need.BACKGROUND})))
    return supply(engine_topic(snapshot(topic)), topic.pk, frozen), frozen["background"]


def urls_of(topic: Topic, frozen) -> set[str]:
    texts = read_bags(topic_folder(topic.pk) / frozen["file"])
    return {pair[0] for pair in texts.urls}


def of_no_judge(topic: Topic, urls: set[str]) -> bool:
    judging = topic.examples.filter(role="evaluate").values_list("url", flat=True)
    return not urls & {*judging, *topic.targets.values_list("url", flat=True)}


def test_a_recorded_web_lends_the_same_sample_every_time(topic: Topic) -> None:
    engine, frozen = as_crawled(topic)
    urls = urls_of(topic, frozen)
    assert frozen["of"] == "web" and len(urls) == len(engine.background_texts)
    assert len(urls) == frozen["rows"] > 50
    assert of_no_judge(topic, urls)
    assert not urls & {example.url for example in engine.training}
    assert as_crawled(topic)[1] == frozen


def test_the_next_crawl_does_not_read_the_sample_again(topic: Topic, monkeypatch) -> None:
    _, frozen = as_crawled(topic)

    def read_again(*asked: object) -> None:
        raise AssertionError("the pages of the sample are parsed again")

    monkeypatch.setattr(background, "documents", read_again)
    assert as_crawled(topic)[1] == frozen
    # Other code may read other words.
    monkeypatch.setattr(background, "_reading_code", lambda: b"other code")
    with pytest.raises(AssertionError):
        as_crawled(topic)


def test_all_the_other_topics_examples_come_with_the_sample(owner, web, topic: Topic) -> None:
    before = urls_of(topic, as_crawled(topic)[1])
    lists = {"positives": stars(*range(11, 29)), "negatives": bread(25)}
    other = Definition(name="Stars", web_id=web.pk, lists=lists)
    tasks.run_here(create_topic(owner, other).topic)
    _, frozen = as_crawled(topic)
    urls = urls_of(topic, frozen)
    assert frozen["of"] == "both" and of_no_judge(topic, urls)
    # Of the positives one is a negative example here, seven are examples for judging.
    assert urls == before | set(stars(*range(12, 15), *range(22, 29)).split()) | {bread(25)}


def test_a_crawl_counts_rarity_over_it_though_the_topic_names_its_negatives(topic: Topic) -> None:
    assert Need.BACKGROUND in met_needs(topic)
    engine, _ = as_crawled(topic)
    guided = strategy("full_page").build({"idf": "background"}).fit(TopicModel(engine))
    assert guided.classifier_.weighting_.idf_.size


def test_a_live_topic_alone_has_none_and_is_warned(owner, web) -> None:
    lists = {"positives": bread(0, 1), "negatives": stars(0, 1)}
    live = create_topic(owner, Definition(name="Live", lists=lists)).topic
    assert Need.BACKGROUND not in met_needs(live)
    assert freeze(live, {Need.BACKGROUND}).get("background") is None


def test_regardless_of_labels_the_sample_has_targets_and_they_are_not_counted(
    topic: Topic, monkeypatch
) -> None:
    monkeypatch.setattr("apps.topics.inputs.background.SAMPLE", 10_000)
    targets = {*topic.targets.values_list("url", flat=True)}
    topic.targets.create(url="http://elsewhere.test/")  # one at least must be counted
    _, by_address = as_crawled(topic)
    assert by_address["hold_out"] == "addresses" and not urls_of(topic, by_address) & targets
    topic.hold_out = Topic.HoldOut.REGARDLESS
    _, frozen = as_crawled(topic)
    assert frozen["hold_out"] == "regardless"
    assert urls_of(topic, frozen) == urls_of(topic, by_address) | targets
    own = {example.url for example in engine_topic(snapshot(topic)).training}
    assert not urls_of(topic, frozen) & own


def test_a_built_one_keeps_the_targets_texts_regardless_of_labels(topic: Topic) -> None:
    target = topic.targets.first().url
    texts, made = BagsMaker(), ("http://elsewhere.test/", target, bread(0))
    judging = topic.examples.filter(role="evaluate").first().url
    for url in (*made, judging):
        texts.add(["word"], (url,))
    bags = texts.bags()
    assert held_out_of(topic, bags) == labelled_texts_of(topic, bags) == [1, 2, 3]
    topic.hold_out = Topic.HoldOut.REGARDLESS
    assert held_out_of(topic, bags) == [2, 3]
    assert labelled_texts_of(topic, bags) == [1, 2, 3]
