"""What the download menu of a search begins with."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.urls import reverse

from apps.collection.facets import Facets
from apps.collection.filters import Filters, Role
from apps.collection.scope import Scope

KNOWN = (Role.SEED, Role.EXAMPLE)


@dataclass(frozen=True, slots=True)
class Download:
    """`kept` are the filters that the menu does not show, as hidden fields; `labels` whether there
    is any label to choose by. `waiting` counts the links of the queue."""

    address: str
    count_address: str
    kept: tuple[tuple[str, str], ...]
    without_known: bool
    labels: bool
    labelled: bool
    waiting: int


def download(scope: Scope, filters: Filters, counts: Facets) -> Download:
    """The menu, set as the present search is."""
    labels = bool(counts.labels.get("y") or counts.labels.get("n"))
    labelled = {*filters.labels} == {"y", "n"}
    known = {*KNOWN} <= {*filters.without}
    kept = replace(
        filters,
        relevant=False,
        tau_from=0,
        order=None,
        labels=() if labelled else filters.labels,
        without=tuple(r for r in filters.without if not (known and r in KNOWN)),
    )
    looked_at = [c for c in scope.crawls if not filters.crawls or c.pk in filters.crawls]
    kind, pk = ("crawl", scope.only.pk) if scope.only else ("topic", scope.topic.pk)
    return Download(
        address=reverse(f"exports:{kind}_search", args=[pk]),
        count_address=reverse(f"exports:{kind}_count", args=[pk]),
        kept=tuple(kept.hidden()),
        without_known=known,
        labels=labels,
        labelled=labelled,
        waiting=sum(crawl.waiting for crawl in looked_at),
    )
