"""Several machines on one: network and process namespaces on one bridge, with a web to crawl.

    10.77.n.1   this machine: PostgreSQL and Redis, behind relays that can be cut
    10.77.n.2   the web, on port 80, with an access log
    10.77.n.3…  coordinators and agents, each in namespaces of its own

n is drawn by each process, so that two runs of these tests on one machine do not meet.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import get_context
from pathlib import Path
from socket import AF_INET, SO_REUSEADDR, SOCK_STREAM, SOL_SOCKET, socket

from apps.engine.answers import Answer
from apps.engine.networking.webs.server import WebServer
from tests.made_web import MadeWeb

NETWORK = f"10.77.{secrets.randbelow(256)}"
HERE, WEB = f"{NETWORK}.1", f"{NETWORK}.2"
OWN_PROCESSES = ("unshare", "--pid", "--fork", "--mount-proc", "--kill-child")


class WebOfACrawl(MadeWeb):
    """A made web whose hosts no other crawl asks."""

    def __init__(self, number: int, pages: int, hosts: int) -> None:
        self._suffix = f"c{number}.test"
        super().__init__(pages, hosts, seed=number)
        self.hosts = {f"h{i}.{self._suffix}" for i in range(hosts)}

    def url(self, i: int) -> str:
        return f"http://h{i // 4 % self._n_hosts}.{self._suffix}/p/{i}.html"


class AllWebs:
    """The webs of all crawls behind one address."""

    def __init__(self, webs: Sequence[WebOfACrawl]) -> None:
        self._webs = {host: web for web in webs for host in web.hosts}

    def get(self, url: str) -> Answer:
        web = self._webs.get(url.split("/")[2])
        return web.get(url) if web else Answer(url, url, failure="dns")


def why_not() -> str:
    """Why this account may not make namespaces, or an empty text."""
    if shutil.which("ip") is None:
        return "no ip (sudo apt-get install -y iproute2)"
    name = f"cw{secrets.token_hex(3)}"
    made = _ip("netns", "add", name)
    _ip("netns", "del", name)
    return "" if made else "network namespaces may not be made here"


def _ip(*arguments: str) -> bool:
    return subprocess.run(["ip", *arguments], capture_output=True, check=False).returncode == 0


class Machine:
    """One namespace, and the process that runs in it."""

    def __init__(self, lab: Machines, number: int) -> None:
        self.address = f"{NETWORK}.{number}"
        self.name = f"{lab.mark}{number}"
        self.log = lab.folder / f"{self.name}.log"
        self._lab = lab
        self._process: subprocess.Popen[bytes] | None = None

    def start(self, *arguments: str, environment: Mapping[str, str]) -> None:
        """`manage.py` with those arguments, as on a machine of its own."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [
                    "ip",
                    "netns",
                    "exec",
                    self.name,
                    *OWN_PROCESSES,
                    sys.executable,
                    "manage.py",
                    *arguments,
                ],
                env={**os.environ, **environment, "CRAWLSITE_MACHINE": self.name},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def run(self, *line: str) -> None:
        """A process that is no part of the site."""
        self._process = subprocess.Popen(
            ["ip", "netns", "exec", self.name, *line], stdin=subprocess.DEVNULL
        )

    def pids(self) -> list[int]:
        listed = subprocess.run(
            ["ip", "netns", "pids", self.name], capture_output=True, text=True, check=False
        )
        return [int(pid) for pid in listed.stdout.split()]

    def kill(self) -> None:
        """The power fails."""
        self.signal(signal.SIGKILL)
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def signal(self, number: int) -> None:
        for pid in self.pids():
            with suppress(ProcessLookupError):
                os.kill(pid, number)

    def cut(self, is_cut: bool) -> None:
        """Pulls the cable, or plugs it in."""
        state = "down" if is_cut else "up"
        _ip("-n", self._lab.switch, "link", "set", f"v{self.name}", state)


