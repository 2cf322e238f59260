from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from apps.engine.intelligence.cold_start.subject import suffices
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.parsing.document import document_of_words
from apps.engine.topics import Example, Topic


def page(text: str, relevant: bool = True, **more) -> Example:
    url = f"http://e.test/{text.replace(' ', '-')}"
    return Example(url, document_of_words(url, text.split()), relevant, **more)


TOPIC = Topic(name="bread", language="xx", description="rye bread", keywords=("oven",))


def of(*training: Example, **more) -> TopicModel:
    return TopicModel(replace(TOPIC, training=training, **more))


def test_two_named_pages_of_each_kind_suffice_and_unjudged_ones_do_not_count():
    named = [page("a"), page("b"), page("c", False), page("d", False)]
    assert suffices(named)
    gathered = [*named[:2], *(replace(e, is_unjudged=True) for e in named[2:])]
    assert not suffices(gathered)
    assert of(*gathered).begins_with_words and not of(*named).begins_with_words
    assert not of(*gathered, description="", keywords=()).begins_with_words


@pytest.mark.parametrize(
    ("yes", "no", "enough"), [(20, 40, True), (19, 60, False), (60, 39, False)]
)
def test_of_labels_it_takes_twenty_and_forty(yes, no, enough):
    labels = [page(f"y{i}", from_crawl=True) for i in range(yes)]
    labels += [page(f"n{i}", False, from_crawl=True) for i in range(no)]
    assert suffices(labels) == enough


def test_the_words_are_the_sentence_with_the_keywords_and_the_keywords_alone():
    subject = of().subject()
    assert [len(subject.words.row(i)) for i in range(len(subject.words))] == [3, 1]
    assert len(of(description="").subject().words) == 1
    # rye and bread weigh 1/√3 in the first text, oven as much and 1 in the second.
    weights = sorted(subject.query().terms.tolist())
    assert weights == pytest.approx([1 / math.sqrt(3), 1 / math.sqrt(3), 1 + 1 / math.sqrt(3)])


def test_a_page_weighs_by_how_much_of_the_words_it_has():
    # The words' direction is (1, 1, 1 + √3)/√3 over rye, bread, oven, of length √(2 + (1 + √3)²).
    # Ten other texts of which one is "rye": their cosines are r and nine times 0.
    others = [page("rye", False, is_unjudged=True)]
    others += [page(f"other{i}", False, is_unjudged=True) for i in range(9)]
    subject = of(page("oven"), page("front"), *others).subject()
    length = math.sqrt(2 + (1 + math.sqrt(3)) ** 2)
    r, oven = 1 / length, (1 + math.sqrt(3)) / length
    mean, spread = r / 10, r * math.sqrt(0.1 * 0.9)
    z = (oven - mean) / spread
    assert z > 3  # so that it weighs 1
    assert subject.page_weights().tolist() == [1.0, 0.0]
    half = of(page("rye word"), *others).subject()
    z = (r / math.sqrt(2) - mean) / spread
    assert half.page_weights().tolist() == pytest.approx([(z - 1) / 2])
    assert 0 < (z - 1) / 2 < 1
    assert np.array_equal(half.query().terms > 0, half.query().terms != 0)
