"""What `up` does before and around its children: port, first start, command lines."""

from __future__ import annotations

import errno
import os
import socket
import sys
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.urls import reverse

from apps.accounts import services as accounts
from apps.webs.models import Web
from apps.webs.serving import listening
from crawlsite.processes import Command

PORTS_TRIED = 100
MANAGE = str(settings.BASE_DIR / "manage.py")


class NoFreePort(Exception):
    """Every port tried is taken."""


def listen(first_port: int) -> socket.socket:
    """A listening socket on the first free port from `first_port` on. Raises NoFreePort.

    The head of the tree keeps it, so that a web server that is started again has the same port and
    callers in between wait instead of being refused.
    """
    for port in range(first_port, min(first_port + PORTS_TRIED, 65536)):
        try:
            return listening(port)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
    raise NoFreePort(f"The ports {first_port} to {port} are all taken; name another with --port.")


def demo_web() -> Web | None:
    return Web.objects.filter(source=Web.Source.DEMO).order_by("pk").first()


def first_start_done() -> Path:
    """A file that is there once the demo has been made; without it the next start makes it."""
    return settings.DATA_DIR / "first_start_done"


def make_demo(port: int) -> Web:
    """The demo's web, served on that port; made with its topic and crawl once for a data folder.
    A start that was cut off is made good by the next."""
    if not first_start_done().exists():
        from crawlsite import first_start

        first_start.make_until_done(port)
        first_start_done().touch()
    return Web.objects.filter(source=Web.Source.DEMO).earliest("pk")


def sign_in_path() -> tuple[AbstractUser, str]:
    """Whom the new one-time link signs in, and its path."""
    user = accounts.ensure_owner()
    return user, reverse("accounts:link", args=[accounts.make_link(user)])


def web_server(listener: socket.socket) -> Command:
    """Daphne on a socket that is open already."""
    number = listener.fileno()
    line = (
        *_python("-m", "crawlsite.web_server"),
        *("--fd", str(number), "--verbosity", "0", "--no-server-name"),
        *("--application-close-timeout", "2"),
        "crawlsite.asgi:application",
    )
    return Command("web server", line, files=(number,))


def crawl_workers() -> Command:
    return Command("crawl workers", _python("-m", "crawlsite.workers", settings.CRAWL_CLUSTER))


def background_workers() -> Command:
    name = settings.BACKGROUND_CLUSTER
    return Command("background worker", _python("-m", "crawlsite.workers", name))


def demo(listener: socket.socket) -> Command:
    number, port = listener.fileno(), listener.getsockname()[1]
    line = _python(MANAGE, "serve_demo", "--fd", str(number), "--port", str(port))
    return Command("demo web", line, files=(number,))


def supervisor() -> Command:
    return Command("supervisor", _python(MANAGE, "supervise", "--head", str(os.getpid())))


def _python(*arguments: str) -> tuple[str, ...]:
    return (sys.executable, *arguments)
