from __future__ import annotations

from dataclasses import replace

from apps.engine.intelligence.classifying import page_memory
from apps.engine.intelligence.classifying.page_memory import PageMemory
from apps.engine.model import Kept
from apps.engine.parsing.document import parse_html

PLAIN = parse_html("<p>rye", "http://a.test/")


def kept(page: int):
    return replace(PLAIN, kept=Kept((0, page)))


def test_it_computes_once_for_a_page_that_it_can_tell():
    memory, asked = PageMemory[float](), []
    said = [memory.recall(kept(n), lambda: asked.append(1) or 0.5) for n in (1, 1, 2)]
    assert said == [0.5] * 3 and len(asked) == 2
    assert memory.known(kept(1)) == 0.5 and memory.known(kept(3)) is None


def test_any_other_page_is_computed_each_time():
    memory, asked = PageMemory[float](), []
    for _ in range(2):
        memory.recall(PLAIN, lambda: asked.append(1) or 0.5)
    memory.remember(PLAIN, 0.5)
    assert len(asked) == 2 and memory.known(PLAIN) is None


def test_its_size_is_limited(monkeypatch):
    monkeypatch.setattr(page_memory, "MOST", 3)
    memory = PageMemory[float]()
    for page in range(4):
        memory.remember(kept(page), 0.5)
    assert [memory.known(kept(page)) for page in range(4)] == [None, None, None, 0.5]
