"""The demo crawl: its preparation at the first start, and starting it."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction

from apps.crawls.commands.lifecycle.start import start
from apps.crawls.models import Crawl
from apps.crawls.services import create_crawl
from apps.crawls.sources.served_web import SERVED_WEB
from apps.figures.quantities import count
from apps.topics.models import Example, Topic
from apps.topics.selectors import example_counts
from apps.webs.models import Web

STRATEGY = "adaptive_utility"
PAGES = 1000
PAGES_PER_SECOND = 4.0
"""Slow enough to try δ, labels and the other controls; Full speed lifts the limit."""
SEED = 1


@dataclass(frozen=True, slots=True)
class DemoStep:
    """One step of the preparation; `state` is `done`, `now` or `later`."""

    title: str
    words: str
    state: str


def being_made() -> Path:
    """A file that exists while the first start makes the demo."""
    return settings.DATA_DIR / "demo_being_made"


def has_failed() -> Path:
    """A file that exists if the demo could not be made, with the reason; deleting it starts another
    try."""
    return settings.DATA_DIR / "demo_failed"


def forget_preparation() -> None:
    """Clears the message of an earlier start about its demo."""
    being_made().unlink(missing_ok=True)
    has_failed().unlink(missing_ok=True)


def try_again() -> None:
    """Lets the process that could not make the demo try again; does nothing if none waits."""
    with suppress(FileNotFoundError):
        has_failed().rename(being_made())


def demo_crawl(owner: User) -> Crawl | None:
    """A person's newest crawl of the demo topic."""
    return Crawl.objects.filter(owner=owner, topic__is_demo=True).order_by("-pk").first()


def preparation() -> list[DemoStep]:
    """The steps of the first start, in order, with their progress."""
    web = Web.objects.filter(source=Web.Source.DEMO).first()
    topic = Topic.objects.filter(is_demo=True).first()
    topic = None if topic is None or _waits(topic) else topic
    crawl = Crawl.objects.filter(topic__is_demo=True).order_by("pk").first()
    facts = [
        ("Demo web", _words_of_web(web), web is not None),
        ("Topic", _words_of_topic(topic), topic is not None),
        (
            "Crawl",
            f"starts at {PAGES_PER_SECOND:g} pages a second, so that there is time to try things",
            crawl is not None,
        ),
    ]
    done = next((i for i, (_, _, is_done) in enumerate(facts) if not is_done), len(facts))
    return [
        DemoStep(title, words, "done" if i < done else "now" if i == done else "later")
        for i, (title, words, _) in enumerate(facts)
    ]


def _words_of_web(web: Web | None) -> str:
    made = "a small web, made on this machine"
    if web is not None and web.pages and web.hosts:
        made = f"{count(web.pages)} invented pages on {count(web.hosts)} hosts"
    return f"{made}; nothing is fetched from the internet"


def _words_of_topic(topic: Topic | None) -> str:
    if topic is None:
        return "its seeds, examples and targets are drawn and the pages read"
    examples = example_counts(topic)
    return (
        f"{topic.name}: {count(topic.seeds.count())} seeds, {count(examples['positive'].all)}"
        f" positive and {count(examples['negative'].all)} negative examples,"
        f" {count(topic.targets.count())} targets"
    )


def start_demo_crawl(topic: Topic, web: Web, strategy: str = STRATEGY) -> Crawl:
    """Queues a crawl of the demo web over HTTP, limited to a few pages a second.

    Raises CrawlRefused.
    """
    with transaction.atomic():
        crawl = create_crawl(
            topic.owner,
            topic,
            web,
            strategy=strategy,
            budget=PAGES,
            random_seed=SEED,
            over=SERVED_WEB.over,
            politeness={"pages_per_second": PAGES_PER_SECOND},
        )
        start(crawl)
    return crawl


def _waits(topic: Topic) -> bool:
    examples = topic.examples.all()
    return not examples.exists() or examples.filter(fetch=Example.Fetch.WAITING).exists()
