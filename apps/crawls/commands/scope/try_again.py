"""Queues failed addresses again, as if they had not been tried."""

from __future__ import annotations

from collections.abc import Collection

from apps.crawls.commands.command import Command, EventKind, Payload, Person, ask, when
from apps.crawls.commands.lifecycle.resume import resume_with_links
from apps.crawls.errors import CrawlRefused
from apps.crawls.models import Crawl, FrontierEntry
from apps.figures.quantities import number_of
from apps.webs.messages import failure_words

KIND = "try_again"
MOST = 10_000
"""The most addresses at once: a replay repeats the event with all of their numbers."""


def failed_numbers(
    crawl: Crawl, kinds: Collection[str], most: int = MOST, host: str = ""
) -> list[int]:
    """The numbers of the failed addresses whose last failure is one of these kinds, the most
    promising first; optionally those of one host."""
    rows = crawl.frontier.filter(state=FrontierEntry.State.FAILED, reason__in=kinds)
    if host:
        rows = rows.filter(number__in=crawl.failed_requests.filter(host=host).values("number"))
    return list(rows.order_by("-priority", "number").values_list("number", flat=True)[:most])


def try_again(crawl: Crawl, kinds: Collection[str], by: Person = None) -> int:
    """Queues up to 10,000 of them and returns how many. Raises CrawlRefused if there are none."""
    numbers = failed_numbers(crawl, kinds)
    if not numbers:
        raise CrawlRefused("kinds", "No address has failed in that way.")
    ask(crawl, KIND, {"kinds": sorted(kinds), "numbers": numbers}, by)
    resume_with_links(crawl, by)
    return len(numbers)


def _act(crawl: Crawl, value: str, by: Person) -> str:
    number = try_again(crawl, value.split(), by)
    return f"{number_of(number, 'address', 'es')} put back. {when(crawl)}"


def _words(payload: Payload) -> str:
    """`12 addresses: 503, timed out`."""
    number, kinds = len(payload["numbers"]), payload["kinds"]
    first = ", ".join(failure_words(kind) for kind in kinds[:3])
    more = f" and {len(kinds) - 3} more kinds" if len(kinds) > 3 else ""
    return f"{number_of(number, 'address', 'es')}: {first}{more}"


TRY_AGAIN = Command(
    name=KIND,
    title="Try again",
    does="Puts failed addresses back into the frontier, up to 10,000 at once, the most promising"
    " first; a crawl whose frontier was empty continues.",
    act=_act,
    value="kinds of failure, such as `timeout http_503`",
    events=(
        EventKind(
            KIND,
            "Failed addresses put back",
            _words,
            apply=lambda steering, p: steering.try_again(p["numbers"]),
        ),
    ),
)
