"""Fetching a topic's examples in a command, with a bar on stderr."""

from __future__ import annotations

import sys

from tqdm import tqdm

from apps.topics import tasks
from apps.topics.models import Example, Topic


def fetch_with_progress(topic: Topic) -> None:
    """Fetches what waits and trains, in this process; the bar counts the examples.

    Raises BadWebFile, OSError.
    """
    waiting = topic.examples.filter(fetch=Example.Fetch.WAITING)
    total = waiting.count()
    with tqdm(total=total, desc="Fetching examples", unit="page", file=sys.stderr) as bar:
        tasks.run_here(topic, lambda: bar.update(total - waiting.count() - bar.n))
