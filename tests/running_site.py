"""The whole product as a person starts it: the real process tree on a folder of its own."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import httpx

from tests.stores import own_stores
from tests.tables import database_with_tables, put_tables

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 90
ELSEWHERE = ("unshare", "--pid", "--fork", "--mount-proc", "--kill-child")
# A test never fails because the machine is busy with something else.
PATIENCE = 5
_ports = cycle(range(10_000 + os.getpid() % 100 * 200, 10_200 + os.getpid() % 100 * 200))
LINK = re.compile(r"(http://127\.0\.0\.1:\d+)(/sign-in/link/\S+)")


@dataclass(frozen=True)
class LentWorkers:
    """The processes of another machine, and what they print."""

    head: subprocess.Popen[bytes]
    log: Path

    def log_text(self) -> str:
        return self.log.read_text(errors="replace")

    def kill(self) -> None:
        """Kills all of them: the namespace ends with its head."""
        self.head.kill()
        self.head.wait()


def other_machines() -> bool:
    """Whether this account may make the process namespace that stands for another machine."""
    return subprocess.run([*ELSEWHERE, "true"], capture_output=True, check=False).returncode == 0


class RunningSite:
    """One data folder and the `up` that may be running on it."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self.address = ""
        self.link = ""
        self.environment = {**os.environ, **environment, "CRAWLSITE_DATA": str(folder / "data")}
        self._process: subprocess.Popen[bytes] | None = None
        self._log = folder / "up.log"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self, *options: str, port: int | None = None) -> None:
        """Return when the first page has been answered."""
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                self._line("up", "--port", str(port or free_port()), *options),
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        wait_for(lambda: self._is_ready(), START_SECONDS, self.output)

    def stop(self, number: int = signal.SIGINT) -> float:
        """Seconds from the signal until `up` has ended."""
        assert self._process is not None
        begun = time.monotonic()
        self._process.send_signal(number)
        self._process.wait(30 * PATIENCE)
        return time.monotonic() - begun

    def kill_everything(self) -> None:
        for pid in self.processes():
            kill(pid)
        if self._process is not None:
            self._process.wait(30 * PATIENCE)

    def exit_code(self) -> int | None:
        assert self._process is not None
        return self._process.poll()

    def output(self) -> str:
        return self._log.read_text(errors="replace") if self._log.exists() else ""

    def manage(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """A command on the same folder, stores and all."""
        return subprocess.run(
            self._line(*arguments),
            env=self.environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=120 * PATIENCE,
        )

    @contextmanager
    def lent_workers(self, data: Path | None = None) -> Iterator[LentWorkers]:
        """Workers as another machine would lend them: in a process namespace of their own, and out
        of reach of what kills the site's processes. They have the site's data folder, or one of
        their own."""
        log = self.folder / f"lent-{data.name if data else 'here'}.log"
        with log.open("wb") as output:
            head = subprocess.Popen(
                [*ELSEWHERE, *self._line("up", "--workers")],
                stdin=subprocess.DEVNULL,
                env={**self.environment, "CRAWLSITE_DATA": str(data or f"{self.folder}/./data")},
                stdout=output,
                stderr=output,
            )
        lent = LentWorkers(head, log)
        try:
            yield lent
        finally:
            lent.kill()

    def begin(self, *arguments: str) -> subprocess.Popen[str]:
        """A command that goes on; it is killed with the site at the latest."""
        return subprocess.Popen(
            self._line(*arguments),
            env=self.environment,
            text=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
        )

    def python(self, code: str) -> str:
        """What the code prints, run with Django set up on the same folder."""
        done = self.manage("shell", "--no-imports", "-c", code)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def processes(self, *words: str) -> list[int]:
        """Living processes of this folder whose command line holds all those words."""
        mark = f"CRAWLSITE_DATA={self.folder / 'data'}".encode()
        return [
            pid
            for pid in _pids()
            if all(word.encode() in _read(pid, "cmdline") for word in words)
            and mark in _read(pid, "environ").split(b"\0")
            and not _is_zombie(pid)
        ]

    def workers(self, kind: str) -> list[int]:
        """The forked parts of a cluster (`crawl`, `background`), its head and guard left out."""
        of_cluster = self.processes(f"crawlsite.workers\0{kind}")
        guards = {pid for pid in of_cluster if _parent(_parent(pid)) == self.pid}
        return [pid for pid in of_cluster if _parent(pid) in guards]

    def _line(self, *arguments: str) -> Sequence[str]:
        return [sys.executable, str(ROOT / "manage.py"), *arguments]

    def _is_ready(self) -> bool:
        assert self.exit_code() is None, self.output()
        link = LINK.search(self.output())
        if not link:
            return False
        self.address, self.link = link[1], link[0]
        return answers(self.address)


@contextmanager
def running_site(
    folder: Path,
    *options: str,
    environment: Mapping[str, str] | None = None,
    start: bool = True,
    tables: bool = True,
) -> Iterator[RunningSite]:
    """A site that is gone afterwards, whatever happened. Without `tables` nothing at all is there
    before it."""
    with own_stores(database_with_tables) if tables else own_stores() as stores:
        site = RunningSite(folder, {**stores, **(environment or {})})
        try:
            if tables and not stores:
                put_tables(folder / "data")
            if start:
                site.start(*options)
            yield site
        finally:
            site.kill_everything()


def answers(address: str) -> bool:
    try:
        return httpx.get(address + "/sign-in/", timeout=20 * PATIENCE).status_code == 200
    except httpx.TransportError:
        return False


def listens(port: int) -> bool:
    """Whether somebody takes connections there."""
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def free_port() -> int:
    """A port that nobody listens on. It is given out once, and by this process only: below those
    that the system gives to anybody, and apart from those of processes started before and after."""
    while True:
        port = next(_ports)
        with socket.socket() as one, suppress(OSError):
            one.bind(("127.0.0.1", port))
            return port


def wait_for(
    condition: Callable[[], object], seconds: float, explain: Callable[[], str] = lambda: ""
) -> None:
    """Waits for a state. `seconds` is what an idle machine needs at most; a busy one gets more.

    It is looked at ever more rarely, so that a long wait takes little from what is waited for.
    """
    until, pause = time.monotonic() + PATIENCE * seconds, 0.02
    while not condition():
        assert time.monotonic() < until, f"nothing after {PATIENCE * seconds} seconds\n{explain()}"
        time.sleep(pause)
        pause = min(1.2 * pause, 0.25)


def kill(pid: int, number: int = signal.SIGKILL) -> None:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return


def _pids() -> list[int]:
    return [int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit()]


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""


def _status(pid: int) -> list[bytes]:
    """State, parent, … as proc(5) counts them from the third field on."""
    return _read(pid, "stat").rpartition(b")")[2].split() or [b"X", b"0"]


def _is_zombie(pid: int) -> bool:
    return _status(pid)[0] in b"ZX"


def _parent(pid: int) -> int:
    return int(_status(pid)[1])
