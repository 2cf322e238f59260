"""What a host's answer means for its next turn."""

from __future__ import annotations

from apps.engine.frontier.hosts import Host
from apps.engine.model import Answer, Failure
from apps.engine.networking.politeness import Politeness

REFUSALS = frozenset({"http_401", "http_403", "http_429", "http_503", Failure.BLOCK_PAGE})
TROUBLES = REFUSALS | {Failure.TIMEOUT, Failure.CONNECT, Failure.DNS, Failure.TLS}
BLOCKED_AFTER = 10
BLOCKED_SECONDS = 3600.0


def next_turn(host: Host, answer: Answer, failure: str | None, politeness: Politeness) -> float:
    """Seconds until the host may be asked again; keeps its count of refusals in a row.

    A host that refuses ten times in a row is left alone for an hour.
    """
    host.failures = host.failures + 1 if failure in TROUBLES else 0
    if failure in REFUSALS and host.failures >= BLOCKED_AFTER:
        host.blocked = str(failure)
        return BLOCKED_SECONDS
    if not failure:
        host.blocked = ""
    return politeness.delay_after(answer, host.delay, host.failures)
