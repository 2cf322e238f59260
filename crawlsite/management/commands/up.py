"""Starts everything with one command."""

from __future__ import annotations

import signal
from argparse import ArgumentParser
from contextlib import ExitStack
from socket import socket
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from apps.crawls import first_crawl
from apps.jobs import queue, site
from apps.jobs.tables import make_tables
from apps.webs import serving
from crawlsite import start_up
from crawlsite.processes import Command as Child
from crawlsite.processes import ProcessTree


class Command(BaseCommand):
    help = (
        "Start the site on 127.0.0.1: web server, workers, demo web and supervisor. "
        "Ctrl-C ends them all; crawls go on at the next start."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--port", type=int, default=8000, help="if it is taken, the next free one (%(default)s)"
        )
        parser.add_argument("--no-demo", action="store_true", help="make and serve no demo")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 0 < options["port"] < 65536:
            raise CommandError("A port is a number from 1 to 65535.")
        try:
            lock = site.take(settings.DATA_DIR)
            listener = start_up.listen(options["port"])
        except (site.AlreadyRunning, start_up.NoFreePort) as error:
            raise CommandError(str(error)) from error
        with lock, listener:
            address = "http://{}:{}".format(*listener.getsockname())
            site.tell(lock, address)
            self._run(listener, address, demo=not options["no_demo"])

    def _run(self, listener: socket, address: str, demo: bool) -> None:
        stopping = site.stopping_file(settings.DATA_DIR)
        stopping.unlink(missing_ok=True)
        tree = ProcessTree(self._say, before_end=stopping.touch)
        workers = start_up.crawl_workers()
        tree.listen({signal.SIGUSR1: workers.name})
        with ExitStack() as open_sockets:
            try:
                make_tables()
                first_crawl.forget_preparation()
                queue.requeue_unfinished()
                tree.start(start_up.web_server(listener))
                self._greet(address)
                tree.start(*(self._demo(open_sockets) if demo else []))
                tree.start(workers, start_up.background_workers(), start_up.supervisor())
                connections.close_all()
                stayed = tree.watch()
            finally:
                tree.end()
        if not stayed:
            raise CommandError("Crawlsite has ended, for the reason above.")
        self._say("Crawlsite has ended. Crawls that were running go on at the next start.")

    def _demo(self, open_sockets: ExitStack) -> list[Child]:
        """The demo, if it exists or will be made. Its socket is open, so no request is refused."""
        web = start_up.demo_web()
        if web is None and start_up.first_start_done().exists():
            return []
        listener = serving.listen_for(web) if web else serving.listening(0)
        return [start_up.demo(open_sockets.enter_context(listener))]

    def _greet(self, address: str) -> None:
        user, path = start_up.sign_in_path()
        minutes = settings.SIGN_IN_LINK_SECONDS // 60
        self._say(f"Crawlsite is at {address}/ (data folder {settings.DATA_DIR}).")
        self._say(f"Sign in as {user} with this link, once, within {minutes} minutes:")
        self._say(f"    {address}{path}")
        self._say("Ctrl-C ends everything.")

    def _say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()
