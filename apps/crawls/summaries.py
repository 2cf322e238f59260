"""A crawl as plain values, for commands and the API."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from apps.crawls.measures.curves import numbers
from apps.crawls.measures.estimates import shown_metrics
from apps.crawls.models import Crawl
from apps.crawls.rendered import rendered_counts


def summary(crawl: Crawl, trajectory: bool = False) -> dict[str, Any]:
    """One crawl as every command and the API show it: shares 0–1, unknown values None."""
    rendered = rendered_counts(crawl)
    result = {
        "crawl": crawl.pk,
        "topic": crawl.topic.name,
        "strategy": crawl.strategy,
        "parameters": crawl.parameters,
        "random_seed": crawl.random_seed,
        "inputs": crawl.inputs,
        "earlier": crawl.earlier_id,
        "web": crawl.web.name,
        "state": crawl.state,
        "reason": crawl.reason or None,
        "pages": crawl.pages,
        "requests": crawl.requests,
        "errors": crawl.errors,
        "excluded": crawl.excluded_reasons,
        "discovered": crawl.discovered,
        "failed": crawl.failed,
        "waiting": crawl.waiting,
        "seconds": round(crawl.seconds, 3),
        "cpu_seconds": round(crawl.cpu_seconds, 3),
        "reorder_seconds": round(crawl.reorder_seconds, 3),
        "judged_by": crawl.judged_by or None,
        "rendered": None if rendered is None else asdict(rendered),
        "metrics": metrics_of(crawl.metrics),
    }
    if trajectory:
        result["trajectory"] = [
            {"pages": sample.pages, **metrics_of(sample.metrics)} for sample in crawl.samples.all()
        ]
    return result


def metrics_of(values: dict[str, Any]) -> dict[str, Any]:
    """Every measure and every charted value by its id, then other values a strategy reports; an
    estimated recall with too wide an interval is None."""
    values = shown_metrics(values)
    metrics = {name: values.get(name) for name in numbers()}
    counters = {"pages", "waiting", "requests", "errors", "pages_per_second", "active_seconds"}
    return metrics | {n: v for n, v in values.items() if n not in metrics and n not in counters}
