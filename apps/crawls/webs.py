"""Where webs and pages are kept, and opening the webs that rows name."""

from __future__ import annotations

import socket
import time
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db.models import Q, QuerySet

from apps.crawls.models import Web
from apps.engine.networking.virtual_web import VirtualWeb
from apps.engine.networking.virtual_web import Web as EngineWeb


def live_web() -> Web:
    """The one row that stands for the live Web."""
    return Web.objects.get_or_create(source=Web.Source.LIVE, defaults={"name": "live"})[0]


def visible_webs(user: AbstractUser) -> QuerySet[Web]:
    """The webs that a person may crawl: everybody's, their own and those shared with everybody."""
    return Web.objects.filter(Q(owner=None) | Q(owner=user) | Q(shared=True))


def webs_folder() -> Path:
    """Where imported webs are kept, a folder each."""
    return Path(settings.DATA_DIR) / "webs"


def crawl_folder(crawl_id: int) -> Path:
    """Where a crawl's page store and checkpoints are."""
    return Path(settings.DATA_DIR) / "crawls" / str(crawl_id)


def open_web(web: Web) -> EngineWeb:
    """The web of a row. Raises BadWebFile where its folder holds none, ValueError for the live
    Web, which cannot be opened."""
    if web.source == Web.Source.FOLDER:
        return VirtualWeb(webs_folder() / web.folder)
    if web.source == Web.Source.DEMO:
        return _demo_web(web.seed)
    raise ValueError("the live Web cannot be opened, only fetched")


@lru_cache(maxsize=2)
def _demo_web(seed: int) -> EngineWeb:
    from apps.demo.web import DemoWeb

    return DemoWeb(seed)


class WebNotServed(Exception):
    """A web that is to be crawled over HTTP has no server that answers."""


def free_port() -> int:
    """A port of the loopback address that nobody listens on."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def wait_until_served(web: Web, seconds: float) -> None:
    """Returns once the web's server takes connections, its port being read anew each time.

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
