"""Decisions on hosts, in words."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User

from apps.figures.quantities import count, number_of
from apps.hosts.services import Decided
from apps.topics.models import HostAct, Topic


@dataclass(frozen=True, slots=True)
class DecisionMark:
    """A decision: its value in forms, its glyph, its word, and its key."""

    value: str
    state: str
    glyph: str
    word: str
    key: str


DECISIONS = (
    DecisionMark("in", "in", "✓", "In", "y"),
    DecisionMark("undecided", "", "–", "Undecided", "0"),
    DecisionMark("out", "out", "✕", "Out", "n"),
)
_MARKS = {mark.state: mark for mark in DECISIONS}
_WORDS = {mark.state: mark.word.lower() for mark in DECISIONS}


def mark_of(state: str) -> DecisionMark:
    """The mark of the decision `in`, `out` or none."""
    return _MARKS[state]


@dataclass(frozen=True, slots=True)
class ActWords:
    """The last decision on the screen: `key` undoes it."""

    key: int
    subject: str
    words: str
    at: datetime
    by: str


def last_act(topic: Topic, reader: User) -> ActWords | None:
    """The last decision of the topic that nobody has undone."""
    act = topic.host_acts.filter(undone_at=None).select_related("by").order_by("-pk").first()
    if act is None:
        return None
    by = "you" if act.by_id == reader.pk else act.by.get_username() if act.by else "nobody"
    return ActWords(act.pk, subject_of(act), act_words(act), act.at, by)


def subject_of(act: HostAct) -> str:
    """`a.example`, or `14 hosts`."""
    names = act.names
    return names[0].removeprefix("*.") if len(names) == 1 else number_of(len(names), "host")


def act_words(act: HostAct) -> str:
    """`out: 1,101 waiting links left out`."""
    effect = {"out": " left out", "in": "", "": ""}[act.to]
    links = f"{count(act.waiting)} waiting link{'' if act.waiting == 1 else 's'}{effect}"
    return _WORDS[act.to] + (f": {links}" if act.to == "out" and act.waiting else "")


def done_words(decided: Decided) -> str:
    """`a.example is out: 1,101 waiting links left out. 1 crawl under way obeys.`"""
    verb = "is" if len(decided.act.names) == 1 else "are"
    words = f"{subject_of(decided.act)} {verb} {act_words(decided.act)}."
    return words + _obey(decided.crawls)


def undone_words(decided: Decided) -> str:
    """`14 hosts are as before.`"""
    verb = "is" if len(decided.act.names) == 1 else "are"
    return f"{subject_of(decided.act)} {verb} as before.{_obey(decided.crawls)}"


def _obey(crawls: int) -> str:
    if not crawls:
        return ""
    return f" {number_of(crawls, 'crawl')} under way obey{'s' if crawls == 1 else ''} at once."
