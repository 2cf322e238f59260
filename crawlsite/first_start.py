"""The first start: makes the demo web, its topic and a crawl of it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress

from apps.accounts.services import ensure_owner
from apps.crawls.first_crawl import SEED, being_made, has_failed, start_demo_crawl
from apps.demo.topic import draw_topic
from apps.demo.web import DemoWeb
from apps.topics.definition.schemas import TopicFile
from apps.topics.importing import import_topic
from apps.topics.models import Example, Topic
from apps.webs.models import Web
from apps.webs.opening import open_web

log = logging.getLogger("crawlsite.first_start")
LOOK_SECONDS = 0.2
Report = Callable[[str], object]


def make_until_done(port: int, report: Report) -> None:
    """Makes the demo with its web on that port. After a failure, stores the reason for the screen
    and tries again when a person asks for it."""
    while not _is_made(port, report):
        while has_failed().exists():
            time.sleep(LOOK_SECONDS)


def _is_made(port: int, report: Report) -> bool:
    being_made().touch()
    try:
        prepare(port, report)
    except Exception as error:
        log.exception("The demo could not be made. The first screen offers to try again.")
        # A full disk has no space for the reason, but files can be renamed.
        being_made().rename(has_failed())
        with suppress(OSError):
            has_failed().write_text(getattr(error, "strerror", None) or str(error))
        return False
    being_made().unlink()
    return True


def prepare(port: int, report: Report = lambda step: None) -> None:
    """Makes the demo and starts its crawl, or continues after an interrupted start; `report` gets a
    sentence before each step.

    Each step is a separate transaction, so that no other process waits while pages are read. A
    background job measures the topic's quality while the crawl is running.
    """
    row = Web.objects.filter(source=Web.Source.DEMO).first()
    if row is None:
        report("making the demo web on this machine; nothing is fetched from the internet.")
        row = _make_web(port)
    topic = Topic.objects.filter(is_demo=True).first()
    if topic is None or topic.examples.filter(fetch=Example.Fetch.WAITING).exists():
        report(f"making a topic of the {row.pages:,} pages, with seeds, examples and targets.")
        topic = _make_topic(row)
    if not topic.crawls.exists():
        start_demo_crawl(topic, row)
        report("the crawl of the demo web has been started.")


def _make_web(port: int) -> Web:
    row = Web(
        name="demo",
        source=Web.Source.DEMO,
        seed=SEED,
        served_port=port,
        note="sourdough and other topics; invented pages",
    )
    web = open_web(row)
    row.pages, row.hosts = web.count, len(web.hosts)
    row.save()
    return row


def _make_topic(row: Web) -> Topic:
    web = open_web(row)
    assert isinstance(web, DemoWeb)
    return import_topic(
        ensure_owner(),
        TopicFile.read(draw_topic(web, row.seed).as_json()),
        row.pk,
        replace=True,
        is_demo=True,
        train_later=True,
    ).topic
