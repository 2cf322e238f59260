"""An agent reads the answers that have come in series, and takes requests between them."""

from __future__ import annotations

import asyncio
import time
from typing import Any

import pytest

from apps.engine import series
from apps.engine.agents import process
from apps.engine.agents.process import Agent


@pytest.mark.parametrize(("longest", "in_a_row"), [(0.001, 1), (600.0, 20)])
async def test_a_series_ends_after_its_time(
    monkeypatch: pytest.MonkeyPatch, longest: float, in_a_row: int
) -> None:
    read: list[int] = []

    def reply_to(task: int, *_: Any) -> None:
        time.sleep(0.002)
        read.append(task)

    monkeypatch.setattr(series, "LONGEST", longest)
    monkeypatch.setattr(process, "reply_to", reply_to)
    agent = Agent(asyncio.get_running_loop().create_future())
    monkeypatch.setattr(agent.messages, "send", lambda reply: None)
    agent._answered.extend((number, None, 0.0) for number in range(20))  # type: ignore[misc]
    agent._start(agent._read())
    seen = []
    while agent._tasks:
        await asyncio.sleep(0)
        if read and read[-1] not in seen:
            seen.append(read[-1])
    assert read == [*range(20)]
    assert seen == [*range(in_a_row - 1, 20, in_a_row)]
