"""Negatives drawn from the background, for a topic that names none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from apps.background_sources.keeping import keep_of_recipe
from apps.engine import topics
from apps.engine.codes import Need
from apps.engine.representation.bags import BagsMaker, read_bags
from apps.topics import tasks
from apps.topics.definition.schemas import Definition
from apps.topics.examples.page_store import topic_file
from apps.topics.inputs import sampled_negatives
from apps.topics.inputs.catalogue import topic_needs
from apps.topics.inputs.freezing import expected_origins, freeze, origin_words, origins, supply
from apps.topics.models import Topic
from apps.topics.services import create_topic
from apps.topics.snapshots import engine_topic, snapshot
from apps.webs.models import Web
from tests.made_once import made_once
from tests.people import site_of
from tests.topic_fixtures import MADE, bread, stars

NEEDS = {Need.EXAMPLES}


def weak(owner: Any, web: Web | None, **lists: str) -> Topic:
    """Three positives and keywords."""
    given = {"positives": bread(0, 1, 2), "seeds": bread(0), "targets": bread(3), **lists}
    definition = Definition(name="Weak", keywords=("dough",), web_id=web and web.pk, lists=given)

    def make() -> Topic:
        topic = create_topic(owner, definition).topic
        tasks.run_here(topic)
        return topic

    return made_once(("weak", web and web.pk, repr(lists)), make, owner)


def is_met(topic: Topic) -> bool:
    return next(each for each in topic_needs() if each.need == Need.EXAMPLES).is_met(topic)


def test_on_a_recorded_web_they_are_a_uniform_sample_of_it_without_the_topics_pages(
    owner, web: Web
) -> None:
    topic = weak(owner, web)
    frozen = freeze(topic, NEEDS)["sampled_negatives"]
    assert frozen["of"] == "web" and frozen["rows"] == len(frozen["numbers"]) > 70
    # Three of ten of those drawn are left out, and most of them are on the topic.
    drawn = frozen["rows"] + frozen["left_out_alike"]
    assert frozen["left_out_alike"] == round(0.3 * drawn)
    assert len(frozen["alike"]) == 3 and all("bread" in MADE.labels(u) for u in frozen["alike"])
    texts = read_bags(topic_file(topic.pk, frozen["file"]))
    negatives = [texts.urls[number][0] for number in frozen["numbers"]]
    assert sum("bread" in MADE.labels(url) for url in negatives) < 0.05 * len(negatives)
    given = supply(engine_topic(snapshot(topic)), topic.pk, {"sampled_negatives": frozen})
    positives, keywords, negatives = given.training[:3], given.training[3], given.training[4:]
    assert all(example.relevant for example in positives)
    assert keywords.relevant and list(keywords.document.words) == ["dough"]
    assert {(example.relevant, example.weight) for example in negatives} == {(False, 0.5)}
    own = {" ".join(sorted(example.document.words)) for example in positives}
    assert own.isdisjoint(" ".join(sorted(example.document.words)) for example in negatives)
    assert is_met(topic)


@pytest.mark.parametrize(
    ("keywords", "expected"),
    [
        (("Rye bread", "dough"), ["rye", "bread", "dough"]),
        ((), None),
        (("the", "2024"), None),
    ],
)
def test_keywords_are_a_text_if_one_of_their_words_counts(
    keywords: tuple[str, ...], expected: list[str] | None
) -> None:
    topic = topics.Topic("Bread", language="en", keywords=keywords)
    words = sampled_negatives.keywords_text(topic)
    assert [list(each.document.words) for each in words] == ([expected] if expected else [])


def test_the_same_background_gives_the_same_ones_again(owner, web: Web) -> None:
    topic = weak(owner, web)
    assert freeze(topic, NEEDS) == freeze(topic, NEEDS)


def test_enough_of_the_chosen_background_are_drawn_each_as_likely_as_any() -> None:
    drawn = np.zeros(250)
    for number in range(60):
        texts = BagsMaker()
        for i in range(250):
            texts.add([f"word{i}", f"of{number}"], [f"http://{number}.test/{i}"])
        numbers = sampled_negatives.draw_texts(texts.bags(), left_out={0, 1})
        # Of 143 three tenths are left out, so that 100 are negatives.
        assert len(numbers) == len(set(numbers)) == 143 and not {0, 1} & set(numbers)
        drawn[numbers] += 1
    expected = 60 * 143 / 248
    assert abs(drawn[2:].mean() - expected) < 1e-9
    assert drawn[2:].min() > 0.3 * expected and drawn[2:].max() < 2 * expected


def test_those_of_a_built_background_name_it(owner, web: Web) -> None:
    texts = BagsMaker()
    for i in range(5):
        texts.add(["far", f"away{i}"], [f"http://far.test/{i}"])
    topic = weak(owner, web)
    topic.background = keep_of_recipe(owner, "Far away", texts.bags())
    topic.save()
    frozen = freeze(topic, NEEDS)
    assert frozen["sampled_negatives"]["numbers"] == [0, 1, 2, 3, 4]
    message = origin_words(frozen)["sampled_negatives"]
    assert message == "negatives: 5 texts drawn at random from Far away"


def test_its_words_name_what_was_left_out(owner, web: Web) -> None:
    frozen = freeze(weak(owner, web), NEEDS)["sampled_negatives"]
    words = origin_words(origins({"sampled_negatives": frozen}))["sampled_negatives"]
    assert f"left out as most like the topic: {frozen['left_out_alike']}, as http://" in words


def test_never_for_a_topic_that_names_a_negative(owner, web: Web) -> None:
    topic = weak(owner, web, negatives=stars(0))
    assert "sampled_negatives" not in freeze(topic, NEEDS)
    assert not is_met(topic)


def test_pages_labelled_n_count_besides(owner, web: Web) -> None:
    topic = weak(owner, web, negatives=stars(0))
    topic.examples.filter(relevant=False).update(source="label")
    assert freeze(topic, NEEDS)["sampled_negatives"]["rows"] > 70
    assert is_met(topic)


def test_nor_where_there_is_no_background(owner, web: Web) -> None:
    topic = weak(owner, web)
    topic.background_use = Topic.BackgroundUse.NONE
    topic.save()
    assert "sampled_negatives" not in freeze(topic, NEEDS)
    assert not is_met(topic)


@pytest.mark.parametrize("second", [MADE.url(4), "http://h0.test/old"])
def test_two_examples_that_lead_to_one_page_are_one_positive(owner, web: Web, second: str) -> None:
    topic = weak(owner, web, positives=f"{MADE.url(0)}\n{second}")
    given = freeze(topic, NEEDS)
    assert ("sampled_negatives" in given) == (second == MADE.url(4)) == is_met(topic)


def test_its_page_names_who_would_judge_its_crawls(owner, web: Web) -> None:
    topic = weak(owner, web)
    page = site_of(owner).get(f"/topics/{topic.pk}/").content.decode()
    assert "crawls would be judged by the guiding classifier" in page
    assert "nothing to judge a crawl by" not in page


def test_before_a_crawl_it_is_announced_that_they_will_be_drawn(owner, web: Web) -> None:
    message = origin_words(expected_origins(weak(owner, web), NEEDS))
    assert message["sampled_negatives"] == (
        "negatives: up to 100 texts, to be drawn at random from its background"
    )
