"""Weights are chosen on the other webs."""

from __future__ import annotations

import pytest

from apps.research.effectiveness.strategies.cross_validation import choose
from apps.schemas.refused import Refused
from tests.research.effectiveness.made_results import PLAN, result


def test_a_web_has_the_candidate_that_is_best_on_all_others():
    # Bold gains .2 on the marsh alone, which outweighs what it loses on the two others.
    webs = [result("marsh", 0.3, 0.5), result("dune", 0.5, 0.45), result("heath", 0.5, 0.47)]
    chosen = choose(PLAN, webs)
    assert chosen.without == {"marsh": "plain", "dune": "bold", "heath": "bold"}
    assert chosen.best == "bold"
    assert chosen.held_out(webs[0]).values.mean() == pytest.approx(0.3)
    assert chosen.shares["marsh"] == pytest.approx((0.5, 5 / 6))


def test_its_own_result_is_never_looked_at():
    others = [result("dune", 0.5, 0.45), result("heath", 0.5, 0.47)]
    for bold in (0.1, 0.9):
        assert choose(PLAN, [result("marsh", 0.3, bold), *others]).without["marsh"] == "plain"


def test_of_equal_candidates_the_first_is_chosen():
    webs = [result(name, 0.5, 0.5) for name in ("marsh", "dune", "heath")]
    assert choose(PLAN, webs).best == "plain"


def test_two_webs_or_a_missing_candidate_are_refused():
    webs = [result(name, 0.5, 0.5) for name in ("marsh", "dune", "heath")]
    with pytest.raises(Refused, match="3 are needed"):
        choose(PLAN, webs[:2])
    without = {name: each for name, each in webs[0].crawlers.items() if name != "bold"}
    webs[0] = webs[0].model_copy(update={"crawlers": without})
    with pytest.raises(Refused, match="marsh lacks bold"):
        choose(PLAN, webs)
