"""Reads pages in a process of its own, which is started when first needed.

The libraries take a hundred megabytes and libxml2 cannot be interrupted; a process can be killed,
and it ends by itself when it has nothing to do. A page that is not read by its deadline, or at
which the process or a library fails, has no article.
"""

from __future__ import annotations

import logging
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from threading import Event, Lock, Thread
from typing import Any, Literal

from apps.engine.answers import Answer
from apps.engine.kernel import processor_seconds
from apps.engine.parsing.processes import ProcessDeadline, receive, send
from apps.main_text.article import Article, Marks

DEADLINE_SECONDS = 30.0
Wanted = Literal["article", "marks"]
IDLE_SECONDS = 60.0
"""After so long without a page the process ends."""
_ROOT = Path(__file__).parents[2]
log = logging.getLogger("crawlsite.main_text")


class Reader:
    """A process that reads one page after the other; `deadline` is in seconds of processor time a
    page."""

    def __init__(self, deadline: float = DEADLINE_SECONDS) -> None:
        self.deadline = deadline
        self._process: subprocess.Popen[bytes] | None = None
        self._used_at = 0.0
        self._lock = Lock()

    def read(self, answer: Answer) -> Article | None:
        """The article of a page, or None if it cannot be read."""
        article: Article | None = self._ask("article", answer)
        return article

    def read_marks(self, answer: Answer) -> Marks | None:
        """Language and day of a page, or None if it cannot be read."""
        marks: Marks | None = self._ask("marks", answer)
        return marks

    def _ask(self, wanted: Wanted, answer: Answer) -> Any:
        with self._lock:
            process = self._running()
            replied = Event()
            Thread(target=_kill_late, args=(process, self.deadline, replied), daemon=True).start()
            try:
                return _exchange(process, wanted, answer)
            except (EOFError, OSError) as error:
                self._end()
                reason = str(error) or "the process ended"
                log.warning("%s is not read: %s", answer.final_url, reason)
                return None
            finally:
                replied.set()
                self._used_at = time.monotonic()

    def close(self) -> None:
        """Ends the process."""
        with self._lock:
            self._end()

    def _running(self) -> subprocess.Popen[bytes]:
        # One that is about to end may end before it gets the page.
        is_idle = time.monotonic() - self._used_at > IDLE_SECONDS / 2
        if self._process is None or is_idle or self._process.poll() is not None:
            self._end()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "apps.main_text.reader_process"],
                cwd=_ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
            )
        return self._process

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            with suppress(OSError):
                process.communicate()


READER = Reader()
"""That of this process."""


def _kill_late(process: subprocess.Popen[bytes], seconds: float, replied: Event) -> None:
    """Kills a process that does not reply by its deadline."""
    deadline = ProcessDeadline(seconds, lambda: processor_seconds(process.pid))
    while not replied.wait(deadline.wait):
        if deadline.has_passed():
            process.kill()
            return


def _exchange(process: subprocess.Popen[bytes], wanted: Wanted, answer: Answer) -> Any:
    assert process.stdin is not None and process.stdout is not None
    send(process.stdin, (wanted, answer))
    return receive(process.stdout)
