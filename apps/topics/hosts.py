"""A topic's decisions on hosts: taken, taken back, listed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from apps.schemas.refused import Refused
from apps.topics.definition.host_names import parse_name
from apps.topics.lock import lock_topic
from apps.topics.models import HostAct, HostDecision, Topic

STATES = {"in": True, "out": False, "undecided": None}
"""What a host may be, and the same as the engine has it."""
MOST = 10_000
CHUNK = 500


def decisions_on(topic: Topic) -> dict[str, bool]:
    """Whether each decided host is in, by its name."""
    rows = topic.host_decisions.values_list("name", "state")
    return {name: state == HostDecision.IN for name, state in rows}


def host_names(topic: Topic, state: str) -> list[str]:
    """The names of the hosts that are in that state, in alphabetical order."""
    rows = topic.host_decisions.filter(state=state).order_by("name")
    return list(rows.values_list("name", flat=True))


def parse_names(texts: Iterable[str]) -> list[str]:
    """The names in these texts, each once. Raises Refused for a text without one, for none and for
    too many."""
    names: dict[str, None] = {}
    for text in texts:
        if (name := parse_name(text)) is None:
            words = f"“{text[:100]}” is not a host: write it as in a.example or *.a.example."
            raise Refused("hosts", words)
        names[name] = None
    if not names or len(names) > MOST:
        raise Refused("hosts", f"Give at least one host and at most {MOST:,}.")
    return list(names)


def decide(
    topic: Topic, names: Iterable[str], state: str, by: User | None, waiting: int = 0
) -> HostAct:
    """Takes hosts as `in`, `out` or `undecided` and writes down what was before. Raises Refused if
    they are so already."""
    if state not in STATES:
        raise Refused("state", f"A host is {', '.join(STATES)}; {state[:40]} is none of these.")
    to = "" if STATES[state] is None else state
    with transaction.atomic():
        lock_topic(topic.pk)
        present = {row.name: row for row in topic.host_decisions.all()}
        changed = [n for n in names if (present[n].state if n in present else "") != to]
        if not changed:
            raise Refused("state", f"Nothing changes: {state} already.")
        before = [_row_of(name, present.get(name)) for name in changed]
        now = timezone.now()
        act = HostAct.objects.create(
            topic=topic, to=to, before=before, waiting=waiting, by=by, at=now
        )
        _write(topic, dict.fromkeys(changed, (to, by.pk if by else None, now)))
    return act


def undo(act: HostAct) -> list[str]:
    """Restores what was before the act, except for hosts decided on since, and returns the names.
    Raises Refused if it was undone already or if all have changed."""
    with transaction.atomic():
        lock_topic(act.topic_id)
        if not HostAct.objects.filter(pk=act.pk, undone_at=None).update(undone_at=timezone.now()):
            raise Refused("act", "This has been undone already.")
        present = {row.name: (row.state, row.at) for row in act.topic.host_decisions.all()}
        same = (act.to, act.at) if act.to else None
        rows = [row for row in act.before if present.get(row[0]) == same]
        if not rows:
            raise Refused("act", "This cannot be undone any more: it has been changed since.")
        moments = {
            name: (state, by, datetime.fromisoformat(at) if at else timezone.now())
            for name, state, by, at in rows
        }
        _write(act.topic, moments)
    return list(moments)


def replace_all(topic: Topic, states: Mapping[str, str], by: User | None) -> None:
    """Makes these the topic's only decisions, by their names; those that stay keep their dates."""
    present = decisions_on(topic)
    now, by_id = timezone.now(), by.pk if by else None
    wanted = {name: (state, by_id, now) for name, state in states.items()}
    same = {name for name, is_in in present.items() if states.get(name) == _state(is_in)}
    gone = {name: ("", None, now) for name in present if name not in states}
    _write(topic, {n: row for n, row in {**wanted, **gone}.items() if n not in same})


def _state(is_in: bool) -> str:
    return HostDecision.IN if is_in else HostDecision.OUT


def _row_of(name: str, row: HostDecision | None) -> list[str | int | None]:
    return [name, row.state, row.by_id, row.at.isoformat()] if row else [name, "", None, ""]


def _write(topic: Topic, rows: Mapping[str, tuple[str, int | None, datetime]]) -> None:
    names = list(rows)
    for start in range(0, len(names), CHUNK):
        topic.host_decisions.filter(name__in=names[start : start + CHUNK]).delete()
    HostDecision.objects.bulk_create(
        (
            HostDecision(topic=topic, name=name, state=state, by_id=by_id, at=at)
            for name, (state, by_id, at) in rows.items()
            if state
        ),
        batch_size=CHUNK,
    )
