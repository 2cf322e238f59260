"""Serves an imported web over HTTP on loopback; hosts differ by name."""

from __future__ import annotations

import asyncio
import signal
import socket
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.engine.errors import BadWebFile
from apps.engine.networking.webs.server import WebServer
from apps.webs import serving
from apps.webs.models import Web
from apps.webs.opening import open_web


class Command(BaseCommand):
    help = (
        "Serve an imported web (or the demo) on 127.0.0.1 until Ctrl-C, and register it as "
        "served, so that crawls can fetch it over HTTP."
    )
    requires_system_checks = ["crawlsite"]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the web, as import_web named it")
        parser.add_argument(
            "--port", type=int, help="default: the last port of this web, else a free one"
        )
        parser.add_argument(
            "--access-log", type=Path, metavar="FILE", help="print a line for each request"
        )
        parser.add_argument(
            "--latency", type=float, default=0, metavar="MS", help="wait before each answer"
        )
        parser.add_argument(
            "--fd", type=int, help="file descriptor of a listening socket (used by up)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        web = _web(options["name"])
        if options["latency"] < 0:
            raise CommandError("A latency is a number of milliseconds from 0 up.")
        try:
            served = open_web(web)
        except BadWebFile as error:
            raise CommandError(f"The web {web.name!r} cannot be read: {error}") from error
        make = partial(
            WebServer, served, access_log=options["access_log"], latency=options["latency"] / 1000
        )
        with _listener(web, options["port"], options["fd"]) as listener:
            address = f"http://{serving.HOST}:{listener.getsockname()[1]}/"
            ready = partial(self._print, f"{web.name} is served at {address}", options["verbosity"])
            try:
                asyncio.run(_serve(make, listener, ready))
            except OSError as error:
                raise CommandError(f"The web cannot be served: {error}") from error

    def _print(self, sentence: str, verbosity: int) -> None:
        if verbosity:
            self.stdout.write(sentence)
            self.stdout.flush()


def _web(name: str) -> Web:
    web = Web.objects.exclude(source=Web.Source.LIVE).filter(name=name).first()
    if web is None:
        names = Web.objects.exclude(source=Web.Source.LIVE).values_list("name", flat=True)
        existing = ", ".join(sorted(names)) or "none yet; make one with import_web"
        raise CommandError(f"There is no recorded web named {name!r}. There are: {existing}.")
    return web


def _listener(web: Web, port: int | None, number: int | None) -> socket.socket:
    if number is not None:
        return socket.socket(fileno=number)
    if port is None:
        return serving.listen_for(web)
    try:
        listener = serving.listening(port)
    except (OSError, OverflowError) as error:
        raise CommandError(f"Port {port} cannot be used ({error}); name another.") from error
    serving.keep_port(web, listener.getsockname()[1])
    return listener


async def _serve(
    make: Callable[[], WebServer], listener: socket.socket, ready: Callable[[], None]
) -> None:
    """Serves until TERM or Ctrl-C. A server must be made in the loop it runs in."""
    server = make()
    ended = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, ended.set)
    await server.start(listener)
    ready()
    await ended.wait()
    await server.stop()
