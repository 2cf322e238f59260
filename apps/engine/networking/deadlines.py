"""Deadlines that stop while the event loop is blocked."""

from __future__ import annotations

import asyncio
from types import TracebackType

TICK = 0.1


class Deadlines:
    """Cancels operations after a number of seconds in which the event loop could run.

    A clock ticks every tenth of a second, and a late tick counts as two at most, so that seconds of
    parsing or committing do not count against the fetches in flight. All deadlines share one timer.
    An operation may overrun by two ticks. Belongs to one event loop.
    """

    def __init__(self, tick: float = TICK) -> None:
        self.now = 0.0
        self._tick = tick
        self._last = 0.0
        self._due: dict[Deadline, float] = {}
        self._ticking = False

    def within(self, seconds: float) -> Deadline:
        """`async with deadlines.within(5):` raises TimeoutError after the seconds are over."""
        return Deadline(self, seconds)

    def enter(self, deadline: Deadline, seconds: float) -> None:
        self._due[deadline] = self.now + seconds
        if not self._ticking:
            self._ticking = True
            loop = asyncio.get_running_loop()
            self._last = loop.time()
            loop.call_later(self._tick, self._on_tick, loop)

    def leave(self, deadline: Deadline) -> None:
        self._due.pop(deadline, None)

    def _on_tick(self, loop: asyncio.AbstractEventLoop) -> None:
        now = loop.time()
        self.now += min(now - self._last, 2 * self._tick)
        self._last = now
        for deadline in [one for one, due in self._due.items() if due <= self.now]:
            del self._due[deadline]
            deadline.expire(now)
        self._ticking = bool(self._due)
        if self._ticking:
            loop.call_later(self._tick, self._on_tick, loop)


class Deadline:
    """One deadline, as an asynchronous context."""

    __slots__ = ("_owner", "_seconds", "_timeout")

    def __init__(self, owner: Deadlines, seconds: float) -> None:
        self._owner = owner
        self._seconds = seconds
        self._timeout = asyncio.timeout(None)

    async def __aenter__(self) -> None:
        await self._timeout.__aenter__()
        self._owner.enter(self, self._seconds)

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._owner.leave(self)
        await self._timeout.__aexit__(kind, error, trace)

    def expire(self, now: float) -> None:
        self._timeout.reschedule(now)
