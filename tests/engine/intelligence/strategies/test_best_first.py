from __future__ import annotations

import math
from dataclasses import replace

import pytest

from apps.engine.errors import NeedsMissing
from apps.engine.intelligence.strategies.best_first import BestFirst
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.topics import Topic
from tests.engine.intelligence.strategies.toy import rich_topic, visit_of


def test_without_examples_it_is_the_cosine_with_the_keywords():
    # Keywords sourdough, bread, oven; no text to count rarity over, so idf = 1. The page has
    # bread twice and paper once: cos = 2/(√3·√5).
    topic = TopicModel(Topic("t", language="en", keywords=("sourdough", "bread", "oven")))
    visit = visit_of("<p>bread bread paper</p><a href=/a></a><a href=/b></a>", topic)
    scores = BestFirst().fit(topic).score_links(visit)
    assert scores.tolist() == pytest.approx([2 / math.sqrt(15)] * 2)


def test_with_examples_it_is_the_cosine_with_their_centroid():
    # Two positive pages, "bread oven" and "bread dough", and a negative one, "signal paper":
    # N = 3; idf bread = ln 3/2 = .405, oven = dough = ln 3 = 1.099. Each page's length is
    # √(.405² + 1.099²) = 1.171; the centroid is (.346, .469, .469)/… for bread, oven, dough:
    # bread .405/1.171 = .346; oven and dough 1.099/1.171/2 = .469. Its length is .748.
    # The page "bread": cosine .346/.748 = .463.
    bread, rare = math.log(3 / 2), math.log(3)
    length = math.hypot(bread, rare)
    centroid = (bread / length, rare / length / 2, rare / length / 2)
    examples = rich_topic().training
    texts = [("bread oven", True), ("bread dough", True), ("signal paper", False)]
    training = tuple(
        replace(
            e,
            relevant=relevant,
            document=replace(e.document, words=text.split(), visible=2, text_start=0),
        )
        for e, (text, relevant) in zip(examples, texts, strict=False)
    )
    topic = TopicModel(Topic("t", language="en", training=training))
    visit = visit_of("<p>bread</p><a href=/a></a>", topic)
    score = BestFirst().fit(topic).score_links(visit)[0]
    assert score == pytest.approx(centroid[0] / math.hypot(*centroid))
    assert score == pytest.approx(0.463, abs=0.001)


def test_without_examples_and_keywords_it_reports_that():
    with pytest.raises(NeedsMissing):
        BestFirst().fit(TopicModel(Topic("t", language="en")))
