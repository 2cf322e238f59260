"""The messages between a coordinator and its agents, whatever carries them."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from apps.engine.answers import Answer

if TYPE_CHECKING:  # whoever only sends and reads messages loads no HTTP client
    from apps.engine.networking.exchange import Hop


@dataclass(frozen=True, slots=True)
class FetchTask:
    """A request for an agent to send. `layout`: the layout of the page is wanted too,
    `main_text`: its main text. It may be begun until `until`, in seconds of the clock that both
    share."""

    number: int
    hop: Hop
    layout: bool
    until: float = inf
    main_text: bool = False


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to the task of that number, the seconds the request took, and the CPU seconds
    that the agent has used since the last message it sent."""

    number: int
    answer: Answer
    seconds: float
    cpu_seconds: float


@dataclass(frozen=True, slots=True)
class Ready:
    """The agent has its equipment; its start took so many CPU seconds."""

    cpu_seconds: float
