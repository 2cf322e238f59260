from __future__ import annotations

import numpy as np
import pytest

from apps.engine.intelligence.classifying.calibration import logistic
from apps.engine.intelligence.evidence import learned_weights as module
from apps.engine.intelligence.evidence.learned_weights import FEWEST, LearnedWeights

SHIPPED = np.array([0.5, 0.5])


def taught(hold: float, true: list[float], pages: int = 400, start: float = -1.0) -> LearnedWeights:
    rng = np.random.default_rng(5)
    weights = LearnedWeights(SHIPPED, 0.0, hold)
    for parts in rng.normal(size=(pages, 2)):
        weights.add(0, parts, float(logistic(parts @ np.array(true) + start)))
    weights.learn()
    return weights


def test_it_finds_the_weights_that_made_the_judgements():
    learned = taught(0.01, [1.5, 0.2])
    assert learned.parts == pytest.approx([1.5, 0.2], abs=0.03)
    assert learned.start == pytest.approx(-1, abs=0.03)


def test_it_solves_the_penalised_regression():
    # At the minimum the slope is 0: Σ x·(p − y) = −hold·(w − shipped).
    rng = np.random.default_rng(6)
    rows, judged = rng.normal(size=(200, 2)), rng.random(200)
    weights = LearnedWeights(SHIPPED, 0.3, 20.0)
    for parts, judgement in zip(rows, judged, strict=True):
        weights.add(0, parts, judgement)
    for _ in range(5):
        weights.learn()
    missed = logistic(rows @ weights.parts + weights.start) - judged
    assert rows.T @ missed == pytest.approx(-20 * (weights.parts - SHIPPED), abs=1e-6)
    assert missed.sum() == pytest.approx(-0.1 * (weights.start - 0.3), abs=1e-6)


def test_firmly_held_weights_hardly_move():
    assert taught(100_000, [1.5, 0.0]).parts == pytest.approx(SHIPPED, abs=0.01)


def test_a_part_that_misleads_loses_its_weight():
    assert taught(0.01, [1.0, -2.0]).parts[1] == 0


def test_it_learns_nothing_from_a_few_judgements():
    assert taught(0.01, [3, 3], FEWEST - 1).parts.tolist() == SHIPPED.tolist()
    assert taught(0.01, [3, 3], FEWEST).parts.tolist() != SHIPPED.tolist()


def test_only_the_last_judgements_count(monkeypatch):
    monkeypatch.setattr(module, "LAST", 100)
    rng = np.random.default_rng(7)
    weights = LearnedWeights(SHIPPED, 0.0, 0.01)
    for true in ([2.0, 0.0], [0.0, 1.0]):
        for parts in rng.normal(size=(100, 2)):
            weights.add(0, parts, float(logistic(parts @ np.array(true))))
    weights.learn()
    assert weights.parts == pytest.approx([0, 1], abs=0.03)


def test_it_comes_back_and_goes_on_as_if_nothing_had_happened():
    weights = taught(5, [1.0, 0.1], 50)
    assert len(weights.pages) == 50
    again = LearnedWeights(SHIPPED, 0.0, 5)
    again.restore(weights.state())
    for each in (weights, again):
        each.add(9, np.array([1.0, -1.0]), 0.9)
        each.learn()
    assert again.parts.tolist() == weights.parts.tolist() and again.start == weights.start


def test_other_models_replace_what_it_learned_from():
    changed, reports = (LearnedWeights(SHIPPED, 0.0, 1.0) for _ in range(2))
    rng = np.random.default_rng(8)
    for page in range(40):
        parts, other = rng.normal(size=(2, 2))
        changed.add(page, parts, 0.5)
        reports.add(page, np.array([other[0], parts[1]]), float(other[1] > 0))
    assert changed.pages.tolist() == list(range(40))
    state = reports.state()
    unknown_first = np.vstack(([[7.0]], state["parts"][::-1, :1]))
    changed.reread(np.array([99, *reversed(range(40))]), unknown_first)
    changed.replace(1, state["parts"][:, 1], state["judgements"])
    for each in (changed, reports):
        each.learn()
    assert changed.parts.tolist() == reports.parts.tolist()
