"""What may not be claimed, why, and how many topics it would take."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.stats import nct, t

from apps.engine.evaluation.significance import pairs_needed
from apps.experiments.results.answer import answer
from apps.experiments.results.choice import choose
from apps.experiments.results.limits import Limit
from tests.experiments.results.made_answers import flat, plain, spread, with_state

OTHERS = "Other webs"


def reports(results, **choice) -> Mapping[str, Limit]:
    return {each.claim: each for each in answer(results, choose(results, **choice)).limits}


def alternating(*columns: tuple[float, float], topics: int = 12) -> list[list[float]]:
    """A baseline of 0.4, and crawlers with such means and deviations."""
    return [
        [0.4, *(0.4 + mean + (-1) ** n * spread for mean, spread in columns)] for n in range(topics)
    ]


def test_what_is_shown_is_no_limit_but_other_webs_are():
    limits = reports(flat(alternating((0.1, 0.01))))
    assert [*limits] == [OTHERS]
    assert limits[OTHERS].why.startswith("meadow is one recorded web;")
    assert [*reports(flat(alternating((0.1, 0.01)), web="live"))] == ["The Web at another time"]


def test_what_holm_takes_back_names_what_it_would_need():
    results = flat(alternating((0.02, 0.029), (0.0, 0.01)))
    limit = reports(results)["Apprentice against Full page"]
    test = answer(results, choose(results)).rows[1].test
    assert limit.why == (
        "The interval leaves out 0 (p = 0.043), but 2 crawlers were compared with "
        "the baseline; after Holm p = 0.086."
    )
    assert limit.needed == f"about {pairs_needed(test.effect, level=0.025)}"


def test_an_interval_that_holds_0_names_what_it_would_have_missed():
    deviations = np.array([(-1) ** n * 0.02 for n in range(12)])
    limit = reports(flat(alternating((0.005, 0.02))))["Apprentice against Full page"]
    # The power of the t-test of 12 pairs for the size named, by scipy's non-central t.
    size = float(limit.why.split("below ")[1].split(" points")[0]) / 100
    effect = size / deviations.std(ddof=1)
    power = nct.sf(t.ppf(0.975, 11), 11, effect * 12**0.5)
    assert 0.78 < power < 0.82
    assert limit.why.startswith("The interval holds 0 (−0.8 to +1.8 points). On 12 topics ")
    assert limit.needed == f"about {pairs_needed(0.005 / deviations.std(ddof=1))}"


def test_no_number_of_topics_shows_what_is_not_there():
    limit = reports(flat(alternating((0.0, 0.02))))["Apprentice against Full page"]
    assert limit.needed == "more than 10,000"


def test_too_few_topics_equal_values_and_equal_differences_are_reported():
    limits = reports(flat([[0.1 * n, 0.1 * n, 0.1 * n + 0.125] for n in range(1, 8)]))
    assert limits["Apprentice against Full page"].why == (
        "Both have the same value on all 7 topics."
    )
    assert "by the same amount" in limits["Breadth-first against Full page"].why


def test_few_topics_or_pairs_state_how_many_are_wanted():
    few = reports(flat(spread(4, 0.1)))
    assert [*few] == ["Any difference between crawlers", OTHERS]
    assert few["Any difference between crawlers"].why == "4 topics are too few for a test."
    ends = spread(8, 0.1, 0.1, 0.1)
    for row in ends:
        row[2] = None
    for row in ends[2:]:
        row[3] = None
    limits = reports(with_state(flat(ends), "finished"))
    assert limits["Breadth-first against Full page"].why == "No topic has a value of both."
    assert limits["HITS against Full page"] == Limit(
        "HITS against Full page",
        "Only 2 topics have a value of both: too few for a test.",
        "at least 6",
    )


def test_before_the_end_nothing_is_concluded():
    ends = spread(8, 0.1)
    ends[0][1] = None
    limits = reports(with_state(flat(ends), "running"))
    assert [*limits] == ["Any difference between crawlers", OTHERS]
    assert limits["Any difference between crawlers"].why.startswith("1 cell has not finished.")


def test_the_best_two_and_the_variants_of_a_strategy_are_not_distinguished():
    crawlers = [
        "full_page",
        ("tag_tree_combo", {"beta": 0.25}),
        ("tag_tree_combo", {"beta": 0.5}),
        "apprentice",
    ]
    results = flat(alternating((0.1, 0.01), (0.098, 0.015), (0.099, 0.012)), crawlers=crawlers)
    limits = reports(results)
    pair = limits["Tag tree combo, beta 0.25 against Apprentice"]
    assert pair.why.startswith("Not among what was compared. The interval holds 0 (")
    assert "Tag tree combo, beta 0.25 against Tag tree combo, beta 0.5" in limits
    apart = flat(alternating((0.1, 0.01), (0.05, 0.015), (0.02, 0.003)), crawlers=crawlers)
    assert [*reports(apart)] == [OTHERS]


def test_domains_carry_no_test():
    topics = [f"{domain}/{n}" for n in range(6) for domain in ("Arts", "Science")]
    limit = reports(flat(alternating((0.1, 0.05)), topics=topics))["Any crawler by domain"]
    assert limit.why == (
        "6 topics in the smallest domain, and 2 domains to correct for: no test is made."
    )
    assert limit.needed.endswith(" a domain")


def test_what_the_guide_judges_is_not_on_one_scale():
    limits = reports(flat(spread(8, 0.1), "mean_tau"))
    assert "Which crawler is better by Mean τ, last M pages" in limits


def test_a_one_tailed_test_leaves_worse_crawlers_open():
    limit = reports(flat(spread(8, -0.1)), test="one_tailed")["Apprentice against Full page"]
    assert plain(limit.why) == (
        "The one-tailed test only asks whether it is better, and its mean is not."
    )
