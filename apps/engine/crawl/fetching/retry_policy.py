"""How long a host rests after an answer, and which URLs are retried."""

from __future__ import annotations

from apps.engine.answers import Answer
from apps.engine.codes import Failure
from apps.engine.frontier.hosts import HostQueue, Hosts
from apps.engine.frontier.queue import Frontier
from apps.engine.networking.politeness import TRANSIENT, Politeness
from apps.engine.urls import host_of_canonical

REFUSALS = frozenset({"http_401", "http_403", "http_429", "http_503", Failure.BLOCK_PAGE})
TROUBLES = REFUSALS | TRANSIENT | {Failure.DNS, Failure.TLS, Failure.CERTIFICATE}
BLOCKED_AFTER = 10
BLOCKED_SECONDS = 3600.0


def seconds_to_rest(
    host: HostQueue, answer: Answer, failure: str | None, politeness: Politeness
) -> float:
    """Seconds until the host may get a request again. Updates its count of consecutive failures.

    After ten consecutive failures, the last of them a refusal, a host is blocked for an hour.
    """
    host.failures = host.failures + 1 if failure in TROUBLES else 0
    if failure in REFUSALS and host.failures >= BLOCKED_AFTER:
        host.blocked = str(failure)
        return BLOCKED_SECONDS
    if not failure:
        host.blocked = ""
    return politeness.delay_after(answer, host.delay, host.failures)


def put_off(hosts: Hosts, host: HostQueue, answer: Answer, now: float, wait: float) -> None:
    """Applies a host's longer pause to the requests waiting for it; after a redirect to a host that
    asked to slow down, to that host's too."""
    resting = [host]
    if answer.failure in ("http_429", "http_503") and answer.final_url != answer.url:
        resting.append(hosts.get_or_create(host_of_canonical(answer.final_url)))
    for each in resting:
        each.rests_until = max(each.rests_until, now + wait)
        each.next_at = max(each.next_at, now + wait)


def retry_or_fail(
    frontier: Frontier,
    number: int,
    answer: Answer,
    politeness: Politeness,
    *,
    now: float,
    wait: float,
    until_rules: float,
) -> None:
    """Queues the URL for another try after a longer pause of its host, or marks it as failed.

    The host rests for `wait` seconds. For a retry it rests at least `until_rules` seconds, until
    its robots.txt may be fetched again.
    """
    host, retries = frontier.host_of(number), frontier.retries(number)
    wanted = frontier.parent[number] < 0 or frontier.refused(number) is None
    if wanted and may_retry(host, answer.failure, retries, politeness):
        pause = politeness.delay_before_retry(retries + 1, host.delay)
        frontier.retry(number, now, now + max(wait, pause, until_rules))
    else:
        frontier.failed(number, now, now + wait)


def may_retry(host: HostQueue, failure: str | None, retries: int, politeness: Politeness) -> bool:
    """Whether a URL may be retried that has been retried `retries` times.

    A host with more consecutive failures than a URL has tries counts as down. Its other URLs are
    tried only once, or the crawl would wait for each of them.
    """
    return (
        failure in TRANSIENT
        and retries < politeness.retries
        and host.failures <= politeness.retries + 1
    )
