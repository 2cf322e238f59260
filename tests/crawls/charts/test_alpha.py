from __future__ import annotations

import pytest

from apps.crawls.charts.alpha import ALPHA, alpha_heading
from apps.crawls.models import Crawl
from apps.screens.live.trajectory import LiveTrajectory

NO_CRAWL = Crawl()


def drawn(alphas: list[float], *, delta: float, wanted: float, tau: float) -> LiveTrajectory:
    """A crawl with a sample every ten pages."""
    made = LiveTrajectory()
    made.extend(
        (seq, 10 * seq, {"alpha": alpha, "delta": delta, "wanted": wanted, "mean_tau": tau})
        for seq, alpha in enumerate(alphas, 1)
    )
    return made


def test_it_states_when_delta_cannot_be_reached_and_what_to_do() -> None:
    # δ = .9 of what can be reached wants .45, so .5 is the reach and a mean of .3 is δ = .6.
    reports = alpha_heading(NO_CRAWL, drawn([0.9, *[1.0] * 21], delta=0.9, wanted=0.45, tau=0.3))
    assert reports.startswith("δ cannot be reached")
    assert "Lower δ below 0.60." in reports


def test_it_states_when_delta_asks_for_nothing() -> None:
    reports = alpha_heading(NO_CRAWL, drawn([0.1, *[0.0] * 21], delta=0.2, wanted=0.1, tau=0.25))
    assert reports.startswith("δ is reached without trying")
    assert "Raise δ above 0.50." in reports


@pytest.mark.parametrize("alphas", [[1.0] * 20, [*[1.0] * 15, 0.99, *[1.0] * 15], [0.0, 1.0] * 15])
def test_it_waits_for_200_pages_at_one_bound(alphas: list[float]) -> None:
    assert "cannot" not in alpha_heading(NO_CRAWL, drawn(alphas, delta=0.9, wanted=0.45, tau=0.3))


def test_it_states_where_alpha_is_heading() -> None:
    assert alpha_heading(NO_CRAWL, drawn([0.4, 0.5], delta=0.7, wanted=0.5, tau=0.4)) == (
        "α rises: mean τ 0.40 is below the 0.50 wanted."
    )
    assert alpha_heading(NO_CRAWL, drawn([0.4, 0.5], delta=0.7, wanted=0.5, tau=0.6)) == (
        "α falls: mean τ 0.60 is not below the 0.50 wanted."
    )


def test_it_is_silent_where_there_is_no_alpha() -> None:
    made = LiveTrajectory()
    assert alpha_heading(NO_CRAWL, made) == ""
    made.extend([(1, 10, {"harvest_rate": 0.5})])
    assert alpha_heading(NO_CRAWL, made) == ""


def test_experts_are_drawn_by_their_weights_and_the_strongest_is_named() -> None:
    latest = {"expert_learner": 0.2, "expert_full_page": 0.7, "expert_breadth_first": 0.1}
    assert ALPHA.beside(latest) == "Learner; the largest is 0.70, Full page"
    assert ALPHA.beside({"harvest_rate": 0.5}) == "this strategy has no α"
    assert ALPHA.beside({"alpha": 0.5}) == ""
    drawn_by = {line.key: line.label for line in ALPHA.lines}
    assert drawn_by["expert_full_page"] == "Full page"
    assert ALPHA.titles["expert_full_page"] == "Weights of the experts"
    assert ALPHA.titles["mean_tau"] == "Mean topicality"
