"""A tree of processes that start and end together.

Each child has its own session, so that Ctrl-C reaches only the head of the tree; the kernel kills
it when the head ends. A child that ends by itself is restarted, with growing delays; after too many
endings in a row, everything ends.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial

from crawlsite.parent_death import die_with

ENDING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LOOK_SECONDS = 0.1


@dataclass(frozen=True)
class Command:
    """A command to start: its name for messages, arguments, extra environment and open files."""

    name: str
    line: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)
    files: tuple[int, ...] = ()


@dataclass(frozen=True)
class Patience:
    """Limits: seconds from TERM to KILL, and how many endings in how many seconds are too many."""

    grace: float = 2.8
    endings: int = 5
    span: float = 60.0

    def delay(self, endings: int) -> float:
        """Seconds before the next start, by the endings in the span: 0.2, 0.4, 0.8 …"""
        return min(5.0, 0.1 * 2.0**endings)


class Child:
    """One process of the tree, with all its restarts."""

    def __init__(self, command: Command, patience: Patience) -> None:
        self.command = command
        self.start_at: float | None = None
        self._patience = patience
        self._endings: deque[float] = deque()
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self.start_at = None
        self._process = subprocess.Popen(
            self.command.line,
            env={**os.environ, **self.command.environment},
            stdin=subprocess.DEVNULL,
            pass_fds=self.command.files,
            start_new_session=True,
            preexec_fn=partial(die_with, os.getpid()),
        )

    def pid(self) -> int | None:
        return self._process.pid if self._process else None

    def ended(self) -> int | None:
        """The exit code, once, if the process has ended since the last call."""
        code = self._process.poll() if self._process else None
        if code is not None:
            self.kill()
        return code

    def note_ending(self) -> bool:
        """Schedules the next start. Returns False after too many endings."""
        now = time.monotonic()
        self._endings.append(now)
        while self._endings[0] < now - self._patience.span:
            self._endings.popleft()
        self.start_at = now + self._patience.delay(len(self._endings))
        return len(self._endings) < self._patience.endings

    def terminate(self) -> None:
        """Sends TERM to the head of the child's group, which ends its own children."""
        if self._process and self._process.poll() is None:
            self._process.terminate()

    def has_ended(self) -> bool:
        return self._process is None or self._process.poll() is not None

    def kill(self) -> None:
        """Kills what is left of the child's group."""
        if self._process is None:
            return
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None


class ProcessTree:
    """The children of this process. `before_end` is called before they are ended."""

    def __init__(
        self,
        write: Callable[[str], None],
        before_end: Callable[[], None] = lambda: None,
        patience: Patience | None = None,
    ) -> None:
        self._write = write
        self._before_end = before_end
        self._patience = patience or Patience()
        self._children: dict[str, Child] = {}
        self._signal: int | None = None
        self._asked: set[str] = set()

    def listen(self, restarts: Mapping[int, str]) -> None:
        """Handles the ending signals, and the signals that restart a child (by its name)."""
        for number in ENDING_SIGNALS:
            signal.signal(number, self._end_asked)
        for restart, name in restarts.items():
            signal.signal(restart, lambda *_, name=name: self._asked.add(name))

    def start(self, *commands: Command) -> None:
        for command in commands:
            child = self._children[command.name] = Child(command, self._patience)
            child.start()

    def pids(self) -> dict[str, int | None]:
        return {name: child.pid() for name, child in self._children.items()}

    def ask_to_end(self) -> None:
        self._signal = self._signal or signal.SIGTERM

    def watch(self) -> bool:
        """Keeps the children running. Returns True if asked to end, False if one keeps ending."""
        while self._signal is None:
            for child in self._children.values():
                if not self._keep(child):
                    return False
            while self._asked:
                self._restart(self._asked.pop())
            time.sleep(LOOK_SECONDS)
        return True

    def end(self) -> None:
        """Ends all children: by TERM, and by KILL after the grace period."""
        self._before_end()
        self._end(list(self._children.values()))

    def _end_asked(self, number: int, frame: object) -> None:
        self._signal = number

    def _keep(self, child: Child) -> bool:
        code = child.ended()
        if code is not None:
            again = child.note_ending()
            self._write(_sentence(child.command.name, code, again, self._patience))
            return again
        if child.start_at is not None and child.start_at <= time.monotonic():
            child.start()
        return True

    def _restart(self, name: str) -> None:
        child = self._children[name]
        self._write(f"Restarting the {name}: tasks were waiting, but none was taken.")
        self._end([child])
        child.start()

    def _end(self, children: Sequence[Child]) -> None:
        for child in children:
            child.terminate()
        until = time.monotonic() + self._patience.grace
        while time.monotonic() < until and not all(child.has_ended() for child in children):
            time.sleep(0.02)
        for child in children:
            child.kill()


def _sentence(name: str, code: int, again: bool, patience: Patience) -> str:
    how = f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"
    if again:
        return f"The {name} {how}; it is started again."
    return (
        f"The {name} {how}, {patience.endings} times within {patience.span:.0f} seconds. "
        "Everything is stopped; its last messages are above."
    )
