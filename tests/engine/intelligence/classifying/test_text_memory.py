"""The log-odds of pages' texts and of addresses, remembered up to a size."""

from __future__ import annotations

import numpy as np

from apps.engine.intelligence.classifying import text_memory
from apps.engine.intelligence.classifying.text_memory import PageTexts, TextMemory


def texts(links: int) -> PageTexts:
    return PageTexts(0.5, np.zeros((2, links)))


def test_a_page_is_identified_by_its_window_and_its_number_of_links():
    memory, page = TextMemory(), texts(3)
    memory.remember(((0, 1), 40, 3), page)
    assert memory.lookup(((0, 1), 40, 3)) is page
    for other in (((0, 2), 40, 3), ((0, 1), 20, 3), ((0, 1), 40, 2)):
        assert memory.lookup(other) is None


def test_addresses_are_scored_unless_all_of_them_are_remembered():
    memory, asked = TextMemory(), []

    def score(*odds: float):
        return lambda: asked.append(odds) or np.array(odds)

    assert memory.addresses([], score()).tolist() == [] and not asked
    memory.remember_addresses(["a", "b"], np.array([1.0, 2.0]))
    assert memory.addresses(["b", "a"], score(7, 7)).tolist() == [2.0, 1.0] and not asked
    assert memory.addresses(["b", "c"], score(2, 3)).tolist() == [2.0, 3.0] and len(asked) == 1
    assert memory.addresses(["c"], score(7)).tolist() == [3.0] and len(asked) == 1


def test_its_size_is_limited(monkeypatch):
    monkeypatch.setattr(text_memory, "MOST_NUMBERS", 20)
    monkeypatch.setattr(text_memory, "MOST_ADDRESSES", 3)
    memory = TextMemory()
    keys = [((0, page), 40, 4) for page in range(3)]
    for key in keys:
        memory.remember(key, texts(4))
    assert [memory.lookup(key) is None for key in keys] == [True, True, False]
    memory.remember_addresses(["a", "b", "c"], np.zeros(3))
    memory.remember_addresses(["d"], np.ones(1))
    scored = memory.addresses(["a"], lambda: np.array([5.0]))
    assert scored.tolist() == [5.0] and memory.addresses(["d"], lambda: scored).tolist() == [1.0]
