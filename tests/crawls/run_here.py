"""A made web with its topic in the database, and crawls of it run in this very process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User

from apps.crawls import services
from apps.crawls.commands.lifecycle.start import start_here
from apps.crawls.lifecycle.lease import claim
from apps.crawls.models import Crawl
from apps.engine.codes import State
from apps.topics import tasks
from apps.topics.definition.schemas import Definition
from apps.topics.models import Topic
from apps.topics.services import create_topic
from apps.webs.importing import import_web
from apps.webs.models import Web
from tests.made_once import made_once
from tests.made_web import MadeWeb, bread_topic

MADE = MadeWeb(pages=240, hosts=6)


def made_web(folder: Path, made: MadeWeb = MADE) -> Web:
    """The made web, imported."""
    path = folder / "made.jsonl"
    path.write_text(made.json_lines())
    return made_once(("made web", made), lambda: import_web("made", path)[0])


def bread(owner: User, web: Web, made: MadeWeb = MADE) -> Topic:
    """The topic of bread, its examples fetched."""
    topic = bread_topic(made)
    by_kind = {
        "positives": [e.url for e in topic.training if e.relevant],
        "negatives": [e.url for e in topic.training if not e.relevant],
        "evaluation_positives": [e.url for e in topic.evaluation if e.relevant],
        "evaluation_negatives": [e.url for e in topic.evaluation if not e.relevant],
        "seeds": topic.seeds,
        "targets": sorted(topic.targets),
        "inlinks": [f"{url},{n}" for url, n in topic.inlinks.items()],
    }
    definition = Definition(
        name="bread",
        keywords=topic.keywords,
        language="en",
        web_id=web.pk,
        web_label="bread",
        lists={name: "\n".join(urls) for name, urls in by_kind.items()},
    )

    def make() -> Topic:
        saved = create_topic(owner, definition)
        tasks.run_here(saved.topic)
        return saved.topic

    return made_once(("bread", made, web.pk), make, owner)


def new_crawl(topic: Topic, strategy: str = "adaptive_utility", **values: Any) -> Crawl:
    """A draft over the topic's recorded web."""
    values = {"budget": 60, "random_seed": 1, **values}
    return services.create_crawl(topic.owner, topic, topic.web, strategy=strategy, **values)


def run(crawl: Crawl, report: Callable[[Crawl], None] = lambda crawl: None) -> Crawl:
    """Runs the crawl until it ends or pauses; `report` is told of each commit."""
    from apps.crawls.running.runner import Runner

    if crawl.state == State.DRAFT:
        start_here(crawl)
    claimed = claim(crawl.pk, crawl.epoch)
    assert claimed is not None
    Runner(claimed, keep=True, report=report).run()
    crawl.refresh_from_db()
    return crawl


def order(crawl: Crawl) -> list[str]:
    """Every URL asked for, in order."""
    pages = crawl.pages_fetched.values_list("request", "url")
    failures = crawl.failed_requests.values_list("request", "url")
    return [url for _, url in sorted([*pages, *failures])]
