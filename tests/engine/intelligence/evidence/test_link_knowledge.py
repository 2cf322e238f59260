from __future__ import annotations

import math

import numpy as np
import pytest

from apps.engine.intelligence.evidence.link_evidence import LEAST, LinkEvidence, texts_of
from apps.engine.intelligence.evidence.link_knowledge import PARTS, LinkKnowledge

URLS = ["http://a.test/x/1.html", "http://b.test/x/2.html"]


def parts(knowledge: LinkKnowledge, url: int) -> dict[str, float]:
    return dict(zip(PARTS, knowledge.parts(np.array([url]))[0].tolist(), strict=True))


def crawled() -> LinkKnowledge:
    """Pages 0 and 1, both of which link to 10; 0 links to 11 too."""
    knowledge = LinkKnowledge()
    knowledge.judge(0, "http://s.test/0", 0.5)
    knowledge.add(0, np.array([10, 11]), texts_of(2.0, np.array([1.0, -1]), np.array([0.5, 0])))
    knowledge.name(np.array([10, 11]), URLS, np.array([0.25, -3]))
    knowledge.judge(1, "http://s.test/1", 0.5)
    knowledge.add(1, np.array([10]), texts_of(-1.0, np.array([3.0]), np.array([1.5])))
    return knowledge


def test_nothing_is_known_of_urls_beyond_the_last_row():
    texts = LinkEvidence()
    last = np.array([LEAST - 1])
    texts.add(last, texts_of(2.0, np.array([1.0]), np.array([0.5])))
    again = LinkEvidence()
    again.restore(texts.state())
    for evidence in (texts, again):
        rows = evidence.rows(np.array([LEAST - 1, LEAST, 10**6]))
        assert rows[:, 0].tolist() == [1.0, 0.0, 0.0]
        assert evidence.links(last).tolist() == [1.0]
        assert not rows[1:].any()


def test_texts_are_averaged_over_parents_and_parents_counted():
    evidence = parts(crawled(), 10)
    assert (evidence["page"], evidence["window"], evidence["anchor"], evidence["address"]) == (
        0.5,
        2,
        1,
        0.25,
    )
    assert evidence["parents"] == pytest.approx(math.log(3))  # whose last bit is the machine's
    assert evidence["siblings"] == evidence["place"] == 0
    assert parts(crawled(), 77) == dict.fromkeys(PARTS, 0)


def test_siblings_are_averaged_over_parents_after_an_update():
    knowledge = crawled()
    knowledge.judge(11, URLS[1], 1.0)
    assert knowledge.update().tolist() == [10, 11]
    odds = math.log((1 + 2 * 0.5) / (0 + 2 * 0.5))  # (1 + 2·m)/(1 + 2) at m = ½ is ⅔: odds 2
    assert parts(knowledge, 11)["siblings"] == pytest.approx(odds)
    assert parts(knowledge, 10)["siblings"] == pytest.approx(odds / 2)


def test_places_count_from_the_next_refresh_on():
    knowledge = crawled()
    knowledge.judge(11, URLS[1], 1.0)
    assert parts(knowledge, 11)["place"] == 0
    knowledge.refresh()
    assert parts(knowledge, 11)["place"] > 0 and parts(knowledge, 10)["place"] == 0


def test_more_texts_count_as_if_they_had_been_added():
    knowledge = crawled()
    more = np.column_stack((texts_of(1.0, np.array([0.0]), np.array([1.0])), [0.0]))
    row = dict(zip(PARTS, knowledge.parts(np.array([10]), more)[0].tolist(), strict=True))
    assert row["page"] == pytest.approx(2 / 3) and row["parents"] == math.log(4)
    new = np.column_stack((texts_of(1.0, np.array([0.0]), np.array([1.0])), [-2.0]))
    assert knowledge.parts(np.array([5000]), new)[0, PARTS.index("address")] == -2
    assert parts(knowledge, 10)["page"] == 0.5


def test_it_comes_back_as_it_was():
    knowledge = crawled()
    knowledge.judge(11, URLS[1], 0.9)
    again = LinkKnowledge()
    again.restore(knowledge.state())
    for each in (knowledge, again):
        each.update()
        each.refresh()
    assert parts(again, 10) == parts(knowledge, 10) and parts(again, 11) == parts(knowledge, 11)
