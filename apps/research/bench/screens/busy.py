"""What goes on in a site while its screens are asked: `python -m apps.research.bench.screens.busy
crawl` crawls in the site that the environment names, with `index` it indexes what was crawled, each
until it is ended."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

EVERY = 0.5
"""Seconds between two looks for crawls that are to be indexed."""
BUDGET = 50_000


def crawl() -> None:
    """Crawls the web of the newest topic, again and again."""
    from apps.research.bench.new_crawl import start_crawl
    from apps.research.bench.screens.large_site import STRATEGY
    from apps.research.bench.whole_crawl import run_crawl
    from apps.topics.models import Topic

    topic = Topic.objects.exclude(web=None).latest("pk")
    while True:
        run_crawl(start_crawl(topic, STRATEGY, BUDGET))


def index() -> None:
    """Indexes what is due, as the supervisor asks and background workers do."""
    from apps.collection.tasks import ask_where_due
    from apps.research.bench.screens.large_site import do_waiting_jobs

    while True:
        ask_where_due()
        do_waiting_jobs()
        time.sleep(EVERY)


WORKS = {"crawl": crawl, "index": index}


@contextmanager
def busy_site() -> Iterator[Sequence[subprocess.Popen[bytes]]]:
    """Within it, the site of this process crawls and indexes in two other processes, which it
    gives. Raises CalledProcessError if one of them ended by itself."""
    command = [sys.executable, "-P", "-m", "apps.research.bench.screens.busy"]
    works = [subprocess.Popen([*command, work], stdin=subprocess.DEVNULL) for work in WORKS]
    try:
        yield works
        for work in works:
            if work.poll() is not None:
                raise subprocess.CalledProcessError(work.returncode, work.args)
    finally:
        for work in works:
            work.kill()
            work.wait()


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "crawlsite.settings")
    import django

    django.setup()
    WORKS[sys.argv[1]]()


if __name__ == "__main__":
    main()
