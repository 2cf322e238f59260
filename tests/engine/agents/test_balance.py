"""The coordinator keeps requests only while its agents are busier than it is."""

from __future__ import annotations

from itertools import pairwise

import pytest

from apps.engine.agents.balance import EVERY, STEP, Balance


class Machine:
    """A coordinator and its agents that are busy for given shares of their time."""

    def __init__(self, agents: int = 1) -> None:
        self.now, self.own, self.theirs, self.agents = 0.0, 0.0, 0.0, agents
        self.balance = Balance(lambda: self.now, lambda: self.own)

    def goes_on(self, own: float, theirs: float, times: int = 1) -> float:
        """The share after so many measurements."""
        for _ in range(times):
            self.now += EVERY
            self.own += EVERY * own
            self.theirs += EVERY * theirs * self.agents
            self.balance.keeps_next(self.agents, self.theirs)
        return self.balance.share


def test_a_share_is_kept_while_the_agents_are_busier() -> None:
    machine = Machine()
    assert machine.goes_on(own=0.7, theirs=0.95, times=5) == pytest.approx(5 * STEP)
    assert machine.goes_on(own=0.85, theirs=0.92, times=5) == pytest.approx(5 * STEP)
    assert machine.goes_on(own=0.9, theirs=0.92, times=2) == pytest.approx(3 * STEP)
    assert machine.goes_on(own=0.95, theirs=0.5, times=9) == 0.0


@pytest.mark.parametrize(("agents", "own", "theirs"), [(1, 0.3, 0.7), (3, 0.95, 0.4), (3, 0.92, 1)])
def test_nothing_is_kept_while_agents_have_time_or_the_coordinator_has_none(
    agents: int, own: float, theirs: float
) -> None:
    assert Machine(agents).goes_on(own, theirs, times=20) == 0.0


def test_the_kept_requests_are_spread() -> None:
    machine = Machine()
    assert machine.goes_on(own=0.5, theirs=1.0, times=10) == pytest.approx(0.2)
    kept = [i for i in range(100) if machine.balance.keeps_next(1, machine.theirs)]
    assert len(kept) in (19, 20)
    assert all(later - earlier in (5, 6) for earlier, later in pairwise(kept))