class Machines:
    """The bridge and every machine; all is gone afterwards.

    The bridge is in a namespace of its own, the `switch`, where this machine's firewall does not
    hold: Docker's rules let nothing through a bridge of others.
    """

    def __init__(self, folder: Path, hosts: Sequence[str]) -> None:
        self.mark = f"c{secrets.token_hex(2)}m"
        self.folder = folder
        self._hosts = "127.0.0.1 localhost\n" + "".join(f"{WEB} {host}\n" for host in hosts)
        self._made: list[Machine] = []
        self.switch = f"{self.mark}s"

    def __enter__(self) -> Machines:
        here = f"{self.mark}h"
        assert _ip("netns", "add", self.switch)
        assert _ip("-n", self.switch, "link", "add", "bridge", "type", "bridge")
        assert _ip("-n", self.switch, "link", "set", "bridge", "up")
        assert _ip(
            "link", "add", here, "type", "veth", "peer", "name", "here", "netns", self.switch
        )
        assert _ip("-n", self.switch, "link", "set", "here", "master", "bridge", "up")
        assert _ip("addr", "add", f"{HERE}/24", "dev", here)
        assert _ip("link", "set", here, "up")
        return self

    def machine(self, number: int) -> Machine:
        """A machine with the address of that number, on the bridge."""
        made = Machine(self, number)
        self._made.append(made)
        names = Path("/etc/netns") / made.name
        names.mkdir(parents=True)
        (names / "hosts").write_text(self._hosts)
        (names / "resolv.conf").write_text("")
        inside, outside = f"i{made.name}", f"v{made.name}"
        assert _ip("netns", "add", made.name)
        assert _ip(
            "-n",
            made.name,
            "link",
            "add",
            inside,
            "type",
            "veth",
            "peer",
            "name",
            outside,
            "netns",
            self.switch,
        )
        _ip("-n", self.switch, "link", "set", outside, "master", "bridge", "up")
        _ip("-n", made.name, "addr", "add", f"{made.address}/24", "dev", inside)
        _ip("-n", made.name, "link", "set", inside, "up")
        _ip("-n", made.name, "link", "set", "lo", "up")
        return made

    def __exit__(self, *reason: object) -> None:
        for machine in self._made:
            machine.kill()
            _ip("netns", "del", machine.name)
            shutil.rmtree(Path("/etc/netns") / machine.name, ignore_errors=True)
        _ip("netns", "del", self.switch)


class Relay:
    """Carries connections from the bridge to a port of this machine; `cut` ends them all."""

    def __init__(self, to: int) -> None:
        with socket() as one:
            one.bind((HERE, 0))
            self.port = int(one.getsockname()[1])
        self._to = to
        self._process = get_context("fork").Process(target=self._run, daemon=True)
        self._process.start()

    def cut(self) -> None:
        os.kill(self._process.pid or 0, signal.SIGUSR1)

    def signal(self, number: int) -> None:
        os.kill(self._process.pid or 0, number)

    def end(self) -> None:
        self._process.kill()
        self._process.join()

    def _run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        open_ones: set[asyncio.StreamWriter] = set()

        async def carry(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            open_ones.add(writer)
            try:
                while data := await reader.read(65536):
                    writer.write(data)
                    await writer.drain()
            except OSError:
                pass
            finally:
                open_ones.discard(writer)
                writer.close()

        async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._to)
            except OSError:  # nobody is there
                writer.close()
                return
            await asyncio.gather(carry(reader, far_writer), carry(far_reader, writer))

        def cut() -> None:
            for writer in list(open_ones):
                writer.transport.abort()

        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, cut)
        server = await asyncio.start_server(meet, HERE, self.port)
        await server.serve_forever()


@contextmanager
def relay(to: int) -> Iterator[Relay]:
    made = Relay(to)
    try:
        yield made
    finally:
        made.end()


async def _serve_webs(
    address: str, count: int, pages: int, hosts: int, log: str, latency: float
) -> None:
    webs = AllWebs([WebOfACrawl(number, pages, hosts) for number in range(count)])
    with socket(AF_INET, SOCK_STREAM) as listener:
        listener.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
        listener.bind((address, 80))
        listener.listen(512)
        server = WebServer(webs, 80, Path(log), latency)  # type: ignore[arg-type]
        await server.start(listener)
        await asyncio.Event().wait()


if __name__ == "__main__":
    address, count, pages, hosts, log, latency = sys.argv[1:]
    asyncio.run(_serve_webs(address, int(count), int(pages), int(hosts), log, float(latency)))
