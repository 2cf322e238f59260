from __future__ import annotations

from apps.engine.intelligence.classifying import page_memory
from apps.engine.intelligence.classifying.page_memory import PageMemory


def test_it_computes_once_for_a_page_that_it_recognises():
    memory, asked = PageMemory[float](), []
    message = [memory.recall((0, n), lambda: asked.append(1) or 0.5) for n in (1, 1, 2)]
    assert message == [0.5] * 3 and len(asked) == 2
    assert memory.lookup((0, 1)) == 0.5 and memory.lookup((0, 3)) is None


def test_any_other_page_is_computed_each_time():
    memory, asked = PageMemory[float](), []
    for _ in range(2):
        memory.recall(None, lambda: asked.append(1) or 0.5)
    memory.remember(None, 0.5)
    assert len(asked) == 2 and memory.lookup(None) is None


def test_its_size_is_limited(monkeypatch):
    monkeypatch.setattr(page_memory, "MOST", 3)
    memory = PageMemory[float]()
    for page in range(4):
        memory.remember((0, page), 0.5)
    assert [memory.lookup((0, page)) for page in range(4)] == [None, None, None, 0.5]
