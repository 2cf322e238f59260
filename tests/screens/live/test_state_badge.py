from __future__ import annotations

import pytest

from apps.crawls.models import Crawl
from apps.engine.codes import State, StopReason
from apps.screens.live.state_badge import LOOKS, state_badge

PLACES = [
    (State.DRAFT, "", "form-start"),
    (State.PAUSED, StopReason.PAUSED_BY_USER, "form-resume"),
    (State.FINISHED, StopReason.BUDGET_REACHED, "budget-panel"),
    (State.FINISHED, StopReason.RECALL_ESTIMATE_REACHED, "recall-panel"),
    (State.FINISHED, StopReason.FRONTIER_EMPTY, "seeds-panel"),
    (State.FINISHED, StopReason.STOPPED_BY_USER, "form-resume"),
    (State.FAILED, StopReason.ENGINE_ERROR, "form-resume"),
]


@pytest.mark.parametrize(("state", "reason", "metrics"), PLACES)
def test_every_end_has_its_reason_and_leads_on(
    crawl: Crawl, state: str, reason: str, metrics: str
) -> None:
    crawl.state, crawl.reason = state, reason
    now = state_badge(crawl)
    assert now.word == state.capitalize()
    assert now.reason
    assert now.action is not None
    assert metrics in (now.action.form, now.action.panel, now.action.link)


def test_every_state_has_a_glyph_of_its_own() -> None:
    assert set(LOOKS) == set(State)
    assert len({icon for _, icon in LOOKS.values()}) == len(State)


def test_a_running_crawl_states_how_many_hosts_may_be_asked(crawl: Crawl) -> None:
    assert state_badge(crawl, 18, 312).reason == "learning; 18 of 312 hosts may be requested now"
    crawl.desired = Crawl.Desired.PAUSE
    assert "pausing" in state_badge(crawl, 18, 312).reason


def test_a_crawl_that_a_worker_has_taken_is_reported(crawl: Crawl) -> None:
    crawl.state, crawl.reason = State.QUEUED, StopReason.WAITING_FOR_A_WORKER
    assert "waiting for a worker" in state_badge(crawl).reason
    crawl.runner = "somebody"
    assert "trains its models" in state_badge(crawl).reason
