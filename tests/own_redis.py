"""A Redis of a test's own, to be killed and frozen."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.running_site import free_port, listens, wait_for


class OwnRedis:
    """One server on a port of its own, which it keeps over restarts; it stores nothing on disk."""

    def __init__(self, folder: Path, host: str = "127.0.0.1") -> None:
        self.port = free_port()
        self.url = f"redis://{host}:{self.port}/0"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Returns when it takes connections."""
        self._process = subprocess.Popen(
            [
                "redis-server",
                "--port",
                str(self.port),
                "--save",
                "",
                "--appendonly",
                "no",
                "--dir",
                str(self._folder),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        wait_for(lambda: listens(self.port), 20)

    def signal(self, number: int) -> None:
        assert self._process is not None
        self._process.send_signal(number)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        assert self._process is not None
        self._process.wait()


@contextmanager
def own_redis(folder: Path) -> Iterator[OwnRedis]:
    """A server that is gone afterwards. Without one installed the test is skipped, except in CI."""
    if shutil.which("redis-server") is None:
        reason = "no redis-server (sudo apt-get install -y redis-server)"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    server = OwnRedis(folder)
    server.start()
    try:
        yield server
    finally:
        server.kill()
