from __future__ import annotations

import numpy as np
import pytest

from apps.engine.frontier.parents import POLICIES

# Three URLs: one with three links, one with one, one with none.
ROW = np.array([0, 1, 0, 0])
SCORES = np.array([0.2, 0.9, 0.6, 0.1])


@pytest.mark.parametrize("policy", POLICIES.values(), ids=lambda policy: policy.id)
def test_link_by_link_is_as_all_at_once(policy) -> None:
    expected = [0.0, 0.0, 0.0]
    for row in (0, 1):
        expected[row], *later = SCORES[row == ROW]
        for seen, score in enumerate(later, 1):
            expected[row] = policy.merge(expected[row], seen, score)
    assert policy.combine(3, ROW, SCORES).tolist() == pytest.approx(expected)


@pytest.mark.parametrize(
    ("id", "value"), [("max", 0.6), ("first", 0.2), ("mean", 0.3), ("sum", 0.9)]
)
def test_each_policy_has_its_known_answer(id: str, value: float) -> None:
    assert POLICIES[id].combine(3, ROW, SCORES).tolist() == pytest.approx([value, 0.9, 0.0])


def test_each_has_words_of_its_own() -> None:
    for words in ("title", "phrase", "__doc__"):
        assert len({getattr(policy, words) for policy in POLICIES.values()}) == len(POLICIES)
