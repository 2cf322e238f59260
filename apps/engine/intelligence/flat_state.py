"""States of parts in one flat dictionary, as checkpoints of strategies keep them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def joined(parts: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """The states of parts under `<part>.<name>`."""
    return {
        f"{part}.{name}": value for part, state in parts.items() for name, value in state.items()
    }


def part_of(state: Mapping[str, Any], part: str) -> dict[str, Any]:
    """The state of one part of what `joined` returned."""
    return {
        name.removeprefix(f"{part}."): value
        for name, value in state.items()
        if name.startswith(f"{part}.")
    }
