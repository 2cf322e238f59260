"""What a leaderboard says to somebody who chooses a strategy."""

from __future__ import annotations

import pytest

from apps.experiments.advice import advice_for
from apps.experiments.models import Experiment
from tests.experiments.run_experiment import ended
from tests.people import person

pytestmark = pytest.mark.django_db


def test_without_a_leaderboard_there_is_no_advice(owner, topics, web):
    ended(owner)
    assert advice_for(owner, web) is None


def test_it_says_of_each_strategy_how_it_did_and_on_which_web(owner, topics, web):
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
