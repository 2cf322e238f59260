"""The states of a discovered URL, and the records of new URLs and changed states."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from apps.engine.codes import Exclusion


class UrlState(IntEnum):
    """States of a discovered URL; a NEW one has no score yet."""

    NEW = 0
    WAITING = 1
    IN_FLIGHT = 2
    FETCHED = 3
    FAILED = 4
    EXCLUDED = 5


# Plain integers: comparing enum members costs a call in the innermost loop.
NEW, WAITING, IN_FLIGHT, FETCHED, FAILED, EXCLUDED = (int(state) for state in UrlState)
REASONS = tuple(Exclusion)
REASON_CODE = {reason: code for code, reason in enumerate(REASONS)}


class Discovered(NamedTuple):
    """A URL when it is first recorded; `parent` is a URL number, −1 for seeds."""

    number: int
    url: str
    parent: int
    depth: int
    priority: float
    state: UrlState
    reason: str


class Changed(NamedTuple):
    """A recorded URL whose state has changed."""

    number: int
    state: UrlState
    reason: str
