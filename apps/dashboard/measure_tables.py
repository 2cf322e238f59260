"""The measures of a crawl in words: tables with what each is taken over and who said so."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import AbstractUser

from apps.crawls.models import Crawl
from apps.crawls.selectors import visible_crawls
from apps.dashboard.afterwards import Afterwards, afterwards
from apps.dashboard.measure_figures import drawn
from apps.dashboard.progress import JUDGES
from apps.dashboard.quantities import count, score, share
from apps.engine.evaluation import MEASURES
from apps.engine.evaluation.measure import Measure
from apps.engine.evaluation.url_overlap import Overlap, url_overlap
from apps.topics.provenance import source_words, status_source

FORMATS = {"share": share, "score": score, "log": score, "count": count}
MOST_OTHERS = 5
_STATUS = ("average_status", "average_status_estimated", "status_recent")
_LABELS = ("harvest_rate_true", "virtual_web_recall")
_JUDGE = (
    "harvest_rate", "harvest_without_seeds", "harvest_recent", "soft_harvest", "loss_rate",
    "committee_agreement",
)


@dataclass(frozen=True, slots=True)
class MeasureRow:
    """One measure: its value in words, over how many (`over` of `what`), and by whose word."""

    measure: type[Measure]
    value: str
    over: str
    what: str
    source: str


@dataclass(frozen=True, slots=True)
class OverlapRow:
    """Another crawl of the topic, and what both fetched."""

    crawl: Crawl
    overlap: Overlap


def measures_context(crawl: Crawl, user: AbstractUser) -> dict[str, Any]:
    """All that the measures' screen shows."""
    found = afterwards(crawl)
    return {
        "crawl": crawl,
        "found": found,
        "rows": measure_rows(crawl, found),
        "charts": drawn(found),
        "overlaps": overlaps(crawl, user),
        "judge": JUDGES.get(crawl.judged_by, ""),
        "inlinks": status_source(crawl.sources) or _typed(crawl),
        "label": crawl.topic.web_label,
        "cost": {
            "page": 1000 * crawl.cpu_seconds / max(crawl.pages, 1),
            "reorder": 1000 * crawl.reorder_seconds / max(crawl.pages, 1),
        },
    }


def measure_rows(crawl: Crawl, found: Afterwards) -> list[MeasureRow]:
    """Every measure of the running crawl, at its last page."""
    return [
        MeasureRow(
            measure=measure,
            value=_value(measure, crawl.metrics.get(measure.id)),
            over=count(found.known[measure.id]),
            what=_what(measure.id),
            source=_source(crawl, measure.id),
        )
        for measure in MEASURES
    ]


def overlaps(crawl: Crawl, user: AbstractUser) -> list[OverlapRow]:
    """The newest other crawls of the topic that the person may see, with their common pages."""
    others = visible_crawls(user).filter(topic=crawl.topic_id, pages__gt=0).exclude(pk=crawl.pk)
    mine = _urls(crawl) if crawl.pages else set()
    return [
        OverlapRow(other, url_overlap(mine, _urls(other)))
        for other in others.order_by("-pk")[:MOST_OTHERS]
    ]


def _urls(crawl: Crawl) -> set[str]:
    return set(crawl.pages_fetched.values_list("final_url", flat=True))


def _value(measure: type[Measure], value: float | None) -> str:
    if measure.unit == "count" and isinstance(value, float):
        return f"{value:.1f}"
    return FORMATS[measure.unit](value)


def _what(id: str) -> str:
    named = {
        "target_recall": "targets", "virtual_web_recall": "relevant pages of the web",
        "reliability": "sites",
    }
    return named.get(id, "pages")


def _source(crawl: Crawl, id: str) -> str:
    """By whose word, empty where the crawl itself is the witness."""
    if id in _JUDGE:
        return JUDGES.get(crawl.judged_by, "")
    if id in _LABELS:
        label = crawl.topic.web_label
        return f"label {label} of the recorded web {crawl.web.name}" if label else ""
    if id in _STATUS:
        return status_source(crawl.sources) or _typed(crawl)
    if id == "reliability" and "sites" in crawl.sources:
        return source_words("sites", crawl.sources["sites"])
    return "the topic’s targets" if id == "target_recall" and crawl.metrics.get("targets") else ""


def _typed(crawl: Crawl) -> str:
    typed = crawl.snapshot.data["inlinks"] if crawl.snapshot else {}
    return "in-links: counts in the topic" if typed else ""
