from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from apps.engine.intelligence.cold_start.cold_start import ColdStart, next_step
from apps.engine.intelligence.cold_start.page_readings import PageReading
from apps.engine.intelligence.evidence.link_evidence import texts_of
from apps.engine.intelligence.topic_model import TopicModel
from apps.engine.topics import VectorTable
from tests.engine.intelligence.cold_start.test_subject import of, page
from tests.engine.intelligence.strategies.toy import visit_of

NONE = np.empty(0, np.int64)
SUBJECTS = ("rye oven dough yeast", "steam rail track signal")


def begun(topic=None, pages: int = 60) -> ColdStart:
    """A crawl of "rye bread, oven" after so many pages, of which every third is about baking; half
    of those have none of the topic's words but "dough" and "yeast"."""
    topic = topic or of()
    start = ColdStart(topic.subject())
    for i in range(pages):
        text = SUBJECTS[i % 3 != 0] + f" filler{i} plain{i % 7} common"
        if i % 6 == 3:
            text = text.replace("rye oven", "")
        visit = visit_of(f"<p>{text}</p>", topic, number=i, url=f"http://p.test/{i}")
        texts = texts_of(0.0, np.empty(0), np.empty(0))
        start.remember(PageReading.of(visit, NONE, texts, True))
    return start


def odds(start: ColdStart, topic, text: str) -> float:
    return float(start.log_odds(visit_of(f"<p>{text}</p>", topic).page())[0])


def test_it_is_renewed_at_the_pages_of_the_recipe_and_then_when_it_has_grown_by_a_quarter():
    steps = [0]
    while steps[-1] < 700:
        steps.append(next_step(steps[-1]))
    assert steps[1:] == [10, 20, 30, 40, 50, 100, 150, 200, 300, 400, 500, 625, 782]


def test_until_page_fifty_only_the_words_count():
    topic = of()
    start = begun(topic, pages=40)
    start.renew(40)
    assert start.basis == "words"
    assert odds(start, topic, "yeast") == odds(start, topic, "steam") < odds(start, topic, "rye")


def test_then_it_learns_the_words_that_go_with_them():
    topic = of()
    start = begun(topic)
    start.renew(60)
    assert start.basis == "self_taught"
    assert odds(start, topic, "yeast") > odds(start, topic, "common") > odds(start, topic, "steam")
    # The guard: bread, which no page has, still counts.
    assert odds(start, topic, "bread") > odds(start, topic, "common")


def test_labels_scale_the_chances_of_the_list_and_leave_the_spread_of_the_guide():
    labels = [page(f"rye oven l{i}", from_crawl=True) for i in range(8)]
    labels += [page(f"rye rail l{i}", i < 6, from_crawl=True) for i in range(9, 11)]
    topic = of(*labels)
    start = begun(topic)
    plain = begun()
    start.renew(60)
    plain.renew(60)
    assert plain.list_.slope == pytest.approx(1.5) and plain.list_.intercept == pytest.approx(-2)
    assert (start.list_.slope, start.list_.intercept) != pytest.approx((1.5, -2.0))
    deviations = start.guide_.deviations(start.pages.texts())
    assert (deviations.mean(), deviations.std()) == pytest.approx((0, 1), abs=1e-9)


def test_other_labels_are_learned_at_once():
    topic = of()
    start = begun(topic)
    start.renew(60)
    assert not start.is_due(61)
    taught = ColdStart(of(page("rye", from_crawl=True)).subject())
    taught.restore(start.state())
    assert taught.is_due(61)
    taught.renew(61)
    assert not taught.is_due(62)


def test_it_goes_on_from_a_checkpoint():
    topic = of()
    start = begun(topic)
    start.renew(60)
    again = ColdStart(topic.subject())
    again.restore(start.state())
    for text in ("yeast", "steam", "rye bread"):
        assert odds(again, topic, text) == odds(start, topic, text)
    assert (again.basis, again.renewed_at_) == (start.basis, 60)
    start.renew(75)
    again.renew(75)
    assert odds(again, topic, "yeast") == odds(start, topic, "yeast")


# Of the words that no query has, loaf is used like rye, and wheel and piston are not.
VECTORS = VectorTable(
    ("rye", "bread", "oven", "loaf", "wheel", "piston"),
    np.array([[1, 0]] * 4 + [[0, 1]] * 2, np.float32),
)


def test_with_vectors_words_used_like_the_topics_count_from_the_start():
    topic = of(vectors=VECTORS)
    start = begun(topic, pages=40)
    start.renew(40)
    assert start.basis == "words_and_vectors"
    assert odds(start, topic, "loaf") > odds(start, topic, "wheel")
    plain = begun(of(), pages=40)
    plain.renew(40)
    assert odds(plain, of(), "loaf") == odds(plain, of(), "wheel")


def labels(word_on: str, word_off: str):
    """Ten labels: the odd ones off the topic."""
    return [
        page(f"{(word_on, word_off)[i % 2]} text{i} label{i}", i % 2 == 0, from_crawl=True)
        for i in range(10)
    ]


@pytest.mark.parametrize(
    ("words", "weight", "basis"),
    [
        (("loaf", "wheel"), 1.0, "self_taught_and_vectors"),
        # The vectors mislead: what is used like the words is off the topic.
        (("wheel", "loaf"), 0.0, "self_taught"),
    ],
)
def test_the_first_ten_labels_choose_what_vectors_count(words, weight, basis):
    topic = of(*labels(*words), vectors=VECTORS)
    start = begun(topic)
    start.renew(60)
    assert start.subject.meanings.weight == weight and start.basis == basis
    again = ColdStart(topic.subject())
    again.restore(start.state())
    assert again.subject.meanings.weight == weight and not again.is_due(61)
    assert odds(again, topic, "loaf") == odds(start, topic, "loaf")


def test_too_few_labels_of_either_kind_choose_nothing_and_later_ones_no_more():
    few = begun(of(*labels("wheel", "loaf")[:9], vectors=VECTORS))
    few.renew(60)
    assert few.subject.meanings.weight == 1.0 and not few.is_chosen_
    off = [replace(each, relevant=i < 1) for i, each in enumerate(labels("wheel", "loaf"))]
    of_one_kind = begun(of(*off, vectors=VECTORS))
    of_one_kind.renew(60)
    assert of_one_kind.subject.meanings.weight == 1.0 and not of_one_kind.is_chosen_
    topic = of(*labels("loaf", "wheel"), vectors=VECTORS)
    chosen = begun(topic)
    chosen.renew(60)
    misled = replace(topic.topic, training=tuple(labels("wheel", "loaf")))
    later = ColdStart(TopicModel(misled, topic.vocabulary).subject())
    later.restore(chosen.state())
    later.renew(75)
    assert later.subject.meanings.weight == 1.0


def test_without_vectors_a_checkpoint_is_what_it_was():
    start = begun()
    start.renew(60)
    assert not {"vector_weight", "is_chosen"} & start.state().keys()
    assert start.is_chosen_ and not start.subject.meanings.width
