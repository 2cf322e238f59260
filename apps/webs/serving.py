"""Recorded webs served over HTTP on loopback: their ports, and waiting until they answer."""

from __future__ import annotations

import errno
import socket
import time

from apps.webs.models import Web


class WebNotServed(Exception):
    """A web is to be crawled over HTTP, and no server answers."""


def wait_until_served(web: Web, seconds: float) -> None:
    """Returns once the web's server accepts connections; its port is read anew at each try.

    Raises WebNotServed after `seconds`.
    """
    until = time.monotonic() + seconds
    while not _listens(web.served_port):
        if time.monotonic() > until:
            raise WebNotServed(web.name)
        time.sleep(0.1)
        web.refresh_from_db(fields=["served_port"])


def _listens(port: int | None) -> bool:
    if port is None:
        return False
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


HOST = "127.0.0.1"


def listening(port: int, host: str = HOST) -> socket.socket:
    """A listening socket on that port of an IPv4 address, or on a free one for 0; OSError if it is
    taken."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    listener.set_inheritable(True)
    return listener


def listen_for(web: Web) -> socket.socket:
    """A listening socket on the port that the web was last served on.

    If that is taken it listens on another, which is stored in the web's row. The parent process
    holds the socket, so that no crawl of this web is refused while its server starts.
    """
    try:
        listener = listening(web.served_port or 0)
    except OSError as error:
        if error.errno not in (errno.EADDRINUSE, errno.EACCES):
            raise
        listener = listening(0)
    keep_port(web, listener.getsockname()[1])
    return listener


def keep_port(web: Web, port: int) -> None:
    """Registers the web as served on that port."""
    Web.objects.filter(pk=web.pk).update(served_port=port)
