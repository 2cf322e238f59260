"""Starts everything with one command."""

from __future__ import annotations

import os
import signal
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from socket import socket
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import connections

from apps.crawls import first_crawl
from apps.figures.quantities import number_of
from apps.jobs import queue, site
from apps.jobs.code_version import code_version
from apps.jobs.process import this_process
from apps.jobs.tables import make_tables
from apps.machines import broker as machines
from apps.machines import workers
from apps.stored_files.errors import StoreDown
from apps.webs import serving
from crawlsite import lent_workers, start_up
from crawlsite.processes import Command as Child
from crawlsite.processes import ProcessTree
from crawlsite.store_problems import pages_left_behind

EVERY = "0.0.0.0"


class Command(BaseCommand):
    help = (
        "Start the site on 127.0.0.1: web server, workers, demo web and supervisor. "
        "Ctrl-C ends them all; crawls go on at the next start. With --workers only workers and a "
        "supervisor, for the site of another machine; with --agents N only processes that fetch "
        "for its crawls."
    )
    requires_system_checks = ["crawlsite"]

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--port", type=int, default=8000, help="if it is taken, the next free one (%(default)s)"
        )
        parser.add_argument(
            "--host",
            default=serving.HOST,
            help="the address to listen on (%(default)s: only this "
            "machine); 0.0.0.0 for all, behind a server that speaks HTTPS",
        )
        parser.add_argument("--no-demo", action="store_true", help="make and serve no demo")
        parser.add_argument(
            "--workers",
            action="store_true",
            help="lend this machine's workers to the site that has the same DATABASE_URL, REDIS_URL"
            " and data folder or bucket",
        )
        parser.add_argument(
            "--agents",
            type=int,
            metavar="N",
            help="lend N processes of this machine, which fetch and read pages, to the crawls of"
            " the site that has the same DATABASE_URL and REDIS_URL; no shared disk is needed",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if not 0 < options["port"] < 65536:
            raise CommandError("A port is a number from 1 to 65535.")
        os.environ[site.TREE] = this_process().replace(":", "-")
        if options["agents"] is not None:
            self._lend_agents(options["agents"], options["workers"])
        elif options["workers"]:
            self._lend()
        else:
            self._serve(options["host"], options["port"], demo=not options["no_demo"])

    def _lend(self) -> None:
        try:
            address = lent_workers.check(settings.DATA_DIR)
        except lent_workers.CannotLend as error:
            raise CommandError(str(error)) from error
        with ExitStack() as open_sockets, self._tree("Others go on with it.") as tree:
            self._print(
                f"Workers for {address}/ (data folder {settings.DATA_DIR}):"
                f" {number_of(settings.CRAWLS_AT_ONCE, 'crawl')} at once and"
                f" {number_of(settings.BACKGROUND_WORKERS, 'other task')}. Ctrl-C ends them."
            )
            self._join(open_sockets)
            tree.start(
                *self._demo_here(open_sockets), *start_up.all_workers(), start_up.supervisor()
            )

    def _join(self, until_the_end: ExitStack) -> None:
        """Lists this machine's workers, and takes them off the list when they have ended."""
        workers.join()
        until_the_end.callback(workers.leave)

    def _lend_agents(self, count: int, workers: bool) -> None:
        if workers:
            raise CommandError("--workers and --agents are two commands: start each by itself.")
        if count < 1:
            raise CommandError("--agents is a number from 1.")
        try:
            lent_workers.check_agents()
        except lent_workers.CannotLend as error:
            raise CommandError(str(error)) from error
        with self._tree("Crawls go on without these agents.") as tree:
            self._print(
                f"{number_of(count, 'agent')} of {settings.MACHINE}, each with up to"
                f" {number_of(settings.AGENT_REQUESTS, 'request')} at once. Ctrl-C ends them."
            )
            tree.start(start_up.fetch_workers(count), start_up.agents_keeper(count))

    def _demo_here(self, open_sockets: ExitStack) -> list[Child]:
        """The demo is served on loopback, so also here, unless this is the site's own machine."""
        web = start_up.demo_web()
        if web is None or web.served_port is None:
            return []
        try:
            listener = serving.listening(web.served_port)
        except OSError:
            return []
        return [start_up.demo(open_sockets.enter_context(listener))]

    def _serve(self, host: str, port: int, demo: bool) -> None:
        try:
            lock = site.take(settings.DATA_DIR)
            listener = start_up.listen(port, host)
        except (site.AlreadyRunning, start_up.NoFreePort) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{host} is no address of this machine: {error}.") from error
        with lock, listener:
            host, port = listener.getsockname()
            address = start_up.address(serving.HOST if host == EVERY else host, port)
            site.write_holder(lock, address, code_version())
            try:
                lent_workers.announce(settings.DATA_DIR, address)
            except StoreDown as error:
                raise CommandError(f"{error}.") from error
            self._run(listener, address, demo)

    def _run(self, listener: socket, address: str, demo: bool) -> None:
        with ExitStack() as open_sockets, self._tree("Crawls go on at the next start.") as tree:
            make_tables(lambda: self._print("Making or changing the tables of the database."))
            _refuse_to_leave_pages_behind()
            machines.publish_code()
            self._join(open_sockets)
            first_crawl.forget_preparation()
            queue.requeue_unfinished()
            tree.start(start_up.web_server(listener))
            self._greet(address)
            tree.start(*(self._demo(open_sockets) if demo else []))
            tree.start(*start_up.all_workers(), start_up.supervisor())

    @contextmanager
    def _tree(self, afterwards: str) -> Iterator[ProcessTree]:
        """A tree that lives, with what is started within, until somebody ends it; `afterwards` is
        the sentence about its work then."""
        stopping = site.stopping_file(settings.DATA_DIR)
        tree = ProcessTree(self._print, before_end=stopping.touch)
        tree.listen({signal.SIGUSR1: start_up.crawl_workers().name})
        try:
            yield tree
            connections.close_all()
            stayed = tree.watch()
        finally:
            tree.end()
            stopping.unlink(missing_ok=True)
        if not stayed:
            raise CommandError("Crawlsite has ended, for the reason above.")
        self._print(f"Crawlsite has ended. {afterwards}")

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
        self._print(f"Crawlsite is at {address}/ (data folder {settings.DATA_DIR}).")
        self._print(f"Sign in as {user} with this link, once, within {minutes} minutes:")
        self._print(f"    {address}{path}")
        self._print("Ctrl-C ends everything.")

    def _print(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()


def _refuse_to_leave_pages_behind() -> None:
    """Ends the start of a site that is given a bucket before its pages are in it."""
    try:
        refusal = pages_left_behind()
    except StoreDown as error:
        raise CommandError(f"{error}.") from error
    if refusal:
        raise CommandError(refusal)
