"""The event of a change that the engine refused; there is no such command."""

from __future__ import annotations

from apps.crawls.commands.command import EventKind, Payload


def _words(payload: Payload) -> str:
    return f"{str(payload['change']).replace('_', ' ')}: {payload['why']}"


REFUSED = EventKind("refused", "Change refused", _words)
