"""What the template of the live page is given."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.urls import NoReverseMatch, reverse

from apps.crawls.models import Crawl
from apps.crawls.selectors import visible_recipes
from apps.dashboard.about import about
from apps.dashboard.charts import CHARTS
from apps.dashboard.figures import figures
from apps.dashboard.payloads import Message, snapshot
from apps.dashboard.readings import read
from apps.topics.provenance import given_words

FORMATS = (
    ("csv", "CSV", "one row a page"),
    ("jsonl", "JSON lines", "one object a page"),
    ("warc", "WARC", "the pages as fetched"),
)
# Verbs whose forms are hidden; the buttons that send them stand all over the page.
VERBS = ("delta", "undo", "leave_out", "take_in", "include", "retrain")


def live_context(crawl: Crawl, user: AbstractUser) -> dict[str, Any]:
    """The page as it stands now; its websocket goes on from `message.seq`.

    Raises Crawl.DoesNotExist where the crawl has just been deleted.
    """
    reading = read(crawl.pk)
    if reading is None:
        raise Crawl.DoesNotExist
    message = snapshot(reading)
    return {
        "crawl": reading.crawl,
        "about": about(reading.crawl),
        "given": given_words(reading.crawl.sources),
        "may_change": reading.crawl.owner_id == user.pk,
        "topic_is_visible": visible_recipes(user).filter(pk=crawl.pk).exists(),
        "message": message,
        "message_data": message.plain() | {"fragments": {}, "rows": []},
        "fragments": {id.replace("-", "_"): html for id, html in message.fragments.items()},
        "figures": figures(),
        "charts": _charts(message),
        "downloads": _downloads(crawl),
        "warnings": reading.crawl.warnings,
        "verbs": VERBS,
    }


def _charts(message: Message) -> list[dict[str, str]]:
    return [
        {
            "id": chart.id,
            "unit": chart.unit,
            "summary": message.summaries[chart.id],
            "caption": message.fragments[f"caption-{chart.id}"],
            "empty": message.fragments[f"empty-{chart.id}"],
        }
        for chart in CHARTS
    ]


def _downloads(crawl: Crawl) -> list[tuple[str, str, str]]:
    """(name, what it holds, address) of every format there is."""
    try:
        return [
            (name, words, reverse("exports:download", args=[crawl.pk, format]))
            for format, name, words in FORMATS
        ]
    except NoReverseMatch:
        return []
