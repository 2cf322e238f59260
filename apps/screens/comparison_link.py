"""The way from crawls shown together to their comparison."""

from __future__ import annotations

from collections.abc import Iterable

from django.urls import reverse

from apps.experiments.results.crawls.chosen import LEAST, MOST


def newest_compared(crawls: Iterable[int]) -> str:
    """The page that compares the newest of these crawls, the oldest of them being the baseline;
    empty if there are not two."""
    newest = sorted(crawls)[-MOST:]
    numbers = ",".join(map(str, newest))
    return f"{reverse('compare:crawls')}?crawls={numbers}" if len(newest) >= LEAST else ""
