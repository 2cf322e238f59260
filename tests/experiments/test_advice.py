"""What a leaderboard says to somebody who chooses a strategy."""

from __future__ import annotations

import pytest

from apps.experiments.advice import _read, advice_for
from apps.experiments.models import Experiment
from apps.webs.models import Web
from tests.experiments.results.made_answers import flat, with_state
from tests.experiments.run_experiment import ended
from tests.people import person

pytestmark = pytest.mark.django_db


def test_without_a_leaderboard_there_is_no_advice(owner, topics, web):
    ended(owner)
    assert advice_for(owner, web) is None


def test_it_reports_how_each_strategy_did_and_on_which_web(owner, topics, web):
    experiment = ended(owner)
    Experiment.objects.update(is_leaderboard=True)
    advice = advice_for(owner, web)
    assert advice is not None
    assert (advice.experiment, advice.same_web, advice.best) == (experiment, True, "")
    assert advice.sentence.startswith("On made, over 2 topics, no strategy was shown")
    assert advice.sentence.endswith("target recall at 40 pages.")
    assert advice.words["full_page"].endswith("%, baseline")
    assert "no test" in advice.words["breadth_first"]
    assert not advice_for(owner, None).same_web
    assert advice_for(person("eve"), web) is None


def sentence_of(monkeypatch, ends) -> tuple[str, str]:
    """The best strategy and the sentence of a leaderboard with these ends."""
    results = with_state(flat(ends), "finished")
    results.experiment.web = Web(name="meadow")
    monkeypatch.setattr("apps.experiments.advice.outcomes", lambda experiment: results)
    best, sentence, _ = _read(results.experiment)
    return best, sentence


def test_strategies_that_measurements_do_not_separate_are_named_together(monkeypatch):
    ends = [[0.3, 0.5 + 0.01 * (-1) ** n, 0.501 - 0.01 * (-1) ** n] for n in range(10)]
    best, sentence = sentence_of(monkeypatch, ends)
    assert best == "breadth_first"
    assert "Breadth-first and Apprentice did best; take either" in sentence


def test_where_neither_is_shown_to_be_better_than_the_baseline_none_is_named(monkeypatch):
    ends = [[0.3, 0.3 + 0.01 * (-1) ** n, 0.3 - 0.01 * (-1) ** n] for n in range(10)]
    best, sentence = sentence_of(monkeypatch, ends)
    assert best == "" and "no strategy was shown to be better than the baseline." in sentence
    assert "Apprentice" not in sentence and "Breadth-first" not in sentence


def test_one_that_is_shown_to_be_better_is_named_alone(monkeypatch):
    ends = [[0.3, 0.5 + 0.01 * (-1) ** n, 0.7 - 0.01 * (-1) ** n] for n in range(10)]
    assert "Breadth-first did best. " in sentence_of(monkeypatch, ends)[1]
