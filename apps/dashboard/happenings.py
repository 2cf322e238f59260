"""Events of a crawl in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.crawls.models import Event
from apps.dashboard.charts import LETTERS
from apps.dashboard.quantities import count, score
from apps.engine.model import State


@dataclass(frozen=True, slots=True)
class Happening:
    """An event as a row: `what` in bold, then `more`; `undo` says whether it can be taken back."""

    event: Event
    letter: str
    what: str
    more: str
    undo: bool = False


def happenings(
    events: Sequence[Event], undoable: Collection[int] = frozenset()
) -> list[Happening]:
    """The rows of `events`, in their order; `undoable` are the numbers that can be taken back."""
    return [_happening(event, event.seq in undoable) for event in events]


def _happening(event: Event, undo: bool) -> Happening:
    what, more = _words(event.kind, event.payload)
    return Happening(
        event=event,
        letter=LETTERS.get(event.kind, ""),
        what=what,
        more=_signed(more, event),
        undo=undo,
    )


def _signed(sentence: str, event: Event) -> str:
    name = (event.by.get_full_name() or event.by.get_username()) if event.by else ""
    said = (f"{sentence} by {name}" if name else sentence).strip()
    return said if said.endswith(".") or not said else f"{said}."


def _words(kind: str, payload: Mapping[str, Any]) -> tuple[str, str]:
    match kind:
        case "delta":
            before = payload.get("before")
            start = f"from {score(before)} " if before is not None else ""
            return "δ changed", f"{start}to {score(payload.get('value'))}"
        case "budget":
            return "Budget changed", f"to {count(payload.get('pages'))} pages"
        case "seeds":
            return "Seeds added", f"{count(len(payload.get('urls', ())))} of them"
        case "leave_out":
            return "Host left out", str(payload.get("host", ""))
        case "take_in":
            return "Host taken in again", str(payload.get("host", ""))
        case "exclude":
            return "Addresses left out", f"that match {payload.get('pattern', '')}"
        case "include":
            return "Addresses taken in again", f"that match {payload.get('pattern', '')}"
        case "trap":
            return "Spider trap set aside", _trapped(payload)
        case "trust":
            return "Spider trap taken in again", str(payload.get("place", ""))
        case "labels":
            return "Labels retrained the classifier", _learned(payload)
        case "refused":
            return "Change refused", f"{payload.get('change')}: {payload.get('why')}"
    if kind in {str(state) for state in State}:
        reason = str(payload.get("reason", "")).replace("_", " ")
        return kind.capitalize(), reason.removeprefix(f"{kind} ")
    return kind.replace("_", " ").capitalize(), _plain(payload)


def _trapped(payload: Mapping[str, Any]) -> str:
    """`wiki.test/calendar/#/#: its pages lead only to each other … ; 34 waiting links`."""
    host, _, slot = str(payload.get("place", "")).partition(" ")
    why = {
        "endless_path": "paths that repeat themselves or go on without end",
        "nothing_new": "page after page leads to more of the same and says nothing new",
        "idle_parameter": f"{slot} makes no difference to the pages",
    }.get(str(payload.get("rule")), "")
    waited = count(payload.get("urls", 0))
    return f"{host}: {why}; {waited} waiting links left out"


def _learned(payload: Mapping[str, Any]) -> str:
    """`with 11 y and 3 n; F1 0.71 → 0.84; 41,870 links scored anew in 1.9 s`."""
    withdrawn = payload.get("withdrawn", 0)
    said = f"with {count(payload.get('yes', 0))} y and {count(payload.get('no', 0))} n"
    parts = [said + (f", {count(withdrawn)} taken back" if withdrawn else "")]
    quality = payload.get("quality") or {}
    if quality.get("before") and quality.get("after"):
        f1 = (score(quality[moment]["f1"]["mean"]) for moment in ("before", "after"))
        parts.append("cross-validated F1 {} → {}".format(*f1))
    seconds = payload.get("seconds", 0.0)
    parts.append(f"{count(payload.get('rescored', 0))} links scored anew in {seconds:.1f} s")
    return "; ".join(parts)


def _plain(payload: Mapping[str, Any]) -> str:
    """What a payload says, where it holds plain values."""
    plain = {key: value for key, value in payload.items() if isinstance(value, str | int | float)}
    return ", ".join(f"{key.replace('_', ' ')} {value}" for key, value in plain.items())
