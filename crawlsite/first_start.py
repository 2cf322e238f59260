"""What the first start makes: the demo web, its topic and a crawl of it."""

from __future__ import annotations

from apps.accounts.services import ensure_owner
from apps.crawls.first_crawl import SEED, start_demo_crawl
from apps.demo.topic import draw_topic
from apps.demo.web import DemoWeb
from apps.topics.definition.topic_file import topic_of
from apps.topics.importing import import_topic
from apps.topics.models import Example, Topic
from apps.webs.models import Web
from apps.webs.opening import open_web
from apps.webs.serving import free_port


def prepare() -> None:
    """Makes the demo and begins its crawl, or goes on where an earlier start was cut off.

    Each step is a transaction of its own, so that nobody waits while pages are read. The topic's
    quality is measured by the background, while the crawl goes on already.
    """
    row = Web.objects.filter(source=Web.Source.DEMO).first() or _make_web()
    topic = Topic.objects.filter(is_demo=True).first()
    if topic is None or topic.examples.filter(fetch=Example.Fetch.WAITING).exists():
        topic = _make_topic(row)
    if not topic.crawls.exists():
        start_demo_crawl(topic, row)


def _make_web() -> Web:
    row = Web(name="demo", source=Web.Source.DEMO, seed=SEED, served_port=free_port())
    web = open_web(row)
    row.pages, row.hosts = web.count, len(web.hosts)
    row.save()
    return row


def _make_topic(row: Web) -> Topic:
    web = open_web(row)
    assert isinstance(web, DemoWeb)
    file = topic_of(draw_topic(web, row.seed).as_json(), row.pk)
    return import_topic(ensure_owner(), file, replace=True, is_demo=True, train_later=True).topic
