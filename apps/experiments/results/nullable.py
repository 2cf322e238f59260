"""Converts arrays with NaN for unknown values to lists with None."""

from __future__ import annotations

from apps.engine.model import Floats


def nullable(values: Floats) -> list[float | None]:
    """The same values, None where one is NaN."""
    return [None if value != value else value for value in values.tolist()]
