"""Writes the counts of a topic's hosts, domains and users, and the decisions on them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from datetime import datetime
from typing import Any

from django.db import transaction

from apps.crawls.models import Crawl, Fence
from apps.engine.frontier.host_decisions import DOMAIN, HostDecisions
from apps.hosts.models import HostSummary
from apps.hosts.numbering import CHUNK, Spot, keys_of
from apps.hosts.tallies import HostTally, met_hosts, tally_hosts
from apps.topics.hosts import decisions_on
from apps.topics.lock import lock_topic
from apps.topics.models import Topic

COUNTED = ("pages", "judged", "relevant", "harvest", "linked_from", "waiting")
WRITTEN = (*COUNTED, "language", "first_seen", "decision")
DecisionReader = Callable[[str], str]


def recount(topic: Topic) -> int:
    """Counts the hosts of a topic anew, writes the rows that have changed and returns the number of
    all rows."""
    tallies = tally_hosts(topic)
    keys_of(topic.pk, tallies)
    decision_on = decision_reader(topic)
    changed = []
    for row in HostSummary.objects.filter(topic=topic).iterator(5_000):
        tally = tallies.get((row.unit, row.name), HostTally())
        if _write(row, (*_values(tally), decision_on(row.name))):
            changed.append(row)
    for start in range(0, len(changed), CHUNK):
        HostSummary.objects.bulk_update(changed[start : start + CHUNK], WRITTEN)
    _drop_absent(topic, tallies)
    return len(tallies)


def decision_reader(topic: Topic) -> DecisionReader:
    """`in`, `out` or nothing for the name of a host, domain or user; a host that was taken down is
    out."""
    decided = decisions_on(topic)
    fence = Fence(topic.pk)
    decisions = HostDecisions(
        [name for name, is_in in decided.items() if is_in],
        [name for name, is_in in decided.items() if not is_in],
    )

    def decision_on(name: str) -> str:
        if fence.has(name):
            return "out"
        if name.startswith(DOMAIN):
            is_in = next((decided[each] for each in _domains(name) if each in decided), None)
        else:
            is_in = decisions.is_in(f"http://{name}", name.partition("/")[0])
        return "" if is_in is None else "in" if is_in else "out"

    return decision_on


def _domains(name: str) -> Iterator[str]:
    """The domain and those above it: `*.a.b.test`, `*.b.test`, `*.test`."""
    rest = name.removeprefix(DOMAIN)
    while rest:
        yield f"{DOMAIN}{rest}"
        rest = rest.partition(".")[2]


def _values(tally: HostTally) -> tuple[int | float | str | datetime | None, ...]:
    harvest = tally.relevant / tally.judged if tally.judged else 0.0
    of_pages = (tally.pages, tally.judged, tally.relevant, harvest)
    return (*of_pages, len(tally.sources), tally.waiting, tally.language, tally.first_seen)


def _write(row: HostSummary, values: tuple[Any, ...]) -> bool:
    """Sets the columns; returns whether one of them has changed."""
    if tuple(getattr(row, name) for name in WRITTEN) == values:
        return False
    for name, value in zip(WRITTEN, values, strict=True):
        setattr(row, name, value)
    return True


def _drop_absent(topic: Topic, present: Collection[Spot]) -> None:
    """Deletes the rows that no crawl has any more, unless an address has been met meanwhile."""
    rows = HostSummary.objects.filter(topic=topic).values_list("pk", "unit", "name")
    absent = [pk for pk, unit, name in rows if (unit, name) not in present]
    if not absent:
        return
    with transaction.atomic():
        lock_topic(topic.pk)
        met = met_hosts(Crawl.objects.filter(topic=topic))
        absent = [pk for pk in absent if pk not in met]
        for start in range(0, len(absent), CHUNK):
            HostSummary.objects.filter(pk__in=absent[start : start + CHUNK]).delete()
