"""Scores of a crawl's pages by all that is known at its end."""

from __future__ import annotations

import numpy as np
import pytest

from apps.engine.intelligence.cold_start.cold_start import ColdStart
from apps.engine.intelligence.cold_start.end_scores import LABELS, end_scores
from apps.engine.intelligence.cold_start.page_readings import PageReading
from apps.engine.intelligence.evidence.link_evidence import texts_of
from apps.engine.model import TokenRows
from apps.engine.topics import Example
from tests.engine.intelligence.cold_start.test_cold_start import begun
from tests.engine.intelligence.cold_start.test_subject import of, page
from tests.engine.intelligence.strategies.toy import visit_of

NONE = texts_of(0.0, np.empty(0), np.empty(0))


def labelled(number: int, yes: int) -> list[Example]:
    """Labels of pages of a crawl: the first ones, about rye, are on the topic."""
    return [
        page(f"{'rye oven' if i < yes else 'rail steam'} l{i}", i < yes, from_crawl=True)
        for i in range(number)
    ]


def scores(
    labels: list[Example], texts: list[str], links: dict[int, list[int]], deviations: list[float]
) -> list[float]:
    """The scores of pages with these texts, of which those of the first labels are labelled."""
    topic = of(*labels)
    urls = [each.url for each in labels] + [f"http://p.test/{i}" for i in range(len(texts))]
    visits = [
        visit_of(f"<p>{text}</p>", topic, number=i, url=url)
        for i, (url, text) in enumerate(zip(urls, texts, strict=False))
    ]
    pages = [PageReading.of(visit, np.empty(0, np.int64), NONE, True) for visit in visits]
    for number, targets in links.items():
        pages[number].targets = np.array(targets, np.int64)
    rows = TokenRows.of([visit.tokens for visit in visits])
    return end_scores(topic.subject(), np.array(deviations), pages, rows).tolist()


def test_with_few_labels_the_guide_alone_counts() -> None:
    few = labelled(LABELS - 1, 4)
    texts, guessed = ["rye"] * 12, [float(i) for i in range(12)]
    assert scores(few, texts, {10: [0]}, guessed) == guessed


def test_of_equal_pages_those_beside_a_yes_come_before_those_beside_a_no() -> None:
    labels = labelled(LABELS, 5)
    texts = [*["dough"] * LABELS, "dough", "dough", "dough", "dough"]
    links = {10: [0], 9: [11], 12: [12]}
    of_yes, of_no, of_itself, alone = scores(labels, texts, links, [0.0] * 14)[LABELS:]
    assert of_yes > alone == of_itself > of_no


def test_the_words_of_labelled_pages_count_beside_the_guide() -> None:
    labels = labelled(LABELS, 5)
    texts = [*["plain"] * LABELS, "oven", "steam", "other"]
    like_yes, like_no, other = scores(labels, texts, {}, [0.0] * 13)[LABELS:]
    assert like_yes > other > like_no


def test_the_guide_counts_as_well() -> None:
    labels = labelled(LABELS, 5)
    texts = ["plain"] * (LABELS + 2)
    low, high = scores(labels, texts, {}, [0.0] * LABELS + [-1.0, 1.0])[LABELS:]
    assert high > low


def test_a_crawl_has_no_such_chances_before_it_has_taught_itself() -> None:
    start = begun(pages=40)
    start.renew(40)
    assert start.chances_at_end() == {}


def test_without_labels_they_are_those_of_the_last_guide() -> None:
    topic = of()
    start = begun(topic)
    start.renew(60)
    chances = start.chances_at_end()
    assert sorted(chances) == list(range(60))
    text = visit_of("<p>steam rail track signal filler1 plain1 common</p>", topic).page()
    assert chances[1] == pytest.approx(start.list_chance(text))


def test_with_labels_they_order_the_pages_by_more_than_the_guide() -> None:
    topic = of(*labelled(12, 6))
    start = begun(topic)
    start.renew(60)
    chances = start.chances_at_end()
    assert all(0 < chance < 1 for chance in chances.values())
    baking = [chances[i] for i in range(60) if i % 3 == 0]
    others = [chances[i] for i in range(60) if i % 3]
    assert min(baking) > max(others)
    again = ColdStart(topic.subject())
    again.restore(start.state())
    assert again.chances_at_end() == chances
