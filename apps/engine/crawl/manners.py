"""What a host's answer means for its next turn."""

from __future__ import annotations

from apps.engine.frontier.hosts import Host
from apps.engine.model import Answer, Failure
from apps.engine.networking.politeness import TRANSIENT, Politeness

REFUSALS = frozenset({"http_401", "http_403", "http_429", "http_503", Failure.BLOCK_PAGE})
TROUBLES = REFUSALS | TRANSIENT | {Failure.DNS, Failure.TLS}
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


def may_ask_again(host: Host, failure: str | None, retries: int, politeness: Politeness) -> bool:
    """Whether a URL that has been asked for again `retries` times may be once more.

    A host that fails more often in a row than one URL may is down: its other URLs are asked for
    once, or each of them would be waited for.
    """
    return (
        failure in TRANSIENT
        and retries < politeness.retries
        and host.failures <= politeness.retries + 1
    )
