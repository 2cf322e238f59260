"""Fetching a topic's examples in a command, with a bar on stderr."""

from __future__ import annotations

from apps.jobs.bar import progress_bar
from apps.topics import tasks
from apps.topics.models import Example, Topic


def fetch_with_progress(topic: Topic) -> None:
    """Fetches what waits and trains, in this process; the bar counts the examples.

    Raises BadWebFile, OSError.
    """
    waiting = topic.examples.filter(fetch=Example.Fetch.WAITING)
    total = waiting.count()
    with progress_bar(total=total, desc="Fetching examples", unit="page") as bar:
        tasks.run_here(topic, lambda: bar.update(total - waiting.count() - bar.n))
