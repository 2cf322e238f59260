"""Decisions on the hosts of a topic, obeyed by its crawls at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db.models import Q, QuerySet

from apps.crawls.commands.scope.host_decisions import notify_crawls
from apps.crawls.models import Fence
from apps.engine.frontier.host_decisions import DOMAIN
from apps.hosts.counting import decision_reader
from apps.hosts.models import HostMakeUp, HostSummary
from apps.schemas.refused import Refused
from apps.topics import hosts
from apps.topics.models import HostAct, Topic

CHUNK = 500
MOST_NAMED = 100
"""Names that a query may hold, some conditions each; SQLite takes a thousand conditions."""


@dataclass(frozen=True, slots=True)
class Decided:
    """The result of a decision: a sentence, the number of running crawls that get it, and the
    present state of each host, domain or user concerned, by name."""

    act: HostAct
    crawls: int
    states: Mapping[str, str]


def decide(topic: Topic, names: Iterable[str], state: str, by: User | None) -> Decided:
    """Takes hosts as `in`, `out` or `undecided`; crawls under way obey at once. Raises Refused, as
    for a host that was taken down."""
    wanted = hosts.parse_names(names)
    fence = Fence(topic.pk)
    if state != "out" and (fenced := next(filter(fence.has, wanted), None)):
        words = f"{fenced} was taken down: it is out until an administrator undoes that."
        raise Refused("hosts", words)
    act = hosts.decide(topic, wanted, state, by, waiting_links(topic, wanted))
    states = show(topic, act.names)
    return Decided(act, notify_crawls(topic, by), states)


def undo(act: HostAct, by: User | None) -> Decided:
    """Restores what was before, except for hosts decided on since. Raises Refused."""
    states = show(act.topic, hosts.undo(act))
    return Decided(act, notify_crawls(act.topic, by), states)


def waiting_links(topic: Topic, names: Collection[str]) -> int:
    """How many links wait at these hosts, by the last count."""
    total, wanted = 0, list(names)
    for start in range(0, len(wanted), CHUNK):
        rows = HostSummary.objects.filter(topic=topic, name__in=wanted[start : start + CHUNK])
        named = dict(rows.values_list("name", "waiting"))
        total += sum(named.values())  # a domain may be a user's as well, with as many links
    return total


def show(topic: Topic, names: Collection[str]) -> dict[str, str]:
    """Writes what is decided now beside every host, domain and user that these names concern, and
    returns it by their names."""
    decision_on = decision_reader(topic)
    changed, states = [], {}
    for row in _concerned(topic, names):
        states[row.name] = decision_on(row.name)
        if row.decision != states[row.name]:
            row.decision = states[row.name]
            changed.append(row)
    for start in range(0, len(changed), CHUNK):
        HostSummary.objects.bulk_update(changed[start : start + CHUNK], ["decision"])
    return states


def show_fence(host: str, topics: Iterable[Topic]) -> None:
    """Writes in these topics that a host is out since it was taken down, or what it was before; how
    its pages look is counted anew."""
    for topic in topics:
        HostMakeUp.objects.filter(host__topic=topic, host__name=host).delete()
        show(topic, [f"{DOMAIN}{host}"])


def _concerned(topic: Topic, names: Collection[str]) -> QuerySet[HostSummary]:
    """The rows that the names are of, and those below a domain or a host among them."""
    rows = HostSummary.objects.filter(topic=topic)
    if len(names) > MOST_NAMED:
        return rows
    either = Q(name__in=list(names))
    for name in names:
        bare = name.removeprefix(DOMAIN)
        either |= Q(name__startswith=f"{bare}/")
        if name.startswith(DOMAIN):
            either |= Q(name__endswith=f".{bare}") | Q(name=bare) | Q(name__contains=f".{bare}/")
            either |= Q(name__startswith=f"{bare}:") | Q(name__contains=f".{bare}:")
    return rows.filter(either)
