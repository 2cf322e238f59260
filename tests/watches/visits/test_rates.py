from __future__ import annotations

import random
from math import exp, log

import pytest

from apps.watches.visits.rates import (
    RATES,
    Exposure,
    HostRates,
    chance_of_change,
    days_until,
    rate_of,
)


def test_without_visits_the_rate_is_that_of_its_kind() -> None:
    prior = HostRates({}).prior("a.test", "page")
    assert prior == pytest.approx(RATES["page"])
    assert rate_of(Exposure(), prior) == pytest.approx(prior)


def test_the_pages_of_a_host_speak_for_a_new_one() -> None:
    lively = HostRates({("a.test", "page"): Exposure(60, 60.0, 60.0)})
    assert lively.prior("a.test", "page") > 10 * lively.prior("b.test", "page")


@pytest.mark.parametrize("rate", (0.05, 0.3, 1.0))
@pytest.mark.parametrize("interval", (0.5, 2.0))
def test_the_estimate_comes_near_the_rate(rate: float, interval: float) -> None:
    draw = random.Random(f"{rate} {interval}")
    days = [interval * draw.uniform(0.5, 1.5) for _ in range(40_000)]
    changed = [draw.random() < 1 - exp(-rate * span) for span in days]
    seen = Exposure(
        sum(changed),
        sum(span for span, change in zip(days, changed, strict=True) if change),
        sum(span for span, change in zip(days, changed, strict=True) if not change),
    )
    assert rate_of(seen, RATES["page"]) == pytest.approx(rate, rel=0.12)


def test_even_intervals_give_the_estimator_of_cho_and_garcia_molina() -> None:
    seen = Exposure(300, 300.0, 700.0)
    assert rate_of(seen, RATES["page"]) == pytest.approx(-log((700 + 0.5) / (1000 + 0.5)), rel=0.01)


def test_a_page_is_due_when_a_change_is_so_probable() -> None:
    days = days_until(0.1, 0.25)
    assert chance_of_change(0.1, days) == pytest.approx(0.25)


def test_intervals_without_length_and_very_long_ones_have_a_rate() -> None:
    assert 0 < rate_of(Exposure(1, 0.0, 0.0), 0.1) < float("inf")
    assert 0 < rate_of(Exposure(1, 4_000.0, 0.0), 1.0) < float("inf")
