from __future__ import annotations

import pytest

from apps.months.models import MonthRun
from apps.months.schema import MonthDesign
from apps.months.selectors import missing, own_months, policy_means, progress
from tests.months.made_months import GOOD, ended_months
from tests.people import person

pytestmark = pytest.mark.django_db
DESIGN = MonthDesign(seeds=(3, 5), policies=("adaptive", "uniform"), days=9)


def run_with(**results: dict[str, object]) -> MonthRun:
    named = {name.removeprefix("seed"): each for name, each in results.items()}
    design = DESIGN.model_dump(mode="json")
    return MonthRun.objects.create(
        owner=person("owner"), design=design, digest="d", results=named, visits=5
    )


def test_what_is_missing_stands_in_the_order_of_the_design() -> None:
    run = run_with(seed3={"adaptive": GOOD.model_dump()})
    left = [(seed, each.policy) for seed, each in missing(run)]
    assert left == [(3, "uniform"), (5, "adaptive"), (5, "uniform")]
    now = progress(run)
    assert (now.months, now.ended, now.seed, now.policy, now.visits) == (4, 1, 3, "uniform", 5)
    # A month and half of the next, whose first crawl counts as a day.
    assert now.share == pytest.approx((1 + 5 / 10) / 4)


def test_a_run_that_has_ended_has_no_month_under_way() -> None:
    now = progress(ended_months(person("owner")))
    assert (now.ended, now.seed, now.policy, now.visits, now.share) == (5, None, "", 0, 1.0)


def test_shares_are_means_over_the_seeds_and_counts_are_sums() -> None:
    other = GOOD.model_copy(update={"recall": 0.79, "share": 0.1, "requests": 1, "false": 2})
    run = run_with(seed3={"adaptive": GOOD.model_dump()}, seed5={"adaptive": other.model_dump()})
    (means,) = policy_means(run)
    assert (means.policy, means.seeds) == ("adaptive", 2)
    assert means.recall == pytest.approx(0.89) and means.share == pytest.approx(0.08)
    assert (means.requests, means.false, means.seen) == (2001, 2, 400)


def test_a_web_without_births_has_no_share_of_them() -> None:
    none = GOOD.model_copy(update={"born": 0, "seen": 0, "recall": 0.0})
    run = run_with(seed3={"adaptive": none.model_dump()})
    assert policy_means(run)[0].recall is None
    run.results["5"] = {"adaptive": GOOD.model_dump()}
    assert policy_means(run)[0].recall == pytest.approx(0.99)


def test_a_person_sees_their_own() -> None:
    run = ended_months(person("owner"))
    assert list(own_months(run.owner)) == [run] and not own_months(person("ben"))
