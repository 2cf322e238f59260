"""Processes that read for the crawl: what counts towards their deadline."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from apps.engine.kernel import processor_seconds
from apps.engine.parsing import processes
from apps.engine.parsing.large_pages import LargePages
from apps.engine.parsing.processes import ParsingFailed
from tests.engine.parsing.pages import answer

PAGE = answer(b"<title>The title</title>")
TOO_SHORT = 0.01
"""Seconds in which no process of Python starts."""


class Starved(LargePages):
    """Processes that seem to get no processor time."""

    def seconds_of(self, process: asyncio.subprocess.Process) -> float:
        return 0.0


@pytest.fixture
async def starved() -> AsyncIterator[Starved]:
    reader = Starved(processes=1, deadline=TOO_SHORT)
    yield reader
    await reader.close()


async def test_a_process_that_could_not_work_yet_is_waited_for(
    starved: Starved, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "PATIENCE", 10**6)
    assert (await starved.parse(PAGE)).title == "The title"


async def test_even_so_it_is_given_up_in_the_end(
    starved: Starved, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "PATIENCE", 1)
    with pytest.raises(ParsingFailed):
        await starved.parse(PAGE)


async def test_a_process_that_has_worked_for_its_deadline_is_killed() -> None:
    reader = LargePages(processes=1, deadline=TOO_SHORT)
    with pytest.raises(ParsingFailed):
        await reader.parse(PAGE)
    assert reader.idle == []


async def test_processor_time_grows_with_work_and_is_nothing_after_the_end() -> None:
    process = await asyncio.create_subprocess_exec("sh", "-c", "while :; do :; done")
    while processor_seconds(process.pid) < TOO_SHORT:
        await asyncio.sleep(TOO_SHORT)
    process.kill()
    await process.wait()
    assert processor_seconds(process.pid) == 0.0
