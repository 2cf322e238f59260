"""Parts of `up`: the port, the first start, and the command lines of the children."""

from __future__ import annotations

import errno
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User

from apps.accounts import services as accounts
from apps.webs.models import Web
from apps.webs.serving import HOST, listening
from crawlsite.allocator import allocator_environment
from crawlsite.processes import Command

PORTS_TRIED = 100


class NoFreePort(Exception):
    """All ports tried are in use."""


def listen(first_port: int, host: str = HOST) -> socket.socket:
    """A socket that listens on the first free port from `first_port`. Raises NoFreePort, OSError if
    the host is no address of this machine.

    The head of the process tree keeps it open, so that a restarted web server has the same port and
    requests in between wait instead of being refused.
    """
    for port in range(first_port, min(first_port + PORTS_TRIED, 65536)):
        try:
            return listening(port, host)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
    raise NoFreePort(f"The ports {first_port} to {port} are all taken; name another with --port.")


def address(host: str, port: int) -> str:
    """Where browsers find the site: at its first origin that is set, else where it listens."""
    origins = (each for each in settings.CSRF_TRUSTED_ORIGINS if "*" not in each)
    return next(origins, f"http://{host}:{port}").rstrip("/")


def demo_web() -> Web | None:
    return Web.objects.filter(source=Web.Source.DEMO).order_by("pk").first()


def first_start_done() -> Path:
    """A file that exists after the demo has been made; without it the next start makes the demo."""
    return settings.DATA_DIR / "first_start_done"


def make_demo(port: int, report: Callable[[str], object]) -> Web:
    """Makes the demo's web, topic and crawl once per data folder and returns the web, for that
    port; `report` gets a sentence before each step. The next start completes an interrupted one."""
    if not first_start_done().exists():
        from crawlsite import first_start

        first_start.make_until_done(port, report)
        first_start_done().touch()
    return Web.objects.filter(source=Web.Source.DEMO).earliest("pk")


def sign_in_path() -> tuple[User, str]:
    """The user whom the new one-time link signs in, and its path."""
    user = accounts.ensure_owner()
    return user, accounts.link_path(accounts.make_link(user))


def web_server(listener: socket.socket) -> Command:
    """Daphne on an open socket."""
    number = listener.fileno()
    line = (
        *_module("crawlsite.web_server"),
        *("--fd", str(number), "--verbosity", "0", "--no-server-name"),
        *("--application-close-timeout", "2"),
        "crawlsite.asgi:application",
    )
    return Command("web server", line, files=(number,))


def crawl_workers() -> Command:
    return Command("crawl workers", _workers("crawl"), allocator_environment())


def background_workers() -> Command:
    return Command("background worker", _workers("background"), allocator_environment())


def fetch_workers(count: int) -> Command:
    """The cluster whose tasks are this machine's agents."""
    lent = {"CRAWLSITE_FETCH_WORKERS": str(count), **allocator_environment()}
    return Command("agents", _workers("fetch"), lent)


def agents_keeper(count: int) -> Command:
    return Command("keeper of the agents", _crawlsite("keep_agents", str(count)))


def all_workers() -> tuple[Command, Command]:
    return crawl_workers(), background_workers()


def demo(listener: socket.socket) -> Command:
    number, port = listener.fileno(), listener.getsockname()[1]
    line = _crawlsite("serve_demo", "--fd", str(number), "--port", str(port))
    return Command("demo web", line, files=(number,))


def supervisor() -> Command:
    return Command("supervisor", _crawlsite("supervise", "--head", str(os.getpid())))


def _workers(kind: str) -> tuple[str, ...]:
    return _module("crawlsite.workers", kind)


def _module(name: str, *arguments: str) -> tuple[str, ...]:
    return (sys.executable, "-P", "-m", name, *arguments)


def _crawlsite(*arguments: str) -> tuple[str, ...]:
    return (*settings.COMMAND_LINE, *arguments)
