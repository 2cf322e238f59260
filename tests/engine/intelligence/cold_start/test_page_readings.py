from __future__ import annotations

import numpy as np
import pytest

from apps.engine.intelligence.cold_start import page_readings
from apps.engine.intelligence.cold_start.page_readings import PageReading, PageReadings
from apps.engine.intelligence.evidence.link_evidence import texts_of
from tests.engine.intelligence.cold_start.test_subject import of
from tests.engine.intelligence.strategies.toy import visit_of

HTML = '<p>crust <a href="/a">oven</a> garden <a href="/b">rail</a></p>'


def reading(topic, number: int, judges: bool = True) -> PageReading:
    visit = visit_of(HTML, topic, number=number, links=[7, 8])
    texts = texts_of(1.0, np.array([0.5, -0.5]), np.array([2.0, -2.0]))
    return PageReading.of(visit, np.array([0, 1]), texts, judges)


def pages_of(topic) -> PageReadings:
    pages = PageReadings()
    for number, judges in ((3, True), (4, False), (5, True)):
        pages.add(reading(topic, number, judges))
    return pages


def test_a_page_can_be_read_again():
    topic = of()
    visit = visit_of(HTML, topic, number=3, links=[7, 8])
    page = reading(topic, 3)
    assert page.targets.tolist() == [7, 8]
    assert page.visit().text.tolist() == visit.text.tolist()
    assert page.visit().links.anchor_start.tolist() == visit.links.anchor_start.tolist()


def test_pages_that_need_scripts_are_no_evidence():
    pages = pages_of(of())
    assert len(pages) == 3 and len(pages.texts()) == 2 == len(pages.urls())


def test_a_label_changes_what_one_page_gives_to_its_links():
    pages = pages_of(of())
    pages.correct(4, 2.5)
    assert [page.texts[:, 1].tolist() for page in pages] == [[1, 1], [3.5, 3.5], [1, 1]]


def test_they_are_the_same_after_a_checkpoint():
    pages = pages_of(of())
    again = PageReadings()
    again.restore(pages.state())
    for one, other in zip(pages, again, strict=True):
        assert (one.number, one.url, one.packed, one.judges) == (
            other.number,
            other.url,
            other.packed,
            other.judges,
        )
        assert one.texts.tolist() == other.texts.tolist()
        assert one.targets.tolist() == other.targets.tolist()
    empty = PageReadings()
    empty.restore(PageReadings().state())
    assert len(empty) == 0


def test_only_the_last_pages_are_remembered(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(page_readings, "MOST_PAGES", 2)
    pages = pages_of(of())
    assert [page.number for page in pages] == [4, 5]
