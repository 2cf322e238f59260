"""Applies the topic's decisions on hosts to a crawl, at its start and while it runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from apps.crawls.commands.command import EventKind, Payload, Person, ask
from apps.crawls.models import Crawl
from apps.engine.codes import State
from apps.figures.quantities import number_of
from apps.topics.hosts import STATES, decisions_on
from apps.topics.models import Topic

KIND = "hosts_decided"
UNDER_WAY = (State.QUEUED, State.RUNNING, State.STOPPING, State.PAUSED)
SHOWN = 3


def catch_up(crawl: Crawl, by: Person = None) -> bool:
    """Asks the crawl to obey what has been decided since it last did; False if that is nothing."""
    obeyed = obeyed_decisions(crawl)
    wanted = decisions_on(crawl.topic)
    names = dict.fromkeys((*wanted, *obeyed))
    changes = {n: wanted.get(n) for n in names if wanted.get(n) is not obeyed.get(n)}
    if not changes:
        return False
    ask(crawl, KIND, {word: _of(changes, is_in) for word, is_in in STATES.items()}, by)
    return True


def obeyed_decisions(crawl: Crawl) -> dict[str, bool]:
    """Whether each host is in, by its name, as the crawl was last asked to have it."""
    decided: dict[str, bool | None] = {}
    for payload in crawl.changes.filter(kind=KIND).order_by("id").values_list("payload", flat=True):
        decided.update(_decisions(payload))
    return {name: is_in for name, is_in in decided.items() if is_in is not None}


def notify_crawls(topic: Topic, by: Person = None) -> int:
    """Sends the decisions to every running crawl of the topic and returns their number. The others
    read them when they are continued."""
    crawls = Crawl.objects.filter(topic=topic, state__in=UNDER_WAY)
    return sum(catch_up(crawl, by) for crawl in crawls)


def _of(changes: Mapping[str, bool | None], is_in: bool | None) -> list[str]:
    return [name for name, decided in changes.items() if decided is is_in]


def _decisions(payload: Payload) -> dict[str, bool | None]:
    return {name: is_in for word, is_in in STATES.items() for name in payload.get(word, ())}


def _words(payload: Payload) -> str:
    """`in: a.example, b.example; out: 34 hosts`."""
    return "; ".join(f"{word}: {_few(payload[word])}" for word in STATES if payload.get(word))


def _few(names: Iterable[str]) -> str:
    names = list(names)
    return ", ".join(names) if len(names) <= SHOWN else number_of(len(names), "host")


HOSTS_DECIDED = EventKind(
    KIND,
    "Hosts",
    _words,
    letter="H",
    apply=lambda steering, p: steering.decide_hosts(_decisions(p)),
)
