from __future__ import annotations

import math

import numpy as np
import pytest

from apps.engine.intelligence.evidence import siblings as module
from apps.engine.intelligence.evidence.siblings import Siblings

MEAN = 0.2


def odds(total: float, count: int) -> float:
    shrunk = (total + 2 * MEAN) / (count + 2)
    return math.log(shrunk / (1 - shrunk)) - math.log(MEAN / (1 - MEAN))


def added(*pages: tuple[int, list[int]]) -> Siblings:
    siblings = Siblings()
    for page, targets in pages:
        siblings.add(page, np.array(targets, np.int64))
    return siblings


def of(siblings: Siblings, *urls: int) -> list[float]:
    return siblings.of[np.array(urls)].tolist()


def test_a_link_inherits_how_its_parents_other_pages_turned_out():
    # 1 links to 10, 11, 12; 2 links to 12, 13. Then 10 turns out 1, 13 turns out 0.
    siblings = added((1, [10, 11, 12]), (2, [12, 13]))
    siblings.judge(10, 1.0)
    siblings.judge(13, 0.0)
    assert siblings.update(MEAN).tolist() == [10, 11, 12, 13]
    good, bad = odds(1, 1), odds(0, 1)
    assert good > 0 > bad
    assert of(siblings, 11, 12, 13, 99) == pytest.approx([good, good + bad, bad, 0])


def test_a_page_fetched_before_its_parent_counts_too():
    siblings = Siblings()
    siblings.judge(10, 0.9)
    siblings.add(1, np.array([10, 11]))
    siblings.update(MEAN)
    assert of(siblings, 11) == pytest.approx([odds(0.9, 1)])


def test_only_urls_whose_value_changes_are_named():
    siblings = added((1, [10, 11]), (2, [20, 21]))
    assert siblings.update(MEAN).tolist() == []
    siblings.judge(20, 0.5)
    assert siblings.update(MEAN).tolist() == [20, 21]
    assert siblings.update(MEAN).tolist() == []


def test_bit_by_bit_or_all_at_once_is_the_same():
    rng = np.random.default_rng(3)
    slowly = Siblings()
    for page in range(60):
        slowly.judge(page, float(rng.random()))
        slowly.add(page, rng.choice(200, 12, replace=False))
        slowly.update(MEAN)
    step_by_step = slowly.of[np.arange(200)]
    slowly.refresh(MEAN)
    assert np.abs(step_by_step).max() > 1
    assert slowly.of[np.arange(200)] == pytest.approx(step_by_step)


def test_it_counts_what_a_slow_count_counts():
    rng = np.random.default_rng(4)
    siblings, links, tau = Siblings(), {}, {}
    for page in rng.permutation(80).tolist():
        tau[page] = float(rng.random())
        links[page] = rng.choice(100, 9, replace=False)
        siblings.judge(page, tau[page])
        siblings.add(page, links[page])
    siblings.refresh(MEAN)
    for url in range(100):
        expected = sum(
            odds(sum(judged), len(judged))
            for targets in links.values()
            if url in targets
            if (judged := [tau[t] for t in targets.tolist() if t in tau])
        )
        assert of(siblings, url) == pytest.approx([expected])


def test_a_page_counts_for_the_parents_that_linked_to_it_last(monkeypatch):
    monkeypatch.setattr(module, "MOST_PARENTS", 2)
    siblings = added((1, [10, 11]), (2, [10, 21]), (3, [10, 31]))
    siblings.judge(10, 1.0)
    assert siblings.update(MEAN).tolist() == [10, 21, 31]
    assert of(siblings, 11) == [0]


@pytest.mark.parametrize("most", [2, 50])
def test_a_corrected_judgement_counts_as_if_it_had_been_so_from_the_start(monkeypatch, most):
    monkeypatch.setattr(module, "MOST_PARENTS", most)
    rng = np.random.default_rng(6)
    pages = [(page, float(rng.random()), rng.choice(80, 9, replace=False)) for page in range(60)]
    labels = dict.fromkeys(range(0, 60, 7), 0.95)
    reports, knew = Siblings(), Siblings()
    for page, tau, targets in pages:
        links = targets[targets != page]
        for siblings, judgement in ((reports, tau), (knew, labels.get(page, tau))):
            siblings.judge(page, judgement)
            siblings.add(page, links)
            siblings.update(MEAN)
    for page, tau in labels.items():
        reports.correct(page, tau)
    moved = reports.update(MEAN)
    every = np.arange(80)
    assert len(moved) and reports.of[every] == pytest.approx(knew.of[every])
    assert reports.judgement[np.arange(60)].tolist() == knew.judgement[np.arange(60)].tolist()
    assert reports.links(7).tolist() == [url for url in pages[7][2].tolist() if url != 7]


def test_it_comes_back_as_it_was_before_an_update():
    siblings = added((1, [10, 11]), (2, [10, 12]))
    siblings.judge(10, 0.7)
    again = Siblings()
    again.restore(siblings.state())
    assert again.knows(2) and not again.knows(10)
    assert again.update(MEAN).tolist() == siblings.update(MEAN).tolist() == [10, 11, 12]
    again.add(3, np.array([10, 40]))
    siblings.add(3, np.array([10, 40]))
    again.judge(40, 0.1)
    siblings.judge(40, 0.1)
    assert again.update(MEAN).tolist() == siblings.update(MEAN).tolist()
    assert of(again, 10, 40) == of(siblings, 10, 40)


def test_without_links_there_is_nothing():
    empty = Siblings()
    assert empty.update(MEAN).tolist() == []
    empty.refresh(MEAN)
    assert of(empty, 0, 5) == [0, 0]
