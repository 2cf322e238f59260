"""The measures of a crawl as tables, with what each covers and which judge it uses."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from apps.crawls.measures.crawl_report import CrawlReport, crawl_report
from apps.crawls.measures.estimates import shown_value
from apps.crawls.models import Crawl
from apps.crawls.selectors import visible_crawls
from apps.engine.evaluation import MEASURES
from apps.engine.evaluation.measure import Measure, Witness
from apps.engine.evaluation.url_overlap import UrlOverlap, url_overlap
from apps.figures.quantities import count
from apps.figures.units import UNITS
from apps.screens.live.progress import JUDGES
from apps.screens.measures.figures import plots_context
from apps.topics.inputs.inlinks import status_source
from apps.topics.inputs.sites import SITES

MOST_OTHERS = 5
MOST_COMPARED = 20_000
"""The pages up to which crawls are compared page by page."""


@dataclass(frozen=True, slots=True)
class ReportRow:
    """One measure: its value in words, how many it covers (`over` of `what`), and its judge."""

    measure: type[Measure]
    value: str
    over: str
    what: str
    source: str


@dataclass(frozen=True, slots=True)
class OverlapRow:
    """Another crawl of the topic, and the pages that both fetched."""

    crawl: Crawl
    overlap: UrlOverlap


def measures_context(crawl: Crawl, user: User) -> dict[str, Any]:
    """The template context of the measures' screen."""
    report = crawl_report(crawl)
    return {
        "crawl": crawl,
        "report": report,
        "rows": measure_rows(crawl, report),
        **plots_context(report),
        "overlaps": overlaps(crawl, user),
        "most_compared": MOST_COMPARED,
        "judge": _judge(crawl),
        "inlinks": _inlinks(crawl),
        "label": crawl.topic.web_label,
        "cost": {
            "page": 1000 * crawl.cpu_seconds / max(crawl.pages, 1),
            "reorder": 1000 * crawl.reorder_seconds / max(crawl.pages, 1),
        },
    }


def measure_rows(crawl: Crawl, report: CrawlReport) -> list[ReportRow]:
    """Every measure of the running crawl, at its last page."""
    return [
        ReportRow(
            measure=measure,
            value=UNITS[measure.unit].write(shown_value(crawl.metrics, measure.id)),
            over=count(report.coverage[measure.id]),
            what=measure.over,
            source=WITNESSES[measure.witness](crawl),
        )
        for measure in MEASURES
    ]


def overlaps(crawl: Crawl, user: User) -> list[OverlapRow]:
    """The newest other visible crawls of the topic, with the common pages; none where this crawl
    is too large to be compared."""
    if not 0 < crawl.pages <= MOST_COMPARED:
        return []
    comparable = visible_crawls(user).filter(pages__gt=0, pages__lte=MOST_COMPARED)
    others = comparable.filter(topic=crawl.topic_id).exclude(pk=crawl.pk)
    mine = _urls(crawl)
    return [
        OverlapRow(other, url_overlap(mine, _urls(other)))
        for other in others.order_by("-pk")[:MOST_OTHERS]
    ]


def _urls(crawl: Crawl) -> set[str]:
    return set(crawl.pages_fetched.values_list("final_url", flat=True))


def _judge(crawl: Crawl) -> str:
    return JUDGES.get(crawl.judged_by, "")


def _critic(crawl: Crawl) -> str:
    return JUDGES["guiding_classifier"]


def _labels(crawl: Crawl) -> str:
    label = crawl.topic.web_label
    return f"label {label} of the recorded web {crawl.web.name}" if label else ""


def _inlinks(crawl: Crawl) -> str:
    return status_source(crawl.inputs) or _typed(crawl)


def _targets(crawl: Crawl) -> str:
    return "the topic’s targets" if crawl.metrics.get("targets") else ""


def _directory(crawl: Crawl) -> str:
    listed = crawl.inputs.get(SITES.id)
    return SITES.origin(listed) if listed else ""


def _typed(crawl: Crawl) -> str:
    typed = crawl.snapshot.data["inlinks"] if crawl.snapshot else {}
    return "in-links: counts in the topic" if typed else ""


# The judge of a measure in words; empty if it is unknown for this crawl.
WITNESSES: dict[Witness, Callable[[Crawl], str]] = {
    Witness.CRAWL: lambda crawl: "",
    Witness.JUDGE: _judge,
    Witness.CRITIC: _critic,
    Witness.LABELS: _labels,
    Witness.INLINKS: _inlinks,
    Witness.TARGETS: _targets,
    Witness.DIRECTORY: _directory,
}
