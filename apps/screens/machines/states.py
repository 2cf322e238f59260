"""The states of agents and workers as they are shown, and what may be asked of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from apps.figures.quantities import duration

FORGET_SECONDS = 60.0
"""Whoever has been silent for so long can be forgotten."""


@dataclass(frozen=True, slots=True)
class StateMark:
    """A state: the icon, the tone and the word."""

    icon: str
    tone: str
    word: str


STATES = {
    "running": StateMark("play", "ok", "running"),
    "draining": StateMark("download", "warn", "draining"),
    "drained": StateMark("pause", "warn", "drained"),
    "silent": StateMark("warn", "warn", "silent"),
    "refused": StateMark("cross", "bad", "refused"),
    "idle": StateMark("clock", "quiet", "idle"),
}


def verb(state: str, age: float) -> str:
    """The action for agents or workers in this state, whose last heartbeat is so many seconds old;
    empty if there is none."""
    if state == "silent":
        return "forget" if age >= FORGET_SECONDS else ""
    return "drain" if state == "running" else "resume"


def age_words(seconds: float) -> str:
    """`0.4 s`, `1 min 12 s`."""
    return f"{seconds:.1f} s" if seconds < 60 else duration(seconds)


def mean(values: list[Any]) -> float | None:
    """The mean of those that are not None, or None."""
    numbers = [float(value) for value in values if value is not None]
    return sum(numbers) / len(numbers) if numbers else None
