from __future__ import annotations

import pytest

from apps.engine.intelligence.strategies.text_window import TextWindow
from tests.engine.intelligence.strategies.toy import ShareClassifier, visit_of

PAGE = (
    "<p>garden letter bread flour <a href=/a>the oven</a> railway signal garden paper "
    "window <a href=/b>the track</a> letter dough garden paper</p>"
)


def strategy_of(topic, **parameters) -> TextWindow:
    strategy = TextWindow(**parameters).fit(topic)
    strategy.classifier_ = ShareClassifier(topic.vocabulary)
    return strategy


def test_it_scores_the_words_round_each_link(topic):
    # T = 4. /a: bread flour | the oven | railway signal; "the" is a stop word: 3 of 5.
    # /b: paper window | the track | letter dough: 1 of 5.
    scores = strategy_of(topic, window=4).score_links(visit_of(PAGE, topic))
    assert scores.tolist() == pytest.approx([3 / 5, 1 / 5])


def test_the_other_side_takes_the_words_missing_at_an_edge(topic):
    # T = 8, "river | bread | flour oven dough garden letter paper": 1 word before, 7 after.
    page = "river <a href=/a>bread</a> flour oven dough garden letter paper window"
    filled = strategy_of(topic, window=8).score_links(visit_of(page, topic))
    assert filled.tolist() == pytest.approx([4 / 9])
    # cut: 1 word before, 4 after: river bread flour oven dough garden.
    cut = strategy_of(topic, window=8, edge="cut").score_links(visit_of(page, topic))
    assert cut.tolist() == pytest.approx([4 / 6])


def test_the_best_occurrence_of_a_url_counts(topic):
    page = "<p>garden <a href=/a>signal</a> paper</p><p>bread <a href=/a>oven</a> dough</p>"
    # T = 2: garden signal paper 0 of 3; bread oven dough 3 of 3.
    scores = strategy_of(topic, window=2).score_links(visit_of(page, topic))
    assert scores.tolist() == pytest.approx([1.0])


def test_a_page_and_its_windows_are_weighed_at_once_and_score_as_alone(topic, monkeypatch):
    alone, strategy = TextWindow().fit(topic), TextWindow().fit(topic)
    visit = visit_of(PAGE, topic)
    asked: list[int] = []
    probabilities = strategy.classifier_.probabilities

    def counted(rows):
        asked.append(len(rows))
        return probabilities(rows)

    monkeypatch.setattr(strategy.classifier_, "probabilities", counted)
    page = strategy.judge(visit).topicality
    scores = strategy.score_links(visit)
    assert asked == [1 + 2]
    assert scores.tolist() == alone.score_links(visit).tolist()
    assert page == float(alone.classifier_.probabilities(visit.page())[0])


def test_windows_of_another_page_are_not_taken_for_those_of_this(topic):
    strategy = TextWindow().fit(topic)
    first, second = visit_of(PAGE, topic), visit_of(PAGE.replace("bread", "signal"), topic)
    strategy.judge(first)
    expected = TextWindow().fit(topic).score_links(second).tolist()
    assert strategy.score_links(second).tolist() == expected
    assert strategy.score_links(first).tolist() != expected
