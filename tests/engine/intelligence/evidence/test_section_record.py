from __future__ import annotations

import math

import numpy as np
import pytest

from apps.engine.intelligence.evidence.section_record import SectionRecord

MEAN = 0.2
URLS = ["http://a.test/x/1.html", "http://a.test/y/1.html", "http://b.test/x/1.html"]


def odds(chance: float) -> float:
    return math.log(chance / (1 - chance)) - math.log(MEAN / (1 - MEAN))


def test_a_folder_leans_on_its_host_and_a_host_on_the_crawl():
    record = SectionRecord()
    sections = record.numbers(URLS)
    assert sections.tolist() == [0, 1, 2]
    assert record.numbers(["http://a.test/x/77.html"]).tolist() == [0]
    for _ in range(3):
        record.judge(0, 1.0)
    record.refresh(MEAN)
    host = (3 + 5 * MEAN) / (3 + 5)
    folder = (3 + 5 * host) / (3 + 5)
    assert record.odds(sections) == pytest.approx([odds(folder), odds(host), 0])


def test_a_place_found_since_is_unknown():
    record = SectionRecord()
    assert record.odds(record.numbers(URLS)).tolist() == [0, 0, 0]
    record.judge(1, 0.5)
    record.refresh(MEAN)
    assert record.odds(record.numbers(["http://a.test/z/1.html"])).tolist() == [0]


def test_judgements_can_be_forgotten_and_places_stay():
    record = SectionRecord()
    record.judge(record.numbers(URLS)[2], 0.9)
    record.forget()
    record.refresh(MEAN)
    assert record.odds(np.arange(3)) == pytest.approx([0, 0, 0])
    assert record.numbers(URLS[2:]).tolist() == [2]


def test_on_a_web_of_one_section_it_is_no_evidence():
    record = SectionRecord()
    here = record.numbers(URLS[:1])
    for tau in (0.1, 0.9, 0.5):
        record.judge(0, tau)
    record.refresh(0.5)
    assert record.odds(here) == pytest.approx([0])


def test_it_comes_back_as_it_was():
    record = SectionRecord()
    record.judge(record.numbers(URLS)[1], 0.9)
    record.refresh(MEAN)
    again = SectionRecord()
    again.restore(record.state())
    assert np.array_equal(again.odds(np.arange(4)), record.odds(np.arange(4)))
    assert again.numbers(["http://c.test/1", *URLS]).tolist() == [3, 0, 1, 2]
    again.refresh(MEAN)
    assert again.odds(np.array([1, 0]))[0] > again.odds(np.array([0]))[0] > 0
