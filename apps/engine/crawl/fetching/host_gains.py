"""Which hosts' pages gain by rendering, learnt from those that were rendered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

TRIED = 5
"""Pages of a host that are rendered before it is given up."""
SAMPLED_EVERY = 25
"""Of a host that was given up, every 25th page is rendered all the same."""


@dataclass(slots=True)
class HostGain:
    """A host's pages that need scripts: how many came, and how many were rendered in a row without
    a gain."""

    flagged: int = 0
    without_gain: int = 0


class HostGains:
    """The hosts of one crawl."""

    def __init__(self) -> None:
        self._hosts: dict[str, HostGain] = {}

    def is_worth(self, host: str) -> bool:
        """Whether the next page of a host that needs scripts is to be rendered."""
        gain = self._hosts.setdefault(host, HostGain())
        gain.flagged += 1
        return gain.without_gain < TRIED or gain.flagged % SAMPLED_EVERY == 0

    def learn(self, host: str, gained: bool) -> None:
        """Notes a rendered page."""
        gain = self._hosts.setdefault(host, HostGain())
        gain.without_gain = 0 if gained else gain.without_gain + 1

    def state(self) -> dict[str, Any]:
        """The state as plain values."""
        return {host: asdict(gain) for host, gain in self._hosts.items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restores what `state` returned."""
        self._hosts = {host: HostGain(**gain) for host, gain in state.items()}
