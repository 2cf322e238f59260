"""For the empty site that the environment names: `python -m apps.research.bench.starts make` makes
a topic in it, `… start STRATEGY` starts a crawl for it, and `… run` runs that, and prints the CPU
seconds of its process so far before the first request and after the last batch, as JSON."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

PAGES, CRAWLED = 600, 50
"""Pages of the web, 180 of which are the topic's examples, and of a crawl."""


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crawlsite.settings")
    import django

    django.setup()
    actions: dict[str, Callable[..., None]] = {"make": make, "start": start, "run": run}
    actions[sys.argv[1]](*sys.argv[2:])


def make() -> None:
    from django.core.management import call_command

    from apps.research.bench.starts.made_topic import make_topic_of_articles

    call_command("migrate", verbosity=0)
    with tempfile.TemporaryDirectory() as folder:
        make_topic_of_articles(Path(folder), PAGES)


def start(strategy: str) -> None:
    from apps.research.bench.new_crawl import start_crawl
    from apps.topics.models import Topic

    start_crawl(Topic.objects.get(), strategy, CRAWLED)


def run() -> None:
    from apps.crawls.models import Crawl
    from apps.research.bench.starts.short_crawl import timed_crawl

    json.dump(timed_crawl(Crawl.objects.latest("pk")), sys.stdout)


main()
